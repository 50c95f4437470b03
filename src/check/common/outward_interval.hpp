// Probabilities as intervals of doubles that surely hold the true value.
//
//     [a,b] + [c,d] = [down(a+c), up(b+d)]       [a,b] * [c,d] = [down(a*c), up(b*d)]
//
// down and up move one double outwards after a rounding to nearest, which is always enough: the
// true result lies within half a step of the rounded one (a full step where it underflows). Exact
// zeros and ones stay exact, so certain moves cost no width. Needs: non-negative ends.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "quantiplan/number.hpp"

namespace quantiplan::checking {

struct Interval {
  double low = 0;
  double high = 0;

  static Interval zero() { return {0, 0}; }
  static Interval one() { return {1, 1}; }
  [[nodiscard]] bool is_zero() const { return high == 0; }
  [[nodiscard]] bool is_one() const { return low == 1 && high == 1; }
};

inline double down(double x) { return x <= 0 ? 0 : std::nextafter(x, 0.0); }
inline double up(double x) { return std::nextafter(x, std::numeric_limits<double>::infinity()); }

inline Interval operator+(const Interval& a, const Interval& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  return {down(a.low + b.low), up(a.high + b.high)};
}

inline Interval operator*(const Interval& a, const Interval& b) {
  if (a.is_zero() || b.is_zero()) return Interval::zero();
  if (a.is_one()) return b;
  if (b.is_one()) return a;
  return {down(a.low * b.low), up(a.high * b.high)};
}

inline Interval& operator+=(Interval& a, const Interval& b) { return a = a + b; }

inline Interval larger(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high)};
}
inline Rational larger(const Rational& a, const Rational& b) { return a < b ? b : a; }

// As for numbers (check_limits.hpp).
inline std::uint64_t bytes_beside(const Interval&) { return 0; }
inline std::uint64_t nanoseconds_of(const Interval&) { return 10; }

// The tightest interval around a probability; it is compared exactly, so nothing is assumed about
// how GMP rounds.
inline Interval enclose(const Rational& p) {
  Interval result{p.get_d(), p.get_d()};
  while (Rational(result.low) > p) result.low = down(result.low);
  while (Rational(result.high) < p) result.high = up(result.high);
  return result;
}

}  // namespace quantiplan::checking
