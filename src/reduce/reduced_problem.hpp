// A smaller model with the same answers solved instead (quotient.hpp), and policies put back in terms
// of the model's own states: one more reduction, before all others.
//
// The smaller model is made when the first question is asked. Where that takes too much work, or
// hardly makes it smaller, the problem is the model's own.
#pragma once

#include <functional>
#include <memory>

#include "problem/quantile_problem.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan {

using MakeAnyProblem = std::function<std::unique_ptr<QuantileProblem>(
    const Model& model, const ResolvedSetting& setting, const Options& options)>;

// `make`: the problem of any model with any setting. `is_sum`: wealth is the sum of the rewards, so
// that those of states with one way on can be added up beforehand; any other wealth sees them one
// by one, and states that behave alike see the same ones.
std::unique_ptr<QuantileProblem> reduced_problem(const Model& model,
                                                 const ResolvedSetting& setting,
                                                 const Options& options,
                                                 MakeAnyProblem make,
                                                 bool is_sum = true);

}  // namespace quantiplan
