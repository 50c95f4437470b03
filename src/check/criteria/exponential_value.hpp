// Entropic risk and EVaR of a law of totals, between bounds, by exponential moments with directed rounding.
//
//     X = W - w0, w0 the least total;   M(b) = E exp(-b X),   A(b) = E X exp(-b X)
//     entropic(b) = w0 - ln M(b) / b
//     EVaR        = sup over l > 0 of f(l),  f(l) = w0 + l ln(tau / M(1/l)),  f'(l) = ln(tau / M) - A / (l M)
//
// f is concave in l, so that two tangents, one rising and one falling, bound it from above. Where to look for the top
// is found in doubles; what holds is shown by the moments.
#pragma once

#include <map>

#include "quantiplan/number.hpp"

namespace quantiplan::checking {

struct ValueBounds {
  Rational lower;
  Rational upper;
  static ValueBounds exactly(const Rational& value) { return {value, value}; }
};

using TotalsLaw = std::map<Rational, Rational>;  // probability by total

// beta > 0.
ValueBounds entropic_of_law(const TotalsLaw& law, const Rational& beta);
// 0 < tau < 1.
ValueBounds evar_of_law(const TotalsLaw& law, const Rational& tau);

}  // namespace quantiplan::checking
