// The nodes (t, s, y) that any policy can meet from some targets inside the windows, and where each
// outcome of each choice leads from them.
//
//     sure < y <= possible: a node        y <= sure: below the window        y > possible: above it
//
// Found once, they serve every exact recursion over residuals: forward here, backward by whoever has
// values for them (exact_nodes.hpp, worth_nodes.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/limits.hpp"
#include "finite/strategy.hpp"

namespace quantiplan {

class NodeGraph {
 public:
  // Children that are no nodes.
  static constexpr std::uint32_t kBelow = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kAbove = kBelow - 1;

  // Both must outlive it.
  NodeGraph(const Stages& stages, const Windows& windows)
      : stages_(stages), windows_(windows), points_(std::make_shared<SettledPoints>()) {}

  // What is kept of a node beside it, in two layers; rationals of moderate size unless it is said.
  static constexpr std::uint64_t kRationalPair = 400;
  // False if there would be more products than that, memory is short, or the limits ended it.
  bool expand(const std::vector<std::int64_t>& targets,
              std::uint64_t most_products,
              Limits& limits,
              std::uint64_t bytes_of_pair = kRationalPair);

  [[nodiscard]] const std::vector<Node>& nodes(std::uint64_t t) const {
    return points_->nodes[t].nodes();
  }
  // The number of a node, or where it lies outside the window.
  [[nodiscard]] std::uint32_t find(std::uint64_t t, const Node& node) const;
  // Of the nodes of a time, their choices and outcomes, in order.
  [[nodiscard]] const std::vector<std::uint32_t>& children(std::uint64_t t) const {
    return children_[t];
  }
  // The nodes with a choice for each, to be filled in.
  [[nodiscard]] SettledPoints& points() noexcept { return *points_; }
  [[nodiscard]] const SettledPoints& points() const noexcept { return *points_; }

 private:
  [[nodiscard]] std::uint32_t outside(std::uint64_t t, const Node& node) const;
  std::uint32_t place(std::uint64_t t, const Node& node);

  const Stages& stages_;
  const Windows& windows_;
  std::shared_ptr<SettledPoints> points_;
  std::vector<std::vector<std::uint32_t>> children_;  // by time
};

}  // namespace quantiplan
