// How values between bounds are told: exactly, or as doubles near them.
#pragma once

#include <string>

#include "check/common/demand.hpp"
#include "check/criteria/exponential_value.hpp"

namespace quantiplan::checking {

inline std::string shown_bounds(const ValueBounds& value) {
  if (value.lower == value.upper) return level_text(value.lower);
  return "about " + shown(to_nearest_double(value.lower));
}
// Of bounds whose text would be cut, the double on their side.
inline std::string shown_bound(const Rational& bound, double on_its_side) {
  const std::string text = level_text(bound);
  return text.ends_with("...") ? shown(on_its_side) : text;
}

}  // namespace quantiplan::checking
