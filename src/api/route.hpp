// Which problem a model and a setting are, by the horizon, the discount and what else is set.
//
//     finite     no discount, or no goal             finite_problem
//     infinite   no discount, one sign of rewards    infinite_problem, level by level
//                no discount, no cycles              finite_problem: the longest episode is the
//                                                    horizon
//     discount   infinite                            cut_off_problem
//                with goals                          unfolded_problem
//     before these: a smaller model with the same answers, where there is one (reduced_problem)
//     classes    another wealth than the sum         class_problem, infinite_class_problem
#pragma once

#include <memory>

#include "problem/quantile_problem.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

// Sums go by classes, too, where an engine of other structures is asked for.
bool goes_by_classes(const Model& model, const Options& options);

// Sums are found by passes over finitely many steps, if need be of a horizon that is cut off.
bool goes_by_steps(const Model& model, const ResolvedSetting& setting, const Options& options);

// Sums of rewards.
std::unique_ptr<QuantileProblem> route_sums(const Model& model,
                                            const ResolvedSetting& setting,
                                            const Options& options);
// Throws Error(refused) for what is about sums, and for an infinite horizon with a structure of
// one's own.
std::unique_ptr<QuantileProblem> route_classes(const Model& model,
                                               const ResolvedSetting& setting,
                                               const std::shared_ptr<Structure>& structure,
                                               const Options& options);

// Throws Error(refused) unless policies are to be compared by the mean of a sum: not with a goal, an
// adversary, or classes of wealth. `what` is asked for.
void require_means(const char* what,
                   const Model& model,
                   const ResolvedSetting& setting,
                   const Options& options);

}  // namespace quantiplan
