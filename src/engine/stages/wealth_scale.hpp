// Integer wealth: every discounted reward as a whole number of one unit.
//
//     gamma^t r = key_t(r) * unit,   key_t(r) = (r / g) * num(gamma)^t * den(gamma)^(last - t)
//     unit = g / den(gamma)^last,    g = gcd of the rewards met,   last = last time a reward is met
//
// Residuals are kept in time-0 units (target minus wealth so far), so that discounting becomes
// rewards that shrink with time and no division is ever made. Guarantees: every sum of an episode's
// keys and every residual fits 62 bits; otherwise fits() is false and nothing else may be asked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quantiplan/model.hpp"
#include "wealth_key.hpp"

namespace quantiplan {

class WealthScale {
 public:
  // `met` are the distinct rewards met; last_reward_time the last time one that is not 0 is met.
  WealthScale(const Model& model,
              const std::vector<NumberId>& met,
              const Rational& discount,
              std::uint64_t last_reward_time);

  [[nodiscard]] bool fits() const noexcept { return fits_; }
  [[nodiscard]] const Rational& unit() const noexcept { return unit_; }
  [[nodiscard]] std::int64_t key(std::uint64_t time, NumberId reward) const noexcept {
    return base_[index(reward)] *
           (time < multiplier_.size() ? multiplier_[time] : multiplier_.back());
  }
  [[nodiscard]] Rational wealth(WealthKey key) const;
  // The least key whose wealth is at least `wealth`, clamped to what 64 bits hold.
  [[nodiscard]] WealthKey ceiling(const Rational& wealth) const;

 private:
  bool fits_ = false;
  Rational unit_ = 1;
  std::vector<std::int64_t> base_;        // by NumberId; 0 where it is no reward that is met
  std::vector<std::int64_t> multiplier_;  // by time; a single 1 without discounting
};

}  // namespace quantiplan
