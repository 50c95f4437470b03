// The paper's functional value iteration for the infinite horizon, with the paper's stopping rule.
//
//     V_0(s, y) = [an episode that ended here would have W >= y]
//     V_{t+1}(s, y) = max_a  sum over (s', p, r) of  p * V_t(s', y - r)
//     until  max over s and y of |V_{t+1} - V_t| <= eps'
//
// Source: [GWX], section 5, after [LK]. UNSOUND, and here for comparison only: a small change says
// nothing about the distance from the limit. With a goal worth 1000 that is reached with
// probability 1e-4 a step it stops at once, and its quantile is 0 instead of 1000 (semantics,
// section 4). Nor does it end where a total without bound keeps a positive probability: the step at
// t rewards in a row then changes as much in every iteration.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "infinite/levels/event.hpp"
#include "infinite/levels/moves.hpp"
#include "infinite/levels/weights.hpp"

namespace quantiplan {

struct FunctionalIteration {
  // V at s0: value[i] for y <= upto[i], above upto[i-1]; 0 above the last. Whole units, ascending.
  std::vector<std::int64_t> upto;
  std::vector<double> value;
  std::uint64_t iterations = 0;
};

// Nullopt if the limits ended it. Throws Error(refused) if the functions outgrow the memory limit.
std::optional<FunctionalIteration> iterate_functions(
    const Moves& moves, const Weights& weights, const Event& event, double change, Limits& limits);

}  // namespace quantiplan
