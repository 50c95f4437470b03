// Means, and what the expectation-optimal policy attains, where the engines' passes do not carry
// them: with a goal, and at the infinite horizon without discount. There they are read off the
// distributions of the policies.
//
//     without a goal    mean = E W, an infinity where totals have no end
//     with a goal       P(goal) and E[W; goal]; the mean where P(goal) = 1, else it is undefined
#pragma once

#include <optional>

#include "problem/quantile_problem.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// Of a distribution with a goal; nullopt if it was sampled.
struct GoalFigures {
  Value probability;
  std::optional<Value> mean;  // E[W; goal]; unknown where wealth was rounded or cut
};
std::optional<GoalFigures> goal_figures(const Distribution& law);

// The means of policies that are best by another criterion, from their laws, where that is not noticed.
void add_criterion_means(QuantileProblem& problem, FoundQuantiles& found);

// Fills in what is missing in results that have a policy. Left out where following the policies
// would take much more than the quantiles did, or a limit is met.
void add_expectations(QuantileProblem& problem,
                      const ResolvedSetting& setting,
                      FoundQuantiles& found);

}  // namespace quantiplan
