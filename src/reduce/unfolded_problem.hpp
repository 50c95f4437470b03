// Discounted sums with goals: two problems without discount, unfolded over time (unfolding.hpp),
// one rounded against the one who maximises and one in his favour, with the truth between them.
#pragma once

#include "problem/quantile_problem.hpp"

namespace quantiplan {

std::unique_ptr<QuantileProblem> unfolded_problem(const Model& model,
                                                  const ResolvedSetting& setting,
                                                  const Options& options);

}  // namespace quantiplan
