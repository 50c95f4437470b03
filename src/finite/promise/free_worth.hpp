// What a policy is worth besides its promise, and the best of it where nothing is promised any more.
//
//     mean      E          the expected total
//     goal      Pgoal, K, -steps   lexicographically: the chance of the goal, then the expected total
//                          of the episodes that arrive, K = E[W; goal], then the fewest steps
//     arriving  K, -steps  among the choices that keep the greatest chance of the goal
//
//     E = sum p ( r + E' )    Pgoal = sum p Pgoal'    K = sum p ( r Pgoal' + K' )    at a goal: 1, 0, 0
//
// Who misses the target still wants the goal. Needs exact stages, Pgoal and K no discount. In keys.
// Source: criteria, section 2. Cost: O(T * outcomes) rational operations.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "finite/expectation.hpp"
#include "finite/stages.hpp"
#include "problem/quantile_problem.hpp"

namespace quantiplan {

using Worth = std::array<Rational, 3>;  // of the mean: the first alone

class FreeWorth {
 public:
  enum class Kind { mean, goal, arriving };

  static std::shared_ptr<const FreeWorth> of_mean(const Expectation<Rational>& expectation);
  // Null if the limits ended it.
  static std::shared_ptr<const FreeWorth> of_goal(const Stages& stages,
                                                  const GoalTerms& goal,
                                                  const Limits& limits);
  // The same table for whoever keeps the greatest chance of the goal.
  [[nodiscard]] std::shared_ptr<const FreeWorth> arriving() const;

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  // Which of the worths is maximised first.
  [[nodiscard]] std::size_t objective() const noexcept { return kind_ == Kind::arriving ? 1 : 0; }
  [[nodiscard]] const Worth& at(std::uint64_t time, std::size_t slot) const {
    return value_[time][slot];
  }
  [[nodiscard]] const std::vector<std::vector<Choice>>& choices() const noexcept { return choice_; }
  // By the position of a choice in its state.
  [[nodiscard]] bool allows(std::uint64_t time, std::size_t slot, std::size_t position) const {
    return kind_ != Kind::arriving || keeps_goal_[time][slot][position];
  }
  // Adds what an outcome brings, given the worth of what follows.
  void add(const Stages& stages,
           std::uint64_t time,
           const Outcome& o,
           const Rational& p,
           const Worth& next,
           Worth& sum) const;
  // Of the worths, from the objective on.
  [[nodiscard]] std::weak_ordering order(const Worth& a, const Worth& b) const;

 private:
  Kind kind_ = Kind::mean;
  GoalTerms goal_;
  Integer bonus_key_;
  std::vector<std::vector<Worth>> value_;
  std::vector<std::vector<Choice>> choice_;
  // By time and slot: which choices keep the greatest chance of the goal, in the state's order.
  std::vector<std::vector<std::vector<bool>>> keeps_goal_;
};

}  // namespace quantiplan
