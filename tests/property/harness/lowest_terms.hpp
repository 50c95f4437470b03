// A fraction in lowest terms, short to write: q(2, 4) is 1/2.
#pragma once

#include "quantiplan/number.hpp"

namespace quantiplan::testing {

inline Rational q(long numerator, unsigned long denominator = 1) {
  Rational value(numerator, denominator);
  value.canonicalize();
  return value;
}

}  // namespace quantiplan::testing
