// Integer wealth: every discounted reward as a whole number of one unit.
//
//     gamma^t r = key_t(r) * unit,   key_t(r) = (r / g) * num(gamma)^t * den(gamma)^(last - t)
//     unit = g / den(gamma)^last,    g = gcd of the rewards met,   last = last time a reward is met
//
// Residuals are kept in time-0 units (target minus wealth so far), so that discounting becomes
// rewards that shrink with time and no division is ever made. Where these integers are too long, or
// too many, wealth is rounded to a Grid instead, down or up (grid.hpp). Guarantees: every sum of an
// episode's keys and every residual fits 62 bits; otherwise fits() is false and nothing else may be
// asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.hpp"
#include "finite/grid.hpp"
#include "numbers/wealth_key.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

// The rewards that occur in a problem, and until when.
struct RewardsMet {
  std::vector<NumberId> distinct;      // those that are not 0
  std::uint64_t last_reward_time = 0;  // the last time one of them is met
};

class WealthScale {
 public:
  // Exact.
  WealthScale(const Model& model, const RewardsMet& met, const Rational& discount);
  // Rounded; the grid has an entry for every time up to the horizon. Does not fit, either, if the
  // limits ended it; null: none.
  WealthScale(const Model& model,
              const RewardsMet& met,
              const Rational& discount,
              const Grid& grid,
              Rounding rounding,
              const Limits* limits = nullptr);

  [[nodiscard]] bool fits() const noexcept { return fits_; }
  // The grid it was rounded to; absent: exact.
  [[nodiscard]] const std::optional<Grid>& grid() const noexcept { return grid_; }
  [[nodiscard]] Rounding rounding() const noexcept { return rounding_; }
  // Wealth of key 1 at time 0.
  [[nodiscard]] const Rational& unit() const noexcept { return unit_; }
  [[nodiscard]] std::int64_t key(std::uint64_t time, NumberId reward) const noexcept {
    if (grid_) return table_[row_of_time_[time] * row_size_ + position_[index(reward)]];
    return base_[index(reward)] *
           (time < multiplier_.size() ? multiplier_[time] : multiplier_.back());
  }
  // The reward itself in steps of its time, rounded to a double only; equals key() if exact.
  [[nodiscard]] double in_steps(std::uint64_t time, NumberId reward) const noexcept {
    if (grid_) return real_[position_[index(reward)]] * factor_[time];
    return static_cast<double>(key(time, reward));
  }
  // By how many bits residuals grow from `time` to the next: e_{t+1} - e_t.
  [[nodiscard]] unsigned shift_after(std::uint64_t time) const noexcept {
    return grid_ ? grid_->halvings[time + 1] - grid_->halvings[time] : 0;
  }
  // The bits by which time-0 keys are shorter than those of `time`: e_t.
  [[nodiscard]] unsigned shift_until(std::uint64_t time) const noexcept {
    return grid_ ? grid_->halvings[time] : 0;
  }
  // Sum over time of what rounding a reward down, instead of not at all, can lose; 0 if exact.
  [[nodiscard]] const Rational& slack() const noexcept { return slack_; }

  [[nodiscard]] Rational wealth(WealthKey key, std::uint64_t time = 0) const;
  // Totals lie on the steps of the last time, targets on those of time 0: a total is less than this
  // above the greatest target that it reaches. A whole step of time 0, also where all are equal, so
  // that upper ends nest whatever the grids; 0 if nothing was rounded.
  [[nodiscard]] Rational beyond_target() const;
  // The least key of time 0 whose wealth is at least `wealth`, clamped to what 64 bits hold.
  [[nodiscard]] WealthKey ceiling(const Rational& wealth) const;
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return 8 * (table_.size() + real_.size() + factor_.size()) + 4 * position_.size();
  }

 private:
  void fill_row(const Model& model,
                const RewardsMet& met,
                const Rational& discount,
                std::uint64_t time,
                const std::pair<Rational, Rational>& power_in_steps,
                std::int64_t* row);

  bool fits_ = false;
  Rational unit_ = 1;
  Rational slack_ = 0;
  // Exact: key = base * multiplier.
  std::vector<std::int64_t> base_;        // by NumberId; 0 where it is no reward that is met
  std::vector<std::int64_t> multiplier_;  // by time; a single 1 without discounting
  // Rounded: key = table[row of the time][position of the reward]; position 0 is the reward 0.
  std::optional<Grid> grid_;
  Rounding rounding_ = Rounding::down;
  std::vector<std::uint32_t> position_;  // by NumberId
  std::vector<std::size_t> row_of_time_;
  std::size_t row_size_ = 1;
  std::vector<std::int64_t> table_;
  std::vector<bool> inexact_at_;  // by row: some reward is no multiple of the step
  std::vector<double> real_;      // by position: r / H_0
  std::vector<double> factor_;    // by time: gamma^t 2^e_t
};

}  // namespace quantiplan
