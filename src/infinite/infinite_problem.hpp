// The infinite horizon without discount: questions answered level by level (infinite/levels).
//
//     moves and signs -> weights -> doubles, with what they leave open put to rationals
//                                -> tau = 0 and 1 on the graph -> results, policies on demand
//
// Everything inside is counted (moves.hpp): a cost is a negative reward, and an adversary maximises
// the negative of W. Results are turned back at the end: min over policies of P(W >= w) is
// 1 - max P(-W > -w), so what is guaranteed at tau on one side is minus the optimum of -W at
// 1 - tau on the other.
#pragma once

#include "problem/quantile_problem.hpp"

namespace quantiplan {

std::unique_ptr<QuantileProblem> infinite_problem(const Model& model,
                                                  const ResolvedSetting& setting,
                                                  const Options& options);

}  // namespace quantiplan
