// The two kinds of number in which mass is followed, double and Rational, made from one another.
#pragma once

#include <optional>
#include <type_traits>

#include "quantiplan/number.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan {

template <class N>
N as(const Rational& value) {
  if constexpr (std::is_same_v<N, double>) {
    return to_nearest_double(value);
  } else {
    return value;
  }
}

// Near enough for sizes and shares; value() has the nearest double.
inline double nearest(double p) { return p; }
inline double nearest(const Rational& p) { return p.get_d(); }

inline Value value(double p) { return {p, std::nullopt}; }
inline Value value(const Rational& p) { return {to_nearest_double(p), p}; }

}  // namespace quantiplan
