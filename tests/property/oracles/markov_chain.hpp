// A finite Markov chain in rationals: its strong components, and the chance of coming somewhere.
//
//     x(n) = 1 at a target,  0 where no target can be reached,  else  sum over arcs of p * x(next)
//
// The tests' own linear algebra: plain Gaussian elimination, one strong component at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "quantiplan/number.hpp"

namespace quantiplan::testing {

struct Arc {
  std::size_t next = 0;
  Rational probability;
};

// The arcs of each node; their probabilities sum to 1, or there are none: the node is left never.
using Chain = std::vector<std::vector<Arc>>;

using Graph = std::vector<std::vector<std::size_t>>;  // successors
Graph graph_of(const Chain& chain);

// Strongly connected components, each after all it leads to.
std::vector<std::vector<std::size_t>> components(const Graph& graph);
// Those that nothing leads out of: where the chain stays in the end.
std::vector<std::vector<std::size_t>> bottom_components(const Graph& graph);

// The chances x of some nodes, given those of all nodes they lead to: 0 where they never get there.
void settle(const Chain& chain, const std::vector<std::size_t>& members, std::vector<Rational>& x);

// The chance, from each node, that the chain ever comes to a target.
std::vector<Rational> reach(const Chain& chain, const std::vector<bool>& targets);

}  // namespace quantiplan::testing
