// What an outcome adds to what is aimed at besides the promise, in doubles and steps of its time.
//
//     mean        r
//     goal        nothing: Pgoal comes from the goals alone
//     arriving    (r - bonus of an arrival) Pgoal(s')
#pragma once

#include <cmath>

#include "finite/expectation.hpp"
#include "finite/promise/free_worth.hpp"
#include "finite/stages.hpp"

namespace quantiplan {

class OutcomeGain {
 public:
  // `goal`: null for the mean. Both must outlive it.
  OutcomeGain(const Stages& stages, const FreeWorth* goal) : stages_(stages), goal_(goal) {}

  [[nodiscard]] double operator()(std::uint64_t t, const Outcome& o) const {
    if (goal_ == nullptr) return Arithmetics<double>::reward(stages_, t, o);
    if (goal_->kind() == WorthKind::goal) return 0;
    return (Arithmetics<double>::reward(stages_, t, o) - bonus(t, o)) * chance_after(t, o);
  }
  // No less than its terms, which may cancel each other.
  [[nodiscard]] double size(std::uint64_t t, const Outcome& o) const {
    const double reward = std::abs(Arithmetics<double>::reward(stages_, t, o));
    if (goal_ == nullptr) return reward;
    return goal_->kind() == WorthKind::goal ? 0 : reward + bonus(t, o);
  }

 private:
  [[nodiscard]] double bonus(std::uint64_t t, const Outcome& o) const {
    if (!goal_->arrives(o)) return 0;
    return std::ldexp(goal_->bonus_in_keys(), static_cast<int>(stages_.scale().shift_until(t)));
  }
  [[nodiscard]] double chance_after(std::uint64_t t, const Outcome& o) const {
    return goal_->chance_at(t + 1, stages_.layer(t + 1).slot(o.next));
  }

  const Stages& stages_;
  const FreeWorth* goal_;
};

}  // namespace quantiplan
