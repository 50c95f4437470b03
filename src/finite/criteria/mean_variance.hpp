// Mean minus lambda times variance: a search over policies that are best for a quadratic utility.
//
//     G(c) = max over policies of { 2 c E W - E W^2 }        convex, piecewise linear: a line for each policy
//     E W - lambda Var W = max over c of  lambda ( 2 c E W - E W^2 - (c - h)^2 ),   h = 1 / (2 lambda)
//
// so that the optimum is max over c of lambda (G(c) - (c - h)^2), at c = E W + h. Between two values of c at
// which G is known, the chord bounds it above; where the lines of the two policies meet, G is asked for next,
// unless the chord leaves nothing to gain. In rationals this ends with the optimum, for G has finitely many
// vertices. Source: criteria, section 4. In keys throughout.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "quantiplan/number.hpp"

namespace quantiplan {

// G(c), and the mean of a policy that attains it.
struct QuadraticProbe {
  Rational c;
  Rational value;
  Rational mean;
  Rational value_error;
  Rational mean_error;
  std::size_t policy = 0;  // which one, for whoever asked
};

struct MeanVarianceFound {
  QuadraticProbe best;
  Rational lower;  // E - lambda Var of its policy, certainly no more than the truth
  Rational upper;  // no policy has more
};

// Nullopt if a probe was (the limits ended it). `gap`: how far the two may stay apart; where errors leave
// more open, they do.
std::optional<MeanVarianceFound> search_mean_variance(
    const Rational& lambda,
    const Rational& least,
    const Rational& most,
    const Rational& gap,
    const std::function<std::optional<QuadraticProbe>(const Rational& c)>& probe);

}  // namespace quantiplan
