// That no policy has more of a criterion that takes a search: by bounds between the points at which a recursion is run.
//
// Mean minus lambda times variance, with h = 1 / (2 lambda):
//     G(c) = max over policies of { 2 c E W - E W^2 }, one recursion for each c; convex in c
//     greatest value = max over c of  lambda ( G(c) - (c - h)^2 ),   at c = E W + h, from the least total on to the greatest
// Between two c the chord bounds G; where it leaves more open than is claimed, G is looked at where the lines of the two
// policies meet.
//
// EVaR = sup over beta of f = h(beta) + ln(tau) / beta, one recursion over (time, state) for each beta. With
// L = -ln(tau), x = 1 / beta, m the least total of all:
//     beta <= L / (E* - bound)     f <= E* - L x <= bound
//     beta >= b                    f <= h(b)
//     x in [1/b2, 1/b1]            h <= h(b1),   h <= m + b2 x (h(b2) - m)
//
// Both end as soon as the claimed bound holds everywhere, or is refuted by a policy's own value.
#pragma once

#include <optional>

#include "check/criteria/best_worth.hpp"
#include "check/criteria/course.hpp"
#include "check/criteria/exponential_value.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

// lower: what some policy has, upper: what none exceeds; upper is at most `claimed`, or lower is above it. Nullopt if that
// takes too many recursions.
std::optional<ValueBounds> bound_mean_variance(BestWorth& best,
                                               const Rational& lambda,
                                               const Rational& claimed);
// 0 < tau < 1. Of all policies, or of one that goes by time and state.
std::optional<ValueBounds> bound_evar(const Course& course,
                                      const Policy& policy,
                                      bool best,
                                      const Rational& tau,
                                      const Rational& claimed);
// Of a policy that goes by time and state: as much as a search over beta finds, or, where that is less than `claimed`, proof
// of that if there is one.
std::optional<ValueBounds> evar_of_steps(const Course& course,
                                         const Policy& policy,
                                         const Rational& tau,
                                         const Rational& claimed);

}  // namespace quantiplan::checking
