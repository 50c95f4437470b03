// Plain problems: a finite horizon, no goal, rewards as they are, the greatest over policies. All
// others are put as plain ones (recast.hpp), or belong to engines of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "finite/wealth_scale.hpp"
#include "problem/quantile_problem.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// The initial state is one of several that are asked for, and takes what one pass found for all of
// them (shared_starts.hpp); null: it is by itself.
struct SharedStart;

FoundQuantiles solve_plain(const Model& model,
                           const ResolvedSetting& setting,
                           const std::vector<Question>& asked,
                           const Wishes& wishes,
                           const Options& options,
                           const SharedStart* shared = nullptr);

Frontier frontier_plain(const Model& model,
                        const ResolvedSetting& setting,
                        const std::vector<Question>& asked,
                        const Options& options,
                        const SharedStart* shared = nullptr);

// Steps of a curve that are put into words between two looks at the clock, and their room: each is a
// rational level and a bound or two, and they are moved into the user's terms once or twice.
constexpr std::size_t kStepsPerPoll = 1024;
inline void take_steps(std::size_t steps, Limits& limits) {
  constexpr std::uint64_t kBytesPerStep = 640;
  limits.take(kBytesPerStep * steps, "the steps of the curve");
  limits.give_back(kBytesPerStep * steps);
}

// Totals above `first`, or at least it.
struct PlainTarget {
  Rational first;
  bool strictly;
};
// The least key of time 0 whose wealth is at least the target, or above it.
std::int64_t key_of(const WealthScale& scale, const PlainTarget& target);
// A level that every total which meets the target reaches when it is rounded up. Such totals lie on
// finer steps than targets do, so unless nothing was rounded it is the one at the target or below.
std::int64_t level_below(const WealthScale& scale, const PlainTarget& target);

// The greatest chance of each target.
FoundChances threshold_plain(const Model& model,
                             const ResolvedSetting& setting,
                             const std::vector<PlainTarget>& targets,
                             const Options& options,
                             const SharedStart* shared = nullptr);

// Computed, or sampled where there are too many nodes to count them one by one.
Distribution evaluate_plain(const Model& model, const Policy& policy, const Options& options);
// Nullopt instead of a sample.
std::optional<Distribution> compute_plain(const Model& model,
                                          const Policy& policy,
                                          const Options& options);
// Of any problem whose wealth is a sum, by episodes, with a band.
Distribution sample_policy(const Model& model, const Policy& policy, const Options& options);
Policy expectation_plain(const Model& model,
                         const ResolvedSetting& setting,
                         const Options& options);

}  // namespace quantiplan
