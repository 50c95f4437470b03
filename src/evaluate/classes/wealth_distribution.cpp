#include "evaluate/classes/wealth_distribution.hpp"

#include <optional>

#include "evaluate/classes/wealth_limit.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr double kBudget = 5e8;  // of rationals that nobody asked for

// Rationals where nobody notices the time they take.
constexpr std::uint64_t kFewSteps = 200'000;
constexpr std::size_t kFewPairs = 20'000;
constexpr std::size_t kSmallBlock = 40;

std::optional<Distribution> finite(const WealthProblem& problem, Arithmetic arithmetic) {
  std::uint64_t steps = 0;
  return in_either(
      arithmetic,
      kBudget,
      [&]<class N>(const RationalBudget& budget) {
        return wealth_forward<N>(problem, budget, steps);
      },
      [&] { return steps <= kFewSteps; });
}

std::optional<Distribution> endless(const WealthProblem& problem, Arithmetic arithmetic) {
  const WealthChain chain(
      problem.model, *problem.structure, problem.setting.initial, problem.rules, problem.limits);
  if (!chain.complete()) return std::nullopt;
  std::size_t largest_block = 0;
  return in_either(
      arithmetic,
      kBudget,
      [&]<class N>(const RationalBudget& budget) {
        return wealth_limit<N>(problem, chain, budget, largest_block);
      },
      [&] { return chain.nodes() <= kFewPairs && largest_block <= kSmallBlock; });
}

}  // namespace

Distribution evaluate_wealth(const Model& model,
                             const std::shared_ptr<Structure>& structure,
                             const Policy& policy,
                             const Options& options,
                             const std::shared_ptr<const WealthClasses>& classes) {
  Limits limits(options);
  WealthRules rules(model, *structure, policy);
  const WealthProblem problem{model, structure, policy.setting, rules, limits, classes};
  auto found = policy.setting.is_infinite() ? endless(problem, options.arithmetic)
                                            : finite(problem, options.arithmetic);
  if (found) return *std::move(found);
  throw Error(
      ErrorCode::refused,
      "evaluation",
      limits.status() == Status::interrupted
          ? "interrupted before it was complete"
          : "a limit was met before it was complete, expected a longer --time-limit or a larger "
            "--memory-limit");
}

}  // namespace quantiplan
