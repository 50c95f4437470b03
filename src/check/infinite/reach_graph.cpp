#include "check/infinite/reach_graph.hpp"

#include <algorithm>

namespace quantiplan::checking {
namespace {

constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

// Tarjan's depth-first search with a stack of its own: places may form chains of any length.
class Search {
 public:
  Search(const ReachGraph& graph, const Selection* selection, CheckLimits& limits)
      : graph_(graph),
        selection_(selection),
        limits_(limits),
        number_(graph.nodes(), kUnseen),
        low_(graph.nodes(), 0),
        is_open_(graph.nodes(), false) {
    blocks_.place.assign(graph.nodes(), kUnseen);
  }

  void from(std::uint32_t root) {
    if (!takes_part(root) || number_[root] != kUnseen) return;
    enter(root);
    while (!frames_.empty()) {
      limits_.require(10);
      Frame& frame = frames_.back();
      if (frame.arc == graph_.end(frame.choice)) {
        if (++frame.choice < frame.end_choice) {
          frame.arc = graph_.begin(frame.choice);
        } else {
          leave();
        }
        continue;
      }
      const std::uint32_t to = (frame.arc++)->to;
      if (!takes_part(to)) continue;
      if (number_[to] == kUnseen) {
        enter(to);
      } else if (is_open_[to]) {
        low_[frame.node] = std::min(low_[frame.node], number_[to]);
      }
    }
  }

  Blocks take() { return std::move(blocks_); }

 private:
  struct Frame {
    std::uint32_t node;
    std::uint32_t choice;
    std::uint32_t end_choice;
    const ReachArc* arc;
  };

  [[nodiscard]] bool takes_part(std::uint32_t node) const {
    return !graph_.worth(node).has_value();
  }

  void enter(std::uint32_t node) {
    number_[node] = low_[node] = count_++;
    is_open_[node] = true;
    open_.push_back(node);
    const std::uint32_t first =
        selection_ != nullptr ? (*selection_)[node] : graph_.first_choice(node);
    const std::uint32_t end = selection_ != nullptr ? first + 1 : graph_.end_choice_of(node);
    frames_.push_back({node, first, end, graph_.begin(first)});
  }

  void leave() {
    const std::uint32_t node = frames_.back().node;
    frames_.pop_back();
    if (!frames_.empty()) {
      const std::uint32_t parent = frames_.back().node;
      low_[parent] = std::min(low_[parent], low_[node]);
    }
    if (low_[node] != number_[node]) return;
    std::uint32_t last = kUnseen;
    while (last != node) {
      last = open_.back();
      open_.pop_back();
      is_open_[last] = false;
      blocks_.place[last] = static_cast<std::uint32_t>(blocks_.nodes.size());
      blocks_.nodes.push_back(last);
    }
    blocks_.begin.push_back(static_cast<std::uint32_t>(blocks_.nodes.size()));
  }

  const ReachGraph& graph_;
  const Selection* selection_;
  CheckLimits& limits_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> low_;
  std::vector<bool> is_open_;
  std::vector<std::uint32_t> open_;
  std::vector<Frame> frames_;
  Blocks blocks_;
};

}  // namespace

Selection first_selection(const ReachGraph& graph) {
  Selection selection(graph.nodes());
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) selection[v] = graph.first_choice(v);
  return selection;
}

Blocks blocks_of(const ReachGraph& graph, const Selection* selection, CheckLimits& limits) {
  Search search(graph, selection, limits);
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) search.from(v);
  return search.take();
}

std::vector<bool> can_gain(const ReachGraph& graph, CheckLimits& limits) {
  // Backwards along all arcs.
  std::vector<std::uint32_t> begin(graph.nodes() + 1, 0);
  const auto for_each_arc = [&](const auto& visit) {
    for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
      limits.require(50);
      if (graph.worth(v)) continue;
      for (std::uint32_t c = graph.first_choice(v); c < graph.end_choice_of(v); ++c)
        for (const ReachArc* arc = graph.begin(c); arc != graph.end(c); ++arc) visit(v, arc->to);
    }
  };
  for_each_arc([&](std::uint32_t, std::uint32_t to) { ++begin[to + 1]; });
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) begin[v + 1] += begin[v];
  std::vector<std::uint32_t> from(begin.back());
  std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
  for_each_arc([&](std::uint32_t v, std::uint32_t to) { from[at[to]++] = v; });
  std::vector<bool> can(graph.nodes(), false);
  std::vector<std::uint32_t> open;
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    can[v] = graph.worth(v) && *graph.worth(v) > 0;
    if (can[v]) open.push_back(v);
  }
  while (!open.empty()) {
    const std::uint32_t v = open.back();
    open.pop_back();
    limits.require(10 + 5 * (begin[v + 1] - begin[v]));
    for (std::uint32_t i = begin[v]; i < begin[v + 1]; ++i) {
      if (can[from[i]]) continue;
      can[from[i]] = true;
      open.push_back(from[i]);
    }
  }
  return can;
}

void give_worth_to_staying(ReachGraph& graph, bool by_free_choices_only, CheckLimits& limits) {
  std::vector<bool> stays(graph.nodes());
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) stays[v] = !graph.worth(v);
  const auto can_stay = [&](std::uint32_t v) {
    for (std::uint32_t c = graph.first_choice(v); c < graph.end_choice_of(v); ++c) {
      if (by_free_choices_only && !graph.is_free(c)) continue;
      bool inside = true;
      for (const ReachArc* arc = graph.begin(c); arc != graph.end(c); ++arc)
        inside = inside && stays[arc->to];
      if (inside) return true;
    }
    return false;
  };
  // Blocks come after those they lead to, so that few rounds take out what cannot stay.
  const Blocks order = blocks_of(graph, nullptr, limits);
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t v : order.nodes) {
      limits.require(50);
      if (!stays[v] || can_stay(v)) continue;
      stays[v] = false;
      changed = true;
    }
  }
  for (std::uint32_t v = 0; v < graph.nodes(); ++v)
    if (stays[v]) graph.set_worth(v, 1);
}

}  // namespace quantiplan::checking
