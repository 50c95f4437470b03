// What can be expected at most from each (time, state) on, and what a choice falls short of it.
//
//     F_T(s) = what follows a cut, at most; 0 at an end            (ends.hpp; units of time 0)
//     F_t(s) = max_a  sum over outcomes (s', p, r) of  p ( gamma^t r + F_{t+1}(s') )
//     price_t(a) = F_t(s) - sum p ( gamma^t r + F_{t+1}(s') )  >=  0
//
// So E W = F_0(s0) less the expected sum of the prices that are paid, whatever the policy. Exactly, or
// with rewards and sums rounded up to some 100 binary digits: prices are those of the rounded F,
// which is still at least what can be expected, by at most `slack` more.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/common/ends.hpp"
#include "check/common/wealth_ledger.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::checking {

class Potential {
 public:
  // Nullopt if there are too many times and choices.
  static std::optional<Potential> make(const Model& model,
                                       const Ends& ends,
                                       bool exactly,
                                       CheckLimits& limits);

  [[nodiscard]] const Rational& first() const { return first_; }  // F_0(s0)
  [[nodiscard]] const Rational& slack() const { return slack_; }
  [[nodiscard]] const Rational& price(std::uint64_t time, Choice c) const {
    return prices_[time * choices_ + index(c)];
  }

 private:
  explicit Potential(CheckLimits& limits) : share_(limits) {}
  // From F_{t+1} to F_t; `power` is gamma^t.
  void step_back(const Model& model,
                 const Ends& ends,
                 std::uint64_t time,
                 const Rational& power,
                 CheckLimits& limits);
  [[nodiscard]] Rational rounded(Rational value) const;

  MemoryShare share_;
  std::optional<long> digits_;  // after the point; absent: exactly
  std::size_t choices_ = 0;
  std::vector<Rational> prices_;  // by time and choice
  std::vector<Rational> values_;  // F, by state, of the last time that was computed
  Rational first_ = 0;
  Rational slack_ = 0;
};

}  // namespace quantiplan::checking
