// When a budget for costs is lost, and what to do then: who misses the target still wants the goal.
//
//     least(s)    the least cost at which a goal can be reached from s, by any choices and any luck
//     lost        budget left < least(s):   P(goal, C <= budget) = 0 whatever is done, from there on
//     choice      of the policy that is followed from then on
//
// Losses with a goal. Costs in whole units (weights.hpp). Cost: O(arcs log slots).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "infinite/levels/moves.hpp"
#include "infinite/levels/weights.hpp"

namespace quantiplan {

struct LostBudget {
  std::vector<std::uint64_t> least;   // by slot; kNever: no goal can be reached
  std::vector<std::uint32_t> choice;  // by slot: of the graph

  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
};

// By slot.
std::vector<std::uint64_t> least_costs(const Moves& moves, const Weights& weights);

}  // namespace quantiplan
