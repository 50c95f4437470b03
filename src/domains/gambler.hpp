// Gambler's ruin: bet until the goal is reached or nothing is left.
//
//     state   c = 0 .. goal, the capital; 0 and goal are terminal
//     bet b   b = least_bet .. min(c, goal - c, greatest_bet)
//             next c + b  with probability win, else c - b
//     reward  of capital: +b or -b, so that the total is the capital won or lost
//             of goal: 1 if c + b = goal, else 0, so that the mean is the probability of the goal
//
// Source: Feller [Feller] chapter XIV for bets of 1, where the goal N is reached from c, sooner or
// later, with probability (1 - (q/p)^c) / (1 - (q/p)^N), p = win, q = 1 - p; Sutton and Barto [SB]
// example 4.3 for bets of any size.
//
// With rewards of capital one solution tells everything: the best probability of the goal within
// the horizon is the best probability of a total of at least goal - initial_capital. If a step may
// be sat out, the best mean of an unfair game is had without a bet, and so are the low quantiles;
// the high ones ask for bold bets.
#pragma once

#include <cstdint>
#include <optional>

#include "quantiplan/model.hpp"

namespace quantiplan {

struct GamblerParameters {
  enum class RewardOf { capital, goal };

  std::uint32_t goal = 10;
  std::optional<std::uint32_t> initial_capital;  // by default a third of the goal, rounded up
  std::uint64_t horizon = 20;
  Rational discount = 1;
  Rational win{2, 5};
  std::uint32_t least_bet = 0;                // a step may be sat out; 1: every step has a bet
  std::optional<std::uint32_t> greatest_bet;  // by default all that makes sense
  RewardOf reward_of = RewardOf::capital;

  // Throws Error(bad_request) naming the parameter, its value and the bound.
  void validate() const;
};

// States are named "capital=5", actions "bet 2".
Model gambler(const GamblerParameters& parameters, WorkWatch* watch = nullptr);

}  // namespace quantiplan
