#include "model/end_components.hpp"

#include <algorithm>

#include "model/components.hpp"

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

// The choices that are left, and those that fall with a node that has none left: who leads there
// cannot stay for ever. A chain that leads away falls at once, instead of a link in each round.
class Remaining {
 public:
  Remaining(const MoveGraph& graph, std::vector<bool>& kept)
      : kept_(kept), owner_(graph.choices()), left_(graph.nodes(), 0) {
    into_begin_.assign(graph.nodes() + 1, 0);
    for (const std::uint32_t to : graph.next) ++into_begin_[to + 1];
    for (std::size_t v = 0; v < graph.nodes(); ++v) into_begin_[v + 1] += into_begin_[v];
    into_.resize(graph.next.size());
    std::vector<std::uint64_t> at(into_begin_.begin(), into_begin_.end() - 1);
    for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
      for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
        owner_[c] = v;
        if (kept[c]) ++left_[v];
        for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i)
          into_[at[graph.next[i]]++] = c;
      }
    }
    for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
      if (left_[v] == 0) fallen_.push_back(v);
    }
    settle();
  }

  void drop(std::uint32_t choice) {
    if (!kept_[choice]) return;
    kept_[choice] = false;
    if (--left_[owner_[choice]] == 0) fallen_.push_back(owner_[choice]);
  }
  void settle() {
    while (!fallen_.empty()) {
      const std::uint32_t v = fallen_.back();
      fallen_.pop_back();
      for (std::uint64_t i = into_begin_[v]; i < into_begin_[v + 1]; ++i) drop(into_[i]);
    }
  }

 private:
  std::vector<bool>& kept_;
  std::vector<std::uint32_t> owner_;  // by choice
  std::vector<std::uint32_t> left_;   // by node: choices that are left
  std::vector<std::uint64_t> into_begin_;
  std::vector<std::uint32_t> into_;  // by node: choices with an arc to it
  std::vector<std::uint32_t> fallen_;
};

}  // namespace

EndComponents end_components(const MoveGraph& graph, const std::vector<bool>& allowed) {
  EndComponents out;
  out.is_inner = allowed;
  Components components;
  Remaining remaining(graph, out.is_inner);
  // Choices that may leave their strongly connected component are dropped until none does.
  for (bool changed = true; changed;) {
    changed = false;
    components = strongly_connected(arcs_of(graph, out.is_inner));
    for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
      for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
        if (!out.is_inner[c]) continue;
        for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i) {
          if (components.of_node[graph.next[i]] == components.of_node[v]) continue;
          remaining.drop(c);
          changed = true;
          break;
        }
      }
    }
    remaining.settle();
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
