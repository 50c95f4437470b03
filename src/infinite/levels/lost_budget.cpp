#include "infinite/levels/lost_budget.hpp"

#include <functional>
#include <queue>
#include <utility>

namespace quantiplan {

// Dijkstra's algorithm from the goals backwards.
std::vector<std::uint64_t> least_costs(const Moves& moves, const Weights& weights) {
  const MoveGraph& graph = moves.graph;
  struct Into {
    std::uint32_t from;
    std::uint64_t weight;
  };
  std::vector<std::vector<Into>> into(graph.nodes());
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    const std::uint64_t end = graph.arc_begin[graph.choice_begin[v + 1]];
    for (std::uint64_t i = graph.arc_begin[graph.choice_begin[v]]; i < end; ++i)
      into[graph.next[i]].push_back({v, weights.distinct[weights.of_arc[i]]});
  }
  using Reached = std::pair<std::uint64_t, std::uint32_t>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  std::vector<std::uint64_t> least(graph.nodes(), LostBudget::kNever);
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    if (moves.end[v] != End::goal) continue;
    least[v] = 0;
    open.emplace(0, v);
  }
  while (!open.empty()) {
    const auto [cost, v] = open.top();
    open.pop();
    if (cost > least[v]) continue;
    for (const Into& arc : into[v]) {
      // A sum beyond 64 bits is beyond every budget.
      if (arc.weight >= LostBudget::kNever - cost || cost + arc.weight >= least[arc.from]) continue;
      least[arc.from] = cost + arc.weight;
      open.emplace(least[arc.from], arc.from);
    }
  }
  return least;
}

}  // namespace quantiplan
