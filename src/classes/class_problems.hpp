// Quantiles by another order than that of sums: classes of final wealths, ranked.
//
//     residuals         one pass over the levels still to come      (ranked_pass)
//     any structure     the wealth so far in the state              (forward_pass)
//     infinite horizon  max, min, monotone automata: reachability and safety (infinite_class_problem)
//
// For a question (tau, side) the answer is the greatest class k whose chance meets 1 - tau. In
// doubles most classes are certainly above or below; what is not is put to the graph where
// 1 - tau is 0 or 1, and to rationals elsewhere.
#pragma once

#include <memory>

#include "problem/quantile_problem.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

// Quantiles are positions in the classes, from 1.
std::unique_ptr<QuantileProblem> class_problem(const Model& model,
                                               const ResolvedSetting& setting,
                                               const std::shared_ptr<Structure>& structure,
                                               const Options& options);
// The infinite horizon; throws Error(refused) for structures that have no limit there.
std::unique_ptr<QuantileProblem> infinite_class_problem(const Model& model,
                                                        const ResolvedSetting& setting,
                                                        const std::shared_ptr<Structure>& structure,
                                                        const Options& options);

}  // namespace quantiplan
