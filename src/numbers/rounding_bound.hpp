// How far a probability computed in doubles can be from the truth, and what that settles.
//
//     truth in [ d (1 - gamma_n) - alpha,  d (1 + gamma_n) + alpha ]
//     gamma_n = n u / (1 - n u),  u = 2^-53
//     backward pass over T steps, at most b outcomes a choice:   n = T (b + 2)
//     alpha = 2 T b 2^-1074                                      covers products that underflow
//
// A backup rounds each probability once, each product once and each sum of b terms b - 1 times, all
// of non-negative numbers; a maximum rounds nothing. The same bound holds for the true value of the
// policy that takes the maximising choices: its evaluation in doubles is the very same computation.
// Comparisons are made in rationals, so no further error enters.
#pragma once

#include <cstdint>

#include "quantiplan/number.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

struct RoundingBound {
  Rational relative;
  Rational absolute;

  // Bound after `roundings` rounded operations on a value, of which `underflows` may underflow.
  static RoundingBound after(const Integer& roundings, const Integer& underflows);
  static RoundingBound of_backward_pass(std::uint64_t horizon, std::uint64_t most_outcomes);

  // True if the truth is certainly a quantile's probability: >= theta (upper), > theta (lower).
  [[nodiscard]] bool certainly_reaches(double computed, const Rational& theta, Side side) const;
  // True if the truth certainly is not.
  [[nodiscard]] bool certainly_misses(double computed, const Rational& theta, Side side) const;

  // What the truth, a probability, certainly is at least, and at most.
  [[nodiscard]] Rational least(double computed) const;
  [[nodiscard]] Rational most(double computed) const;

 private:
  [[nodiscard]] Rational error_of(double computed) const;
  bool is_small_ = true;  // absolute <= 2^-1000
};

// The same questions for exact values.
bool reaches(const Rational& probability, const Rational& theta, Side side);

}  // namespace quantiplan
