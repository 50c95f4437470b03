// Doubles on a chosen side of an exact number: the greatest that is not above, the least not below.
#pragma once

#include <cmath>

#include "quantiplan/number.hpp"

namespace quantiplan {

inline double round_down(const Rational& value) {
  const double nearest = to_nearest_double(value);
  return Rational(nearest) > value ? std::nextafter(nearest, -HUGE_VAL) : nearest;
}

inline double round_up(const Rational& value) {
  const double nearest = to_nearest_double(value);
  return Rational(nearest) < value ? std::nextafter(nearest, HUGE_VAL) : nearest;
}

}  // namespace quantiplan
