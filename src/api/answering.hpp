// What solve, threshold and frontier do once their setting is resolved and their call has begun: for one
// initial state, and for each of several (each_start.cpp).
#pragma once

#include <memory>

#include "problem/quantile_problem.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {

// `problem`: one that is known already; null: the one that the setting says.
Answer answer_solve(const Model& model,
                    const Query& query,
                    const ResolvedSetting& setting,
                    const Options& options,
                    std::unique_ptr<QuantileProblem> problem = nullptr);
ThresholdAnswer answer_threshold(const Model& model,
                                 const ThresholdQuery& query,
                                 const ResolvedSetting& setting,
                                 const Options& options,
                                 std::unique_ptr<QuantileProblem> problem = nullptr);
Frontier answer_frontier(const Model& model,
                         const Query& query,
                         const ResolvedSetting& setting,
                         const Options& options,
                         std::unique_ptr<QuantileProblem> problem = nullptr);

}  // namespace quantiplan
