// Garnets: random models with a given branching factor, the paper's first test bed.
//
//     G(states, actions, branching): each choice has `branching` distinct next states, all sets of
//     them equally likely; its probabilities are the gaps between branching - 1 distinct cut
//     points, drawn uniformly from {1, .., grid-1} / grid: a uniform partition of [0,1] in exact
//     fractions.
//
//     Rewards are uniform among the multiples of 10^-reward_digits in [least_reward,
//     greatest_reward].
//
// Source: Archibald, McKinnon and Thomas [AMT]; [GWX] section 5 takes branching = ceil(log2
// states) and rewards that are reals in [0,1]. By default ours are integers, so that wealth is
// exact on an integer grid; greatest_reward = 1 and reward_digits = 15 make the paper's: as fine as
// a double can tell apart decimals, still exact, and written in 17 characters where a multiple of
// 2^-53 takes 55. Guarantees: the same parameters give the same model on every platform. Cost:
// linear in outcomes.
#pragma once

#include <cstdint>

#include "quantiplan/model.hpp"

namespace quantiplan {

struct GarnetParameters {
  enum class RewardOf { choice, outcome };

  std::uint32_t states = 100;  // named s0, s1, ..; the initial one is s0
  std::uint32_t actions = 5;   // per state, named a0, a1, ..
  std::uint32_t branching = 7;
  std::uint64_t horizon = 5;
  Rational discount = 1;
  // One reward for a choice, the same whatever its outcome, or one drawn for each outcome.
  RewardOf reward_of = RewardOf::choice;
  std::int64_t least_reward = 0;
  std::int64_t greatest_reward = 100;
  std::uint32_t reward_digits = 0;  // decimal places; rewards are at most 10^(15 - reward_digits)
  std::uint64_t grid = 1'000'000;   // probabilities are positive multiples of 1/grid
  std::uint64_t seed = 1;

  // Throws Error(bad_request) naming the parameter, its value and the bound.
  void validate() const;
};

Model garnet(const GarnetParameters& parameters);

}  // namespace quantiplan
