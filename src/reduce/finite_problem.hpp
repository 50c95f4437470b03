// Sums over a finite horizon, with goals, costs or an adversary: a plain problem in other terms
// (recast.hpp).
#pragma once

#include "problem/quantile_problem.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan {

std::unique_ptr<QuantileProblem> finite_problem(const Model& model,
                                                const ResolvedSetting& setting,
                                                const Options& options);

}  // namespace quantiplan
