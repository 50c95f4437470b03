#include "attitudes/resolute.hpp"

#include <memory>
#include <optional>

#include "attitudes/plays.hpp"
#include "finite/expectation.hpp"
#include "finite/pass/pass.hpp"
#include "finite/pass/settle.hpp"
#include "finite/promise/exact_nodes.hpp"
#include "finite/solve/locate.hpp"
#include "finite/solve/plain.hpp"
#include "finite/strategy.hpp"
#include "finite/tabulate.hpp"
#include "kernels/backup.hpp"
#include "numbers/rounding_bound.hpp"
#include "problem/quantile_problem.hpp"
#include "promise/wanted.hpp"

namespace quantiplan {
namespace {

// The decisions of a pass stay counted until they are dropped.
class HeldDecisions {
 public:
  HeldDecisions(Limits& limits, std::uint64_t bytes) : limits_(limits), bytes_(bytes) {}
  ~HeldDecisions() { limits_.give_back(bytes_); }
  HeldDecisions(const HeldDecisions&) = delete;
  HeldDecisions& operator=(const HeldDecisions&) = delete;

 private:
  Limits& limits_;
  std::uint64_t bytes_;
};

void add_work(const Work& more, Work& work) {
  work.backups += more.backups;
  work.breakpoints += more.breakpoints;
  work.multiply_adds += more.multiply_adds;
  work.passes += more.passes;
  work.exact_nodes += more.exact_nodes;
}

// Among all policies: the solver's own answer, with the greatest chance and then the greatest mean.
Policy solved_policy(const FiniteLayout& layout, const Question& question, Work& work) {
  Wishes wishes;
  wishes.compare = false;
  wishes.prefer = Prefer::probability;
  const FoundQuantiles found =
      solve_plain(layout.model, layout.setting, {question}, wishes, layout.options);
  add_work(found.work, work);
  const Result& result = found.results.front().result;
  if (result.status != Status::solved || !result.policy) throw WorkEnded();
  return result.policy();
}

// The greatest chance of a level, and then the greatest mean, in rationals. Nullopt if these are many.
std::optional<Policy> best_of_ties(FiniteLayout& layout,
                                   const Windows& windows,
                                   const ChoiceFilter& filter,
                                   std::int64_t level,
                                   Work& work) {
  Limits& limits = layout.limits;
  const Expectation<Rational> expectation(*layout.stages, limits, filter);
  if (!expectation.complete()) throw WorkEnded();
  const auto nodes = exact_nodes({layout.stages,
                                  std::make_shared<Windows>(windows.down_to_least()),
                                  FreeWorth::of_mean(expectation, filter),
                                  {level},
                                  kSmallExactPass},
                                 limits);
  const auto rules = nodes ? nodes->rules(Aim::probability_first(), limits) : std::nullopt;
  if (!rules) return std::nullopt;
  ++work.passes;
  return tabulate(*rules->ground, nullptr, rules->points.get(), {level}, limits);
}

}  // namespace

ResolutePlay resolute_play(FiniteLayout& layout,
                           const ChoiceFilter& filter,
                           const Question& question,
                           Work& work) {
  if (filter.is_open() && !layout.stages->scale().grid())
    return {solved_policy(layout, question, work)};
  Limits& limits = layout.limits;
  const auto windows = std::make_shared<Windows>(*layout.stages, filter, limits);
  const Expectation<double> expectation(*layout.stages, limits, filter);
  if (!windows->complete() || !expectation.complete()) throw WorkEnded();
  PassInput<double> input{*layout.stages,
                          *windows,
                          expectation,
                          filter,
                          true,
                          layout.options.representation,
                          find_kernel(layout.options.kernel)};
  input.scratch = &layout.scratch();
  const PassOutput<double> pass = run_pass(input, limits, work);
  if (pass.status != Status::solved) throw WorkEnded();
  const HeldDecisions held(limits, pass.decision_bytes);
  const Rational theta = 1 - question.tau;
  const auto bound =
      RoundingBound::of_backward_pass(layout.stages->horizon(), layout.model.most_outcomes());
  const SettleInput exact{*layout.stages, *windows, expectation, filter, pass.decisions.get()};
  const Located found =
      close_range(locate(pass.curve, bound, theta, question.side),
                  theta,
                  question.side,
                  [&](std::int64_t level) { return settle(exact, {level}, limits, work); });
  if (found.range.lower != found.range.upper) throw WorkEnded();
  const std::int64_t level = found.range.lower;
  if (!layout.stages->scale().grid()) {
    if (auto policy = best_of_ties(layout, *windows, filter, level, work))
      return {*std::move(policy), level, pass.curve.at(level)};
  }
  const Groundwork ground{layout.stages, windows, expectation.choices()};
  std::optional<Policy> policy = tabulate(ground,
                                          pass.decisions.get(),
                                          found.settled ? found.settled->points.get() : nullptr,
                                          {level},
                                          limits);
  if (!policy) throw WorkEnded();
  return {*std::move(policy), level, pass.curve.at(level)};
}

}  // namespace quantiplan
