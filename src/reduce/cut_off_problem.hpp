// Discounted sums of infinite horizon, cut off after T steps:  W_T + sure <= W <= W_T + greatest.
//
// After T steps a policy goes on with the choices that are sure of most; whatever is done, no more
// than the greatest tail follows (tails.hpp). So the problem of T steps, shifted by the one and by
// the other, holds the truth between its ends; an adversary's tails count the other way round.
#pragma once

#include "problem/quantile_problem.hpp"

namespace quantiplan {

// No goals.
std::unique_ptr<QuantileProblem> cut_off_problem(const Model& model,
                                                 const ResolvedSetting& setting,
                                                 const Options& options);

}  // namespace quantiplan
