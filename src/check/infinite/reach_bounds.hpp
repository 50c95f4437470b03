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

#include "check/common/demand.hpp"
#include "check/infinite/chain_values.hpp"

namespace quantiplan::checking {

// By node, in steps of 2^-50: a million rationals would take half a gigabyte.
struct UpperBounds {
  std::vector<std::uint64_t> steps;
  [[nodiscard]] Rational at(std::uint32_t node) const;
};
// Of the best selection: nullopt if time is up or it does not settle.
std::optional<UpperBounds> upper_bounds(const ReachGraph& graph,
                                        const RoughValues& rough,
                                        CheckLimits& limits);

// One selection as a graph of its own, where staying for ever has the worth 0 in so many words.
ReachGraph selected_graph(const ReachGraph& graph, const Selection& selection, CheckLimits& limits);

// Of a graph with one choice at each node, none of which stays for ever.
struct ChainBounds {
  UpperBounds value;
  UpperBounds rest;  // of 1 less the value
  [[nodiscard]] Bounds at(std::uint32_t node) const {
    return {Rational(1 - rest.at(node)), value.at(node)};
  }
};
std::optional<ChainBounds> chain_bounds(const ReachGraph& chain, CheckLimits& limits);

}  // namespace quantiplan::checking
