#include "numbers/rounding_bound.hpp"

namespace quantiplan {

RoundingBound RoundingBound::after(const Integer& roundings, const Integer& underflows) {
  const Integer inverse_u = Integer(1) << 53;
  RoundingBound bound;
  // Beyond n u = 1/2 the bound says nothing: every comparison is left to rationals.
  if (2 * roundings >= inverse_u) {
    bound.relative = 1;
  } else {
    bound.relative = Rational(roundings, inverse_u - roundings);
    bound.relative.canonicalize();
  }
  bound.absolute = Rational(2 * underflows, Integer(1) << 1074);
  bound.absolute.canonicalize();
  bound.is_small_ = bound.absolute <= Rational(1, Integer(1) << 1000);
  return bound;
}

RoundingBound RoundingBound::of_backward_pass(std::uint64_t horizon, std::uint64_t most_outcomes) {
  const Integer steps(static_cast<unsigned long>(horizon));
  const Integer outcomes(static_cast<unsigned long>(most_outcomes));
  return after(steps * (outcomes + 2), steps * outcomes);
}

// Where a value is far above underflow the absolute error is a negligible part of it, and leaving
// its thousand bits out of the arithmetic makes comparisons fifty times cheaper.
Rational RoundingBound::error_of(double computed) const {
  if (relative == 0 && absolute == 0) return 0;
  constexpr double kFarAboveUnderflow = 0x1p-900;
  static const Rational kNegligible(1, Integer(1) << 100);
  if (computed >= kFarAboveUnderflow && is_small_)
    return Rational(computed) * (relative + kNegligible);
  return Rational(computed) * relative + absolute;
}

Rational RoundingBound::least(double computed) const {
  const Rational bound = Rational(computed) - error_of(computed);
  return bound > 0 ? bound : Rational(0);
}

Rational RoundingBound::most(double computed) const {
  const Rational bound = Rational(computed) + error_of(computed);
  return bound < 1 ? bound : Rational(1);
}

bool RoundingBound::certainly_reaches(double computed, const Rational& theta, Side side) const {
  return reaches(Rational(computed) - error_of(computed), theta, side);
}

bool RoundingBound::certainly_misses(double computed, const Rational& theta, Side side) const {
  return !reaches(Rational(computed) + error_of(computed), theta, side);
}

bool reaches(const Rational& probability, const Rational& theta, Side side) {
  return side == Side::upper ? probability >= theta : probability > theta;
}

}  // namespace quantiplan
