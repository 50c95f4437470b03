// Which grid keeps a bracket no wider than epsilon at the least cost.
//
//     minimise  sum_t w_t / H_t   subject to   2 H_0 + sum_t H_t <= epsilon   =>   H_t ~ sqrt(w_t)
//     w_t = sum over states of (outcomes * width of the window), in units of reward
//
// H_t is then rounded down to g 2^k, g the greatest common divisor of the rewards, and made not to
// grow over time, so that grids nest when they are refined, residuals pass from one to the next by
// a shift, and without discounting k = 0 is exact. Under discounting w_t shrinks like gamma^t, so
// steps shrink like gamma^(t/2) in time-0 units and grow like gamma^(-t/2) in units of their time:
// a third of the points that equal steps of either kind would take at gamma = 0.9, horizon 100.
#pragma once

#include <cstdint>
#include <vector>

#include "finite/grid.hpp"
#include "finite/stages.hpp"
#include "finite/windows.hpp"

namespace quantiplan {

class GridChoice {
 public:
  // `stages` are laid out, with or without keys.
  // Whatever the limits cut short means nothing; null: none.
  explicit GridChoice(const Stages& stages, const Limits* limits = nullptr);

  // Equal steps so fine that what they round away is negligible beside any epsilon worth asking
  // for: some 2^45 of them in the greatest total.
  [[nodiscard]] Grid finest() const;
  // Weighs the times by windows that were computed on a grid of equal steps.
  void weigh(const Stages& stages, const Windows& windows);

  // A grid whose steps, and twice the first once more, add up to at most epsilon,
  // but not finer than 62-bit keys allow.
  [[nodiscard]] Grid within(const Rational& epsilon) const;
  // Equal steps that add up to at most epsilon: for going forward, where nothing narrows over time.
  [[nodiscard]] Grid equal_within(const Rational& epsilon) const;
  // Equal steps that divide into the finest ones, the finest of them whose pass costs no more than
  // this many multiply-adds.
  [[nodiscard]] Grid equal_for(double cost) const;
  // Outcomes of all choices met at all times.
  [[nodiscard]] double outcomes() const noexcept { return outcomes_; }
  // Multiply-adds of one pass on it, by the weights.
  [[nodiscard]] double cost_of(const Grid& grid) const;

 private:
  [[nodiscard]] int finest_equal() const;
  // The finest exponent of use at any time.
  [[nodiscard]] int least() const {
    return exact_at_anchor_ && finest_exponent_ < 0 ? 0 : finest_exponent_;
  }
  [[nodiscard]] std::vector<int> exponents(double log_scale) const;
  [[nodiscard]] Rational total(const std::vector<int>& exponents) const;
  [[nodiscard]] Grid grid_of(const std::vector<int>& exponents) const;

  [[nodiscard]] bool ended() const { return limits_ != nullptr && limits_->ended(); }

  const Limits* limits_;
  std::uint64_t horizon_;
  std::uint64_t last_reward_time_;
  bool exact_at_anchor_ = false;  // H = g is exact: no finer step is of use
  Rational anchor_ = 1;           // g
  int finest_exponent_ = 0;
  double outcomes_ = 0;
  std::vector<double> weight_;    // by time
  std::vector<double> log_step_;  // by time: log2 of sqrt(weight), not growing over time
};

}  // namespace quantiplan
