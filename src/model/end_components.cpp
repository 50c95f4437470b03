#include "end_components.hpp"

#include <algorithm>

#include "components.hpp"

namespace quantiplan {
namespace {

ArcLists arcs_of(const MoveGraph& graph, const std::vector<bool>& kept) {
  ArcLists arcs;
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
      if (!kept[c]) continue;
      arcs.next.insert(arcs.next.end(),
                       graph.next.begin() + static_cast<std::ptrdiff_t>(graph.arc_begin[c]),
                       graph.next.begin() + static_cast<std::ptrdiff_t>(graph.arc_begin[c + 1]));
    }
    arcs.close_node();
  }
  return arcs;
}

}  // namespace

EndComponents end_components(const MoveGraph& graph, const std::vector<bool>& allowed) {
  EndComponents out;
  out.is_inner = allowed;
  Components components;
  // Choices that may leave their strongly connected component are dropped until none does.
  for (bool changed = true; changed;) {
    changed = false;
    components = strongly_connected(arcs_of(graph, out.is_inner));
    for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
      for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
        if (!out.is_inner[c]) continue;
        for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i) {
          if (components.of_node[graph.next[i]] == components.of_node[v]) continue;
          out.is_inner[c] = false;
          changed = true;
          break;
        }
      }
    }
  }
  // A component counts if one of its nodes has a choice left; then all have.
  out.of_node.assign(graph.nodes(), EndComponents::kNone);
  std::vector<std::uint32_t> number(components.count, EndComponents::kNone);
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    const auto first = out.is_inner.begin() + graph.choice_begin[v];
    const auto last = out.is_inner.begin() + graph.choice_begin[v + 1];
    if (std::find(first, last, true) == last) continue;
    std::uint32_t& id = number[components.of_node[v]];
    if (id == EndComponents::kNone) id = out.count++;
    out.of_node[v] = id;
  }
  return out;
}

}  // namespace quantiplan
