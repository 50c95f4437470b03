// What the best arrivals are worth, slot by slot, in rationals: the policy that is followed once
// nothing is promised any more (worth.hpp, the goal).
//
//     Pgoal, K = sum p ( r Pgoal' + K' ), -steps     of BestArrivals' own choices, K in units of the
//                                                    weights
//
// A linear system for each cycle of slots of these choices. Where no goal can be reached: 0, 0, 0.
#pragma once

#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "infinite/levels/arrivals.hpp"
#include "infinite/levels/weights.hpp"
#include "promise/worth.hpp"

namespace quantiplan {

// Losses with a goal, from everywhere. Nullopt if a cycle is too long, or the limits ended it.
std::optional<std::vector<Worth>> arrival_worths(const Moves& moves,
                                                 const Weights& weights,
                                                 const BestArrivals& best,
                                                 const Limits& limits);

}  // namespace quantiplan
