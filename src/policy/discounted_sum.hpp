// The discounted sum of an episode that goes on, up to a share of the largest reward.
//
//     W = r_0 + gamma r_1 + ...     after T steps no more than  gamma^T R / (1 - gamma)  can follow
//
// To a billionth: T is the first time at which that is below 0.9e-9 R, R the largest reward in size. The sum
// itself is taken in integers, of rewards r / R and powers of gamma, each rounded down to a multiple of
// 2^-192, so that every platform finds the same; T^2 of these roundings, and that of the result to
// decimals, are far below the remaining 0.1e-9 R. (Exactly, 10^5 steps with gamma = 0.9999 would
// give a fraction of a million digits, of which slack leaves nine.) To a five-thousandth likewise: many
// episodes then end in the same total.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

class DiscountedSum {
 public:
  struct Precision {
    long slack;      // the truth is no further away than R / slack
    double tail;     // share of R that may follow
    long in_grains;  // R is at least as many grains, of which results are multiples
  };
  static constexpr Precision kFine{1'000'000'000, 0.9e-9, 100'000'000'000};
  static constexpr Precision kCoarse{5'000, 0.9e-4, 10'000};

  // Needs a discount below 1.
  DiscountedSum(const Model& model, const Policy& policy, const Precision& precision = kFine);

  // T: later rewards need not be added.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  // The truth is no further away.
  [[nodiscard]] const Rational& slack() const { return slack_; }
  // Of the first rewards, in order.
  [[nodiscard]] Rational of(const std::vector<NumberId>& rewards);

 private:
  [[nodiscard]] const Integer& scaled(NumberId reward);
  void discount(Integer& power) const;

  const NumberTable& numbers_;
  const Rational& discount_;
  Rational largest_;  // R
  Rational slack_;
  Rational grain_;      // results are multiples of it
  Rational in_grains_;  // R / 2^384
  std::uint64_t steps_ = 0;
  std::vector<std::optional<Integer>> scaled_;  // by reward: r / R in units of 2^-192
  std::vector<Integer> powers_;                 // of gamma, in the same
};

}  // namespace quantiplan
