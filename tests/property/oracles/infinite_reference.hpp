// The truth at the infinite horizon without discount, exactly, infinite answers included.
//
// G(y) of a number y comes from the unfolding. Where y goes to the end that wealth may go to
// without bound (+ where it never falls, - where it never rises), G(y) goes to a limit L, taken
// from all memoryless policies of the model by the classes where their chains stay in the end:
//
//                  greatest                                        least
//   never falls    max P(W = inf)   goal: E[Pmax(goal) at the      min P(W = inf)    goal: 0
//                                   first infinite gain]
//   never rises    max P(W > -inf)  goal: Pmax(goal)               min P(W > -inf)   goal:
//   Pmin(goal)
//
// Whether G is L from some y on ("meets" L), or beyond it for ever:
//   greatest, never rises and least, never falls: someone is to keep a sum of losses bounded and
//     give nothing away. The least bounds c(s) for which that is possible satisfy c(s) = r + c(s')
//     for some outcome, so they take at most |S| values with gaps of at most max|r|: it is enough
//     to look at y = |S| max|r|.
//   greatest, never falls and least, never rises: someone is to collect y, and has L(s) from
//   infinite
//     gains alone and at most V(s) once y is collected. For large y giving away any of L costs more
//     than it can bring, so G > L for all y if and only if choices that preserve L lead from s0 to
//     a cycle with a gain through states with L < V.
// (No goal: V = 1. The proofs are in the comments of infinite_reference.cpp.)
//
// A quantile that is a number is found by looking at G on both sides of it.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "harness/truth.hpp"
#include "oracles/plain_model.hpp"
#include "oracles/unfolding.hpp"

namespace quantiplan::testing {

// Greatest and least chances of all policies, for each state.
struct LongRun {
  std::vector<Rational> most_infinite, least_infinite;  // |W| = inf
  std::vector<Rational> most_goal, least_goal;          // the goal is reached
  std::vector<bool> may_gain;  // some policy stays among such states for ever, gaining or losing
};
// By counting memoryless policies; throws std::logic_error if there are too many.
LongRun long_run_of(const PlainModel& model);

class InfiniteReference : public Truth {
 public:
  // Needs one sign, or no cycle.
  InfiniteReference(const PlainModel& model, Aim aim);
  Rational at_least(const Total& wealth) override;
  // Those within some twenty levels of 0.
  std::vector<CurveStep> steps() override;
  Optimum optimum(const Rational& tau, Side side) override;

  // L, for the end that wealth may go to.
  [[nodiscard]] const Rational& limit() const { return limit_; }
  // True if G(y) = L for some number y.
  [[nodiscard]] bool meets_limit() const { return meets_limit_; }
  // All counted rewards are multiples of it.
  [[nodiscard]] const Rational& unit() const { return unit_; }

 private:
  Optimum optimum_of_rising(const Rational& theta, Side side);
  Optimum optimum_of_falling(const Rational& theta, Side side);
  [[nodiscard]] bool meets_by_cycles(const std::vector<Rational>& limits,
                                     const std::vector<Rational>& caps) const;
  void find_limit();

  PlainModel model_;
  Aim aim_;
  Shape shape_;
  std::optional<LongRun> long_run_;
  Rational limit_;
  bool meets_limit_ = true;
  Rational unit_ = 1;
  Rational greatest_reward_;
  std::map<Rational, Rational> known_;
};

}  // namespace quantiplan::testing
