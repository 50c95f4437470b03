// The discounted sum of an episode that goes on, up to a billionth of the largest reward.
//
//     W = r_0 + gamma r_1 + ...     after T steps no more than  gamma^T R / (1 - gamma)  can follow
//
// T is the first time at which that is below 0.9e-9 R, R the largest reward in size. The sum itself
// is taken in integers, of rewards r / R and powers of gamma, each rounded down to a multiple of
// 2^-192, so that every platform finds the same; T^2 of these roundings, and that of the result to
// decimals, are far below the remaining 0.1e-9 R. (Exactly, 10^5 steps with gamma = 0.9999 would
// give a fraction of a million digits, of which slack leaves nine.)
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

class DiscountedSum {
 public:
  // Needs a discount below 1.
  DiscountedSum(const Model& model, const Policy& policy);

  // T: later rewards need not be added.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  // R / 10^9: the truth is no further away.
  [[nodiscard]] const Rational& slack() const { return slack_; }
  // Of the first rewards, in order.
  [[nodiscard]] Rational of(const std::vector<NumberId>& rewards);

 private:
  const NumberTable& numbers_;
  const Rational& discount_;
  Rational largest_;  // R
  Rational slack_;
  Rational grain_;  // results are multiples of it
  std::uint64_t steps_ = 0;
  std::unordered_map<NumberId, Integer> scaled_;  // r / R in units of 2^-192
};

}  // namespace quantiplan
