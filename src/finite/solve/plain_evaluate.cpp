#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "evaluate/forward.hpp"
#include "evaluate/sampled.hpp"
#include "finite/expectation.hpp"
#include "finite/solve/grid_choice.hpp"
#include "finite/solve/instance.hpp"
#include "finite/solve/plain.hpp"
#include "finite/solve/plan.hpp"
#include "finite/tabulate.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void ended_early(const Instance& instance, const char* what) {
  throw Error(
      ErrorCode::refused,
      what,
      instance.limits.status() == Status::interrupted
          ? "interrupted before it was complete"
          : "a limit was met before it was complete, expected a longer --time-limit or a larger "
            "--memory-limit");
}

template <class N>
Policy expectation_table(const std::shared_ptr<Instance>& instance) {
  const Expectation<N> expectation(*instance->stages, instance->limits);
  if (!expectation.complete()) ended_early(*instance, "expectation policy");
  return tabulate(*instance->stages, expectation.choices());
}

// The grid of a policy that goes by index, as the stages have it.
Grid grid_of(const PolicyGrid& grid, std::uint64_t horizon) {
  Grid out{grid.unit, {}};
  for (std::uint64_t t = 0; t <= horizon; ++t) {
    out.halvings.push_back(static_cast<std::uint32_t>(std::ranges::upper_bound(grid.halved_at, t) -
                                                      grid.halved_at.begin()));
  }
  return out;
}

// A grid on which wealth may be rounded without being noticed, a tenth of epsilon, or coarser.
Grid evaluation_grid(const std::shared_ptr<Instance>& instance, const Rational& coarser) {
  const GridChoice choice(*instance->stages);
  const Grid finest = choice.finest();
  Instance rounded(instance, finest, Rounding::down);
  if (!rounded.lay_out()) ended_early(*instance, "evaluation");
  const Window window = rounded.windows->start();
  const Rational range = rounded.stages->scale().wealth({window.possible - window.least + 1});
  return choice.equal_within(instance->options.epsilon.value_or(range / 1000) / 10 * coarser);
}

// Nullopt if a rounded problem has too many nodes to count them one by one.
std::optional<Distribution> computed(const std::shared_ptr<Instance>& instance,
                                     const Stages& stages,
                                     const Policy& policy) {
  const TableStrategy strategy(stages, policy);
  bool too_many = false;
  auto distribution =
      distribution_of(stages, strategy, instance->options.arithmetic, instance->limits, &too_many);
  if (too_many) return std::nullopt;
  if (!distribution) ended_early(*instance, "evaluation");
  return distribution;
}

}  // namespace

Policy expectation_plain(const Model& model,
                         const ResolvedSetting& setting,
                         const Options& options) {
  auto instance = std::make_shared<Instance>(model, setting, options);
  if (!instance->lay_out()) ended_early(*instance, "expectation policy");
  if (!instance->stages->has_keys()) {
    // Expected values are those of the true rewards on any grid.
    const Grid finest = GridChoice(*instance->stages).finest();
    instance = std::make_shared<Instance>(instance, finest, Rounding::down);
    return expectation_table<double>(instance);
  }
  const Plan plan = choose_plan(*instance, 0);
  return plan.exact ? expectation_table<Rational>(instance) : expectation_table<double>(instance);
}

// Where the residual of a policy has no finite grid, or one too fine: episodes, and how far they
// can be trusted. Long ones are fewer, so that it takes seconds: the band says what that costs.
Distribution sample_policy(const Model& model, const Policy& policy, const Options& options) {
  constexpr std::uint64_t kMostEpisodes = 100'000;
  constexpr std::uint64_t kFewestEpisodes = 1'000;
  constexpr std::uint64_t kSteps = 20'000'000;
  constexpr std::uint64_t kSeed = 1;
  constexpr double kConfidence = 0.999;
  const std::uint64_t steps =
      policy.setting.is_infinite() ? policy.truncated_at.value_or(0) : policy.setting.horizon;
  const std::uint64_t count =
      std::clamp(kSteps / std::max<std::uint64_t>(steps, 1), kFewestEpisodes, kMostEpisodes);
  const EpisodeTally episodes =
      simulate_tally(model, policy, {count, kSeed, KeepEpisodes::counts}, options);
  if (episodes.episodes == 0) {
    throw Error(ErrorCode::refused,
                "evaluation",
                "a limit was met before the first simulated episode, expected a longer one");
  }
  return sampled_distribution(episodes, kSeed, kConfidence);
}

Distribution evaluate_plain(const Model& model, const Policy& policy, const Options& options) {
  if (auto found = compute_plain(model, policy, options)) return *std::move(found);
  return sample_policy(model, policy, options);
}

std::optional<Distribution> compute_plain(const Model& model,
                                          const Policy& policy,
                                          const Options& options) {
  const auto instance = std::make_shared<Instance>(model, policy.setting, options);
  if (!instance->lay_out()) ended_early(*instance, "evaluation");
  if (policy.grid) {
    const Instance rounded(
        instance, grid_of(*policy.grid, instance->stages->horizon()), Rounding::down);
    if (!rounded.stages->has_keys()) {
      throw Error(ErrorCode::bad_policy,
                  "grid",
                  fmt::format("unit: found {}, expected one of which the greatest total has fewer "
                              "than 2^60",
                              to_text(policy.grid->unit)));
    }
    return computed(instance, *rounded.stages, policy);
  }
  if (instance->stages->has_keys()) {
    try {
      return *computed(instance, *instance->stages, policy);
    } catch (const Error& error) {
      // Too many levels of wealth to count them one by one, unless that is what was asked for.
      if (error.code() != ErrorCode::refused || instance->limits.ended() ||
          options.arithmetic == Arithmetic::exact) {
        throw;
      }
    }
  }
  if (policy.target) return std::nullopt;
  // Any grid serves a policy without a target: the finest with few enough nodes.
  for (double coarser = 1; coarser < 1e6; coarser *= 4) {
    const Instance rounded(instance, evaluation_grid(instance, Rational(coarser)), Rounding::down);
    if (auto found = computed(instance, *rounded.stages, policy)) return found;
  }
  return std::nullopt;
}

}  // namespace quantiplan
