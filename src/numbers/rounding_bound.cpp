#include "rounding_bound.hpp"

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
  return bound;
}

RoundingBound RoundingBound::of_backward_pass(std::uint64_t horizon, std::uint64_t most_outcomes) {
  const Integer steps(static_cast<unsigned long>(horizon));
  const Integer outcomes(static_cast<unsigned long>(most_outcomes));
  return after(steps * (outcomes + 2), steps * outcomes);
}

bool RoundingBound::certainly_reaches(double computed, const Rational& theta, Side side) const {
  const Rational least = Rational(computed) * (1 - relative) - absolute;
  return reaches(least, theta, side);
}

bool RoundingBound::certainly_misses(double computed, const Rational& theta, Side side) const {
  const Rational greatest = Rational(computed) * (1 + relative) + absolute;
  return !reaches(greatest, theta, side);
}

bool reaches(const Rational& probability, const Rational& theta, Side side) {
  return side == Side::upper ? probability >= theta : probability > theta;
}

}  // namespace quantiplan
