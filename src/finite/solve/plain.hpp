// Plain problems: a finite horizon, no goal, rewards as they are, the greatest over policies. All
// others are put as plain ones (recast.hpp), or belong to engines of their own.
#pragma once

#include <optional>
#include <vector>

#include "problem/quantile_problem.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

FoundQuantiles solve_plain(const Model& model,
                           const ResolvedSetting& setting,
                           const std::vector<Question>& asked,
                           bool compare,
                           const Options& options);

Frontier frontier_plain(const Model& model,
                        const ResolvedSetting& setting,
                        const std::vector<Question>& asked,
                        const Options& options);

// Totals above `first`, or at least it.
struct PlainTarget {
  Rational first;
  bool strictly;
};
// The greatest chance of each target.
FoundChances threshold_plain(const Model& model,
                             const ResolvedSetting& setting,
                             const std::vector<PlainTarget>& targets,
                             const Options& options);

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
