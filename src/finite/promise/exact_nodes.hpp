// Promises in rationals, node by node.
//
//     forward:   the nodes (t, s, y) that any policy can meet from the targets, where least < y <= possible
//     backward:  (P, worth) of the best choice; P = 1 or 0 and the free worth outside
//
// The worth is the mean, or the goal and what it takes to get there (free_worth.hpp). The best is that
// of the aim, ties by P, then by what is left of the worth, then in the order of the model.
//
// The nodes are found once and serve every aim. Cost of an aim: two rational products for each
// outcome of each choice of each node, with a goal five.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "finite/promise/free_worth.hpp"
#include "finite/promise/promise_passes.hpp"

namespace quantiplan {

struct ExactNodesInput {
  std::shared_ptr<const Stages> stages;    // exact
  std::shared_ptr<const Windows> windows;  // down to least
  std::shared_ptr<const FreeWorth> free;
  std::vector<std::int64_t> targets;
  std::uint64_t most_products;  // p * P of all nodes together
};

// Null if there would be more products than that, memory is short, or the limits ended it.
std::unique_ptr<PromisePasses> exact_nodes(const ExactNodesInput& input, Limits& limits);

}  // namespace quantiplan
