// Strongly connected components of a directed graph, those without successors first.
//
// Source: Tarjan's algorithm [T72], with a stack of its own, so that long paths do not exhaust the
// program's. Cost: O(nodes + arcs).
#pragma once

#include <cstdint>
#include <vector>

namespace quantiplan {

// Arcs of node v: next[begin[v]] .. next[begin[v+1] - 1].
struct ArcLists {
  std::vector<std::uint64_t> begin{0};
  std::vector<std::uint32_t> next;

  [[nodiscard]] std::size_t nodes() const noexcept { return begin.size() - 1; }
  void close_node() { begin.push_back(next.size()); }
};

struct Components {
  std::vector<std::uint32_t> of_node;
  std::uint32_t count = 0;  // every arc leads to a component with the same or a smaller number
};

Components strongly_connected(const ArcLists& arcs);

// Nodes sorted by component, ascending within each; begin has one entry more than components.
struct Members {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> node;
};
Members members_of(const Components& components);

}  // namespace quantiplan
