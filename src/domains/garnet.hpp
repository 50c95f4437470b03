// Garnets: random models with a given branching factor, the paper's first test bed.
//
//     G(states, actions, branching): each choice has `branching` distinct next states, all sets of
//     them equally likely; its probabilities are the gaps between branching - 1 distinct cut
//     points, drawn uniformly from {1, .., grid-1} / grid: a uniform partition of [0,1] in exact
//     fractions.
//
// Source: Archibald, McKinnon and Thomas [AMT]; [GWX] section 5 takes branching = ceil(log2
// states). Their rewards are reals in [0,1]; ours are integers in [least_reward, greatest_reward],
// so that wealth is exact on an integer grid. Guarantees: the same parameters give the same model
// on every platform. Cost: linear in outcomes.
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
  // One reward for a choice, the same whatever its outcome, or one drawn for each outcome.
  RewardOf reward_of = RewardOf::choice;
  std::int64_t least_reward = 0;
  std::int64_t greatest_reward = 100;
  std::uint64_t grid = 1'000'000;  // probabilities are positive multiples of 1/grid
  std::uint64_t seed = 1;

  // Throws Error(bad_request) naming the parameter, its value and the bound.
  void validate() const;
};

Model garnet(const GarnetParameters& parameters);

}  // namespace quantiplan
