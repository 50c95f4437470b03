// A probability or a mean, and what is known of it.
//
//     exact        `exact` is the number, `nearest` the double nearest to it
//     rounded      `nearest` was computed in doubles, and nothing is certified about it
//     lower bound  the truth is at least `nearest`, and at most `most` where that is known
//     upper bound  the truth is at most `nearest`
//
// A bound is rounded in its direction before it becomes a Value, so what is printed of it is true
// to the last digit. Whatever turns a value into another (complement) turns its label, too.
#pragma once

#include <optional>

#include "quantiplan/number.hpp"

namespace quantiplan {

struct Value {
  enum class Is { rounded, lower_bound, upper_bound };  // without `exact`

  double nearest = 0;
  std::optional<Rational> exact = std::nullopt;
  Is is = Is::rounded;
  std::optional<double> most = std::nullopt;  // of a lower bound

  static Value exactly(const Rational& value);
  // Doubles next to a probability's bounds, on the safe side, and so are their shortest texts. A
  // lower bound of 1 and an upper bound of 0 leave nothing open: these values are exact.
  static Value at_least(const Rational& bound);
  static Value at_most(const Rational& bound);
  static Value between(const Rational& lower, const Rational& upper);
  // Bounds of any number, such as a mean.
  static Value no_more_than(const Rational& bound);
  static Value no_less_than(const Rational& bound);

  // What the truth certainly is at least, or at most, as far as the value says.
  [[nodiscard]] Rational least() const;
  [[nodiscard]] Rational greatest() const;
};

// How far the truth may lie from `nearest`, as a part of it; 0 if exact, 1 where nothing is known.
double relative_error(const Value& value);

// 1 - p of a probability p: a lower bound of one is an upper bound of the other.
Value complement(const Value& probability);

}  // namespace quantiplan
