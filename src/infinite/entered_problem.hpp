// A drawn initial state at the infinite horizon without discount, as a step of its own.
//
//     entry --mu(s), reward 0--> s
//
// Totals stay as they are, since no time is counted there; policies are stationary, so that they lose
// the rule of the entry and nothing else. The entry is the last state, and has the last choice: all
// others keep their numbers.
#pragma once

#include <functional>
#include <memory>

#include "problem/quantile_problem.hpp"

namespace quantiplan {

// `make`: the problem from a certain initial state.
using MakeProblem =
    std::function<std::unique_ptr<QuantileProblem>(const Model&, const ResolvedSetting&)>;
std::unique_ptr<QuantileProblem> entered_problem(const Model& model,
                                                 const ResolvedSetting& setting,
                                                 const MakeProblem& make);

}  // namespace quantiplan
