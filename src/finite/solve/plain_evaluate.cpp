#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "evaluate/forward.hpp"
#include "evaluate/sampled.hpp"
#include "finite/expectation.hpp"
#include "finite/solve/finite_layout.hpp"
#include "finite/solve/grid_choice.hpp"
#include "finite/solve/plain.hpp"
#include "finite/solve/plan.hpp"
#include "finite/tabulate.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void ended_early(const FiniteLayout& layout, const char* what) {
  throw Error(
      ErrorCode::refused,
      what,
      layout.limits.status() == Status::interrupted
          ? "interrupted before it was complete"
          : "a limit was met before it was complete, expected a longer --time-limit or a larger "
            "--memory-limit");
}

template <class N>
Policy expectation_table(const std::shared_ptr<FiniteLayout>& layout) {
  const Expectation<N> expectation(*layout->stages, layout->limits);
  if (!expectation.complete()) ended_early(*layout, "expectation policy");
  return tabulate(*layout->stages, expectation.choices(), layout->limits);
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
Grid evaluation_grid(const std::shared_ptr<FiniteLayout>& layout, const Rational& coarser) {
  const GridChoice choice(*layout->stages);
  const Grid finest = choice.finest();
  FiniteLayout rounded(layout, finest, Rounding::down);
  if (!rounded.lay_out()) ended_early(*layout, "evaluation");
  const Window window = rounded.windows->start();
  const Rational range = rounded.stages->scale().wealth({window.possible - window.least + 1});
  return choice.equal_within(layout->options.epsilon.value_or(range / 1000) / 10 * coarser);
}

// Nullopt if a rounded problem has too many nodes to count them one by one.
std::optional<Distribution> computed(const std::shared_ptr<FiniteLayout>& layout,
                                     const Stages& stages,
                                     const Policy& policy) {
  const TableStrategy strategy(stages, policy);
  bool too_many = false;
  auto distribution =
      distribution_of(stages, strategy, layout->options.arithmetic, layout->limits, &too_many);
  if (too_many) return std::nullopt;
  if (!distribution) ended_early(*layout, "evaluation");
  return distribution;
}

}  // namespace

Policy expectation_plain(const Model& model,
                         const ResolvedSetting& setting,
                         const Options& options) {
  auto layout = std::make_shared<FiniteLayout>(model, setting, options);
  if (!layout->lay_out()) ended_early(*layout, "expectation policy");
  if (!layout->stages->has_keys()) {
    // Expected values are those of the true rewards on any grid.
    const Grid finest = GridChoice(*layout->stages).finest();
    layout = std::make_shared<FiniteLayout>(layout, finest, Rounding::down);
    return expectation_table<double>(layout);
  }
  const Plan plan = choose_plan(*layout, 0);
  return plan.exact ? expectation_table<Rational>(layout) : expectation_table<double>(layout);
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
      sampled_tally(model, policy, {count, kSeed, KeepEpisodes::counts}, options);
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
  const auto layout = std::make_shared<FiniteLayout>(model, policy.setting, options);
  if (!layout->lay_out()) ended_early(*layout, "evaluation");
  if (policy.grid) {
    const FiniteLayout rounded(
        layout, grid_of(*policy.grid, layout->stages->horizon()), Rounding::down);
    if (!rounded.stages->has_keys()) {
      throw Error(ErrorCode::bad_policy,
                  "grid",
                  fmt::format("unit: found {}, expected one of which the greatest total has fewer "
                              "than 2^60",
                              to_text(policy.grid->unit)));
    }
    return computed(layout, *rounded.stages, policy);
  }
  if (layout->stages->has_keys()) {
    try {
      return *computed(layout, *layout->stages, policy);
    } catch (const Error& error) {
      // Too many levels of wealth to count them one by one, unless that is what was asked for.
      if (error.code() != ErrorCode::refused || layout->limits.ended() ||
          options.arithmetic == Arithmetic::exact) {
        throw;
      }
    }
  }
  if (policy.target) return std::nullopt;
  // Any grid serves a policy without a target: the finest with few enough nodes.
  for (double coarser = 1; coarser < 1e6; coarser *= 4) {
    const FiniteLayout rounded(layout, evaluation_grid(layout, Rational(coarser)), Rounding::down);
    if (auto found = computed(layout, *rounded.stages, policy)) return found;
  }
  return std::nullopt;
}

}  // namespace quantiplan
