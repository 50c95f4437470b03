// No policy has more of mean minus lambda times variance, however many totals there are.
//
//     G_t(s, c) = max over policies of { 2 c E R - E R^2 },   R the rest from time t on, c = some number less the total so far
//               = max_a sum p { 2 c g - g^2 + G_{t+1}(s', c - g) },   g = gamma^t r            convex in c
//     greatest value = max over c of  lambda ( G_0(c) - (c - h)^2 ),   h = 1 / (2 lambda),  at c = E W + h
//
// Upper bounds of G at the points of a grid give one between them: the chord, for G is convex. So a step errs by the square of
// what lies between two points, and one recursion serves every c. Who has more than `claimed` has a mean above it, so only the
// c from there to the greatest mean are looked at. In doubles, with what they may err by added; where a course is cut,
// 2 c E R is bounded by what may follow.
#pragma once

#include <optional>

#include "check/criteria/course.hpp"

namespace quantiplan::checking {

// No policy whose mean is at least `claimed` has more than that; on finer and finer grids, until it is no more than claimed.
// Others have less than claimed anyway. `greatest_mean`: of all policies. Nullopt: too much.
std::optional<Rational> most_mean_variance(const Course& course,
                                           const Rational& lambda,
                                           const Rational& greatest_mean,
                                           const Rational& claimed);

}  // namespace quantiplan::checking
