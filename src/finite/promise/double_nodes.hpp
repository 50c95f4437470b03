// Promises in doubles, node by node: where levels are few and far apart, so that arrays over all keys
// between them would be nearly empty.
//
// The recursion, its pairs and its errors are those of weighted_pass.hpp; the nodes, found once for
// every aim, those of exact_nodes.hpp. Where M ties up to rounding the greater P is taken, where P does
// the greater E, among choices that are sure where the promise is. Needs wealth that is not rounded.
//
// Cost of an aim: three multiply-adds for each outcome of each choice of each node.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "finite/expectation.hpp"
#include "finite/promise/promise_passes.hpp"
#include "finite/stages.hpp"
#include "finite/windows.hpp"

namespace quantiplan {

struct DoubleNodesInput {
  std::shared_ptr<const Stages> stages;
  std::shared_ptr<const Windows> windows;  // as they are
  std::shared_ptr<const Expectation<double>> expectation;
  std::vector<std::int64_t> targets;
  std::uint64_t most_products;  // p * P of all nodes together
};

// Null if there would be more products than that, memory is short, or the limits ended it.
std::unique_ptr<PromisePasses> double_nodes(const DoubleNodesInput& input, Limits& limits);

}  // namespace quantiplan
