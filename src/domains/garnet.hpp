// Garnets: random models with a given branching factor, the paper's first test bed.
//
//     G(states, actions, branching): each choice has `branching` distinct next states, all sets of
//     them equally likely; its probabilities are the gaps between branching - 1 distinct cut
//     points, drawn uniformly from {1, .., grid-1} / grid: a uniform partition of [0,1] in exact
//     fractions.
//
//     integer rewards   uniform among the multiples of 10^-reward_digits in [least_reward,
//                       greatest_reward]
//     uniform rewards   uniform among the multiples of 10^-15 in [0, 1]: the paper's
//     skewed rewards    a choice is safe or risky, with chance 1/2 each: safe, it pays one of
//                       {0, .., 200} / 1000 whatever comes; risky, it pays 1 if one of its outcomes
//                       comes, each alike, and nothing else
//
// Source: Archibald, McKinnon and Thomas [AMT]; [GWX] section 5 takes branching = ceil(log2
// states) and rewards that are reals in [0,1], and in its last experiment rewards "slightly
// modified to make the distribution skewed", without saying how. By default ours are integers, so
// that wealth is exact on an integer grid; uniform ones are as fine as a double can tell apart
// decimals, still exact, and written in 17 characters where a multiple of 2^-53 takes 55.
// Guarantees: the same parameters give the same model on every platform. Cost: linear in outcomes.
#pragma once

#include <cstdint>

#include "quantiplan/model.hpp"

namespace quantiplan {

struct GarnetParameters {
  enum class RewardOf { choice, outcome };
  enum class Rewards { integer, uniform, skewed };

  std::uint32_t states = 100;  // named s0, s1, ..; the initial one is s0
  std::uint32_t actions = 5;   // per state, named a0, a1, ..
  std::uint32_t branching = 7;
  std::uint64_t horizon = 5;
  Rational discount = 1;
  // One reward for a choice, the same whatever its outcome, or one drawn for each outcome.
  RewardOf reward_of = RewardOf::choice;
  Rewards rewards = Rewards::integer;
  std::int64_t least_reward = 0;  // the next three: of integer rewards
  std::int64_t greatest_reward = 100;
  std::uint32_t reward_digits = 0;  // decimal places; rewards are at most 10^(15 - reward_digits)
  std::uint64_t grid = 1'000'000;   // probabilities are positive multiples of 1/grid
  std::uint64_t seed = 1;

  // Throws Error(bad_request) naming the parameter, its value and the bound.
  void validate() const;
};

Model garnet(const GarnetParameters& parameters, WorkWatch* watch = nullptr);

}  // namespace quantiplan
