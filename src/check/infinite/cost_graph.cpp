#include "check/infinite/cost_graph.hpp"

#include <cmath>
#include <type_traits>
#include <utility>

#include "check/infinite/absorption.hpp"

namespace quantiplan::checking {
namespace {

constexpr int kMostRoundsOfCosts = 300;
// Nodes that lead to one another, in rationals and in doubles.
constexpr std::size_t kMostExactCircle = 150;
constexpr std::size_t kMostCircle = 500;

// By how much a choice has to be better.
double margin(double value) { return 1e-10 * (1 + std::abs(value)); }
int margin(const Rational&) { return 0; }

double as(std::int64_t cost, double) { return static_cast<double>(cost); }
Rational as(std::int64_t cost, const Rational&) {
  return Rational(Integer(static_cast<long>(cost)));
}

}  // namespace

template <>
double CostGraph::probability(const ReachArc& arc) const {
  return graph_.model().probabilities().nearest(arc.probability);
}
template <>
Rational CostGraph::probability(const ReachArc& arc) const {
  return graph_.model().probabilities().rational(arc.probability);
}

bool CostGraph::may_stay() const {
  bool stays = false;
  for_each_block(graph_, first_selection(graph_), limits_, [&](const SelectedBlock& block) {
    stays = !block.is_left();
    return !stays;
  });
  return stays;
}

template <class N>
std::optional<std::vector<N>> CostGraph::values(const Selection& selection, Effort* effort) const {
  std::vector<N> value(graph_.nodes(), 0);
  const auto spend = [&](std::size_t count, const N& number) {
    if (limits_.ended(count * nanoseconds_of(number))) return false;
    if constexpr (std::is_same_v<N, Rational>) return effort->spend(count, number);
    return true;
  };
  const bool done = for_each_block(graph_, selection, limits_, [&](const SelectedBlock& block) {
    const std::size_t n = block.nodes().size();
    if (!block.is_left() || n > (effort != nullptr ? kMostExactCircle : kMostCircle)) return false;
    Absorption<N> chain(n);
    std::vector<std::vector<N>> sides(1, std::vector<N>(n, 0));
    bool goes_on = true;
    block.for_each_arc([&](std::size_t i, const ReachArc& arc) {
      const N p = probability<N>(arc);
      if (block.holds(arc.to)) {
        chain.p(i, block.position(arc.to)) += p;
        sides[0][i] += p * as(cost(arc), N());
      } else {
        chain.leave(i) += p;
        goes_on = goes_on && spend(2, value[arc.to]);
        sides[0][i] += p * (as(cost(arc), N()) + value[arc.to]);
      }
    });
    if (!goes_on || !chain.solve(sides, spend)) return false;
    for (std::size_t i = 0; i < n; ++i) value[block.nodes()[i]] = std::move(sides[0][i]);
    return true;
  });
  if (!done) return std::nullopt;
  return value;
}

template <class N>
bool CostGraph::improve(const std::vector<N>& value, Selection& selection) const {
  bool changed = false;
  for (std::uint32_t v = 0; v < graph_.nodes(); ++v) {
    if (graph_.worth(v)) continue;
    N best = value[v] - margin(value[v]);
    for (std::uint32_t c = graph_.first_choice(v); c < graph_.end_choice_of(v); ++c) {
      limits_.require(static_cast<std::uint64_t>(graph_.end(c) - graph_.begin(c)) *
                      nanoseconds_of(value[v]));
      N sum = 0;
      for (const ReachArc* arc = graph_.begin(c); arc != graph_.end(c); ++arc)
        sum += probability<N>(*arc) * (as(cost(*arc), N()) + value[arc->to]);
      if (sum >= best) continue;
      best = sum;
      selection[v] = c;
      changed = true;
    }
  }
  return changed;
}

std::optional<Selection> CostGraph::ways_out() const {
  std::vector<std::vector<std::uint32_t>> from(graph_.nodes());  // choices, by where they lead
  std::vector<std::uint32_t> open;
  std::vector<char> has_way(graph_.nodes(), 0);
  std::vector<std::uint32_t> node_of;
  for (std::uint32_t v = 0; v < graph_.nodes(); ++v) {
    if (graph_.worth(v)) {
      has_way[v] = 1;
      open.push_back(v);
    }
    for (std::uint32_t c = graph_.first_choice(v); c < graph_.end_choice_of(v); ++c) {
      limits_.require(100);
      node_of.push_back(v);
      for (const ReachArc* arc = graph_.begin(c); arc != graph_.end(c); ++arc)
        from[arc->to].push_back(c);
    }
  }
  Selection way = first_selection(graph_);
  std::size_t found = open.size();
  for (std::size_t k = 0; k < open.size(); ++k) {
    for (const std::uint32_t c : from[open[k]]) {
      const std::uint32_t v = node_of[c];
      if (has_way[v] != 0) continue;
      has_way[v] = 1;
      way[v] = c;
      open.push_back(v);
      ++found;
    }
  }
  if (found != graph_.nodes()) return std::nullopt;
  return way;
}

std::optional<std::vector<Rational>> CostGraph::costs(const Selection& selection,
                                                      Effort& effort) const {
  return values<Rational>(selection, &effort);
}

std::optional<std::vector<Rational>> CostGraph::least_costs(Effort& effort) const {
  auto selection = ways_out();
  if (!selection) return std::nullopt;
  // Doubles only propose choices; one by which a node never ends is not taken.
  auto rough = values<double>(*selection, nullptr);
  for (int round = 0; rough && round < kMostRoundsOfCosts; ++round) {
    Selection better = *selection;
    if (!improve(*rough, better)) break;
    rough = values<double>(better, nullptr);
    if (rough) selection = std::move(better);
  }
  for (int round = 0; round < kMostRoundsOfCosts; ++round) {
    auto value = values<Rational>(*selection, &effort);
    if (!value) return std::nullopt;
    for (const Rational& each : *value)
      if (!effort.spend(4, each)) return std::nullopt;
    if (!improve(*value, *selection)) return value;
  }
  return std::nullopt;
}

}  // namespace quantiplan::checking
