// Plain problems: a finite horizon, no goal, rewards as they are, the greatest over policies. All
// others are put as plain ones (recast.hpp), or belong to engines of their own.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/solve.hpp"
#include "recast.hpp"

namespace quantiplan {

Answer solve_plain(const Model& model,
                   const ResolvedSetting& setting,
                   const std::vector<Question>& asked,
                   bool compare,
                   const Options& options);

Frontier frontier_plain(const Model& model,
                        const ResolvedSetting& setting,
                        const std::vector<Question>& asked,
                        const Options& options);

// The greatest P(W >= first), or P(W > first): between two bounds.
struct PlainChance {
  Status status = Status::not_called;
  Value low;
  Value high;                      // equal and exact, or a bound
  std::function<Policy()> policy;  // attains `low`; makes no claim
};
struct PlainChances {
  std::vector<PlainChance> chances;
  EngineReport engine;
  Work work;
};
PlainChances threshold_plain(const Model& model,
                             const ResolvedSetting& setting,
                             const std::vector<Recast::PlainTarget>& targets,
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
