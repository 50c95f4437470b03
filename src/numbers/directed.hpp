// Doubles on a chosen side of an exact number: the greatest that is not above, the least not below. One that is
// greater than all doubles lies between the greatest of them and infinity.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "quantiplan/number.hpp"

namespace quantiplan {

inline double round_down(const Rational& value) {
  const double nearest = to_nearest_double(value);
  if (!std::isfinite(nearest)) return std::min(nearest, std::numeric_limits<double>::max());
  return Rational(nearest) > value ? std::nextafter(nearest, -HUGE_VAL) : nearest;
}

inline double round_up(const Rational& value) {
  const double nearest = to_nearest_double(value);
  if (!std::isfinite(nearest)) return std::max(nearest, std::numeric_limits<double>::lowest());
  return Rational(nearest) < value ? std::nextafter(nearest, HUGE_VAL) : nearest;
}

}  // namespace quantiplan
