// The best of what a policy is worth besides its promise (promise/worth.hpp), where nothing is
// promised any more, by time and slot.
//
// Needs stages without a discount for Pgoal and K, exact ones for the mean. In keys, where steps shrink
// over time those of the last; where keys are rounded K is that of the rounded rewards.
// Source: criteria, section 2. Cost: O(T * outcomes) rational operations.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "finite/expectation.hpp"
#include "finite/stages.hpp"
#include "problem/quantile_problem.hpp"
#include "promise/worth.hpp"

namespace quantiplan {

class FreeWorth {
 public:
  // The filter is that of the expectation, and what it stands on must outlive it.
  static std::shared_ptr<const FreeWorth> of_mean(const Expectation<Rational>& expectation,
                                                  const ChoiceFilter& filter = {});
  // Null if the limits ended it.
  static std::shared_ptr<const FreeWorth> of_goal(const Stages& stages,
                                                  const GoalTerms& goal,
                                                  const Limits& limits);
  // The same table for whoever keeps the greatest chance of the goal.
  [[nodiscard]] std::shared_ptr<const FreeWorth> arriving() const;

  [[nodiscard]] WorthKind kind() const noexcept { return kind_; }
  [[nodiscard]] const Worth& at(std::uint64_t time, std::size_t slot) const {
    return value_[time][slot];
  }
  [[nodiscard]] const std::vector<std::vector<Choice>>& choices() const noexcept { return choice_; }
  // With a goal.
  [[nodiscard]] double chance_at(std::uint64_t time, std::size_t slot) const {
    return chance_[time][slot];
  }
  [[nodiscard]] bool arrives(const Outcome& o) const { return goal_.is_goal[index(o.next)]; }
  [[nodiscard]] double bonus_in_keys() const { return bonus_key_.get_d(); }  // of time 0
  // `position`: of the choice in its state.
  [[nodiscard]] bool allows(std::uint64_t time,
                            std::size_t slot,
                            Choice c,
                            std::size_t position) const {
    if (kind_ == WorthKind::arriving) return keeps_goal_[time][slot][position];
    return filter_.allows(time, slot, c);
  }
  // Adds what an outcome brings, given the worth of what follows.
  void add(const Stages& stages,
           std::uint64_t time,
           const Outcome& o,
           const Rational& p,
           const Worth& next,
           Worth& sum) const;

 private:
  // Probabilities by NumberId, over their denominator.
  template <class N>
  struct GoalNumbers {
    std::vector<N> probability;
    N denominator = 1;
  };
  // r as a key of the last time, without the bonus.
  [[nodiscard]] Integer plain_key(const Stages& stages, std::uint64_t time, const Outcome& o) const;
  template <class N>
  bool fill_goal(const Stages& stages, const GoalNumbers<N>& in, const Limits& limits);

  WorthKind kind_ = WorthKind::mean;
  ChoiceFilter filter_;
  GoalTerms goal_;
  Integer bonus_key_;                        // of time 0
  std::vector<std::vector<double>> chance_;  // Pgoal, to nearest
  std::vector<std::vector<Worth>> value_;
  std::vector<std::vector<Choice>> choice_;
  // By time and slot: which choices keep the greatest chance of the goal, in the state's order.
  std::vector<std::vector<std::vector<bool>>> keeps_goal_;
};

}  // namespace quantiplan
