// A finite problem of paying until an end: nodes with choices among arcs, each with a cost of at least 0.
//
//     v(node) = 0                                      at an end
//             = min over choices of sum of p (cost + v)   the least cost of those who end almost surely
//
// Values are found by policy iteration, in doubles and then in rationals, and are proved where they stand: whoever ends
// almost surely pays no less than v if no choice of any node has sum of p (cost + v) < v.
// Needs: from every node some policy ends almost surely. Improving a policy that ends, by choices that are better and never by
// equal ones, leads to policies that end: a set of nodes that one never leaves would have to be free of costs, and nothing in
// it better than before.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/infinite/chain_values.hpp"
#include "check/infinite/reach_graph.hpp"

namespace quantiplan::checking {

class CostGraph {
 public:
  CostGraph(const Model& model, CheckLimits& limits) : graph_(model, limits), limits_(limits) {}

  // Building, as ReachGraph's.
  void add_arc(std::uint32_t to, NumberId probability, std::int64_t cost) {
    graph_.add_arc(to, probability);
    cost_.push_back(cost);
  }
  void end_choice() { graph_.end_choice(false); }
  void end_node() { graph_.end_node(); }
  void end_final_node() { graph_.end_node(Rational(0)); }
  [[nodiscard]] std::uint32_t nodes() const { return graph_.nodes(); }
  // Of a graph with one choice at each node: some node never ends.
  [[nodiscard]] bool may_stay() const;

  // What these choices cost. Nullopt if some node never ends by them, or it takes too much.
  std::optional<std::vector<Rational>> costs(const Selection& selection, Effort& effort) const;
  // The least of all. Nullopt if it takes too much.
  std::optional<std::vector<Rational>> least_costs(Effort& effort) const;

 private:
  template <class N>
  std::optional<std::vector<N>> values(const Selection& selection, Effort* effort) const;
  template <class N>
  bool improve(const std::vector<N>& value, Selection& selection) const;
  template <class N>
  N probability(const ReachArc& arc) const;
  // Choices that lead to an end, step by step with positive probability.
  std::optional<Selection> ways_out() const;
  [[nodiscard]] std::int64_t cost(const ReachArc& arc) const {
    return cost_[static_cast<std::size_t>(&arc - graph_.begin(0))];
  }

  ReachGraph graph_;
  CheckLimits& limits_;
  std::vector<std::int64_t> cost_;  // by arc
};

}  // namespace quantiplan::checking
