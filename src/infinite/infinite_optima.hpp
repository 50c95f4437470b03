// Other criteria than the quantile of costs on the way to a goal, at the infinite horizon without discount, in
// rationals.
//
//     V(s)     least expected cost of policies that arrive almost surely; where no policy does: infinite, as
//              are all the values below
//     B(s, b)  least E (C - b)^+, C the cost from s on: level by level (promise/budget_nodes.hpp)
//
//     expectation   V(s0)
//     cvar          min over b = 0, 1, 2, .. of { b + B(s0, b) / tau }; beyond the best value found no b is
//                   better, for B is not negative
//
// Source: criteria, section 3.
#pragma once

#include <functional>
#include <memory>

#include "infinite/layout.hpp"
#include "problem/quantile_problem.hpp"

namespace quantiplan {

// Refuses other criteria, and what is no cost to a goal. A tau of 0 is left to the caller.
FoundQuantiles infinite_optima(const std::shared_ptr<InfiniteLayout>& layout,
                               const CriterionQuestions& asked,
                               const Later<Policy>& expectation_policy);

}  // namespace quantiplan
