// Bounds of the values of a reach graph, proved whatever the rough values were.
//
//     v >= max over choices of sum p v,  v >= the worth       then v >= the value, at every node:
//     values are the least solution, and v is no less after any number of moves
//
// v is a whole number of 2^-50 and sums are rounded up in integers, so that the proof is exact. It
// begins a little above the rough values, by expected moves more, and is raised where it fails.
// What one selection does not gain it gains of 1 - worth: that bounds it from below.
#pragma once

#include <optional>
#include <vector>

#include "chain_values.hpp"
#include "demand.hpp"

namespace quantiplan::checking {

// Of the best selection, at every node: nullopt if time is up or it does not settle.
std::optional<std::vector<Rational>> upper_bounds(const ReachGraph& graph,
                                                  const RoughValues& rough,
                                                  CheckClock& clock);

// One selection as a graph of its own, where staying for ever has the worth 0 in so many words.
ReachGraph selected_graph(const ReachGraph& graph, const Selection& selection);
// Of a graph with one choice at each node, none of which stays for ever.
std::optional<std::vector<Bounds>> chain_bounds(const ReachGraph& chain, CheckClock& clock);

}  // namespace quantiplan::checking
