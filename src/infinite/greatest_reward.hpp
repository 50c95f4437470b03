// The greatest expected reward on the way to a goal that no policy can miss:
//
//     V(s) = max_a  sum over outcomes of  p * ( r + V(s') ),    V = 0 at the goal
//
// Where nothing but the goal can be stayed in, every policy arrives almost surely, sums are finite, and
// V is the only solution. Policy iteration: doubles find a policy, rationals its worth and whatever is
// better, until nothing is. Source: [BT], stochastic shortest paths.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "infinite/levels/moves.hpp"

namespace quantiplan {

// Whether some policy may fail to reach the goal: there is another end, or a component to stay in.
bool can_miss_goal(const Moves& moves);

struct GreatestReward {
  Rational value;                     // at s0
  std::vector<std::uint32_t> choice;  // by slot: of the graph; meaningless at ends
};
// Of moves whose goal no policy can miss. Nullopt if the limits ended it.
std::optional<GreatestReward> greatest_reward(const Moves& moves, const Limits& limits);

}  // namespace quantiplan
