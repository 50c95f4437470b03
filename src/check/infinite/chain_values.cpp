#include "check/infinite/chain_values.hpp"

#include <algorithm>
#include <cmath>

#include "check/infinite/absorption.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostEliminated = 500;  // nodes of a block, in doubles
constexpr std::size_t kMostExactBlock = 150;  // in rationals
constexpr std::size_t kMostSweeps = 3000;     // over a larger block

// What is solved for: its values by node, and what every move adds.
template <class N>
struct Unknown {
  std::vector<N>& value;
  N each_move;
};

// By elimination; `spend` as in absorption.hpp.
template <class N, class Probability, class Spend>
bool eliminate(const SelectedBlock& block,
               const std::vector<Unknown<N>>& wanted,
               const Probability& probability,
               const Spend& spend) {
  const std::size_t n = block.nodes().size();
  Absorption<N> chain(n);
  std::vector<std::vector<N>> sides;
  sides.reserve(wanted.size());
  for (const Unknown<N>& unknown : wanted) sides.emplace_back(n, unknown.each_move);
  bool goes_on = true;
  block.for_each_arc([&](std::size_t i, const ReachArc& arc) {
    const N p = probability(arc.probability);
    if (block.holds(arc.to)) {
      chain.p(i, block.position(arc.to)) += p;
      return;
    }
    chain.leave(i) += p;
    for (std::size_t k = 0; k < sides.size(); ++k) {
      const N& value = wanted[k].value[arc.to];
      goes_on = goes_on && spend(2, value);
      sides[k][i] += p * value;
    }
  });
  if (!goes_on || !chain.solve(sides, spend)) return false;
  for (std::size_t k = 0; k < sides.size(); ++k)
    for (std::size_t i = 0; i < n; ++i) wanted[k].value[block.nodes()[i]] = std::move(sides[k][i]);
  return true;
}

// Values and moves by sweeps, for large blocks.
bool sweep(const SelectedBlock& block,
           const NumberTable& numbers,
           RoughValues& out,
           CheckLimits& limits) {
  constexpr double kSmall = 1e-15;
  for (std::size_t round = 0; round < kMostSweeps; ++round) {
    double change = 0;
    for (std::size_t i = 0; i < block.nodes().size(); ++i) {
      if (limits.ended(50)) return false;
      double value = 0;
      double moves = 1;
      block.for_each_arc_of(i, [&](std::size_t, const ReachArc& arc) {
        const double p = numbers.nearest(arc.probability);
        value += p * out.value[arc.to];
        moves += p * out.moves[arc.to];
      });
      const std::uint32_t v = block.nodes()[i];
      change = std::max({change, value - out.value[v], (moves - out.moves[v]) * kSmall});
      out.value[v] = value;
      out.moves[v] = moves;
    }
    if (change <= kSmall) break;
  }
  return true;
}

}  // namespace

std::optional<RoughValues> rough_values(const ReachGraph& graph,
                                        const Selection& selection,
                                        CheckLimits& limits) {
  const NumberTable& numbers = graph.model().probabilities();
  RoughValues out{std::vector<double>(graph.nodes(), 0), std::vector<double>(graph.nodes(), 0)};
  for (std::uint32_t v = 0; v < graph.nodes(); ++v)
    if (graph.worth(v)) out.value[v] = graph.worth(v)->get_d();
  const bool is_done = for_each_block(graph, selection, limits, [&](const SelectedBlock& block) {
    if (limits.ended()) return false;
    // Who cannot leave stays for ever, which is worth 0.
    if (!block.is_left()) return true;
    if (block.nodes().size() > kMostEliminated) return sweep(block, numbers, out, limits);
    return eliminate<double>(
        block,
        {{out.value, 0}, {out.moves, 1}},
        [&](NumberId id) { return numbers.nearest(id); },
        [&](std::size_t count, double) { return !limits.ended(2 * count); });
  });
  return is_done ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<std::vector<Rational>> exact_values(const ReachGraph& graph,
                                                  const Selection& selection,
                                                  Effort& effort,
                                                  CheckLimits& limits) {
  std::vector<Rational> value(graph.nodes(), 0);
  for (std::uint32_t v = 0; v < graph.nodes(); ++v)
    if (graph.worth(v)) value[v] = *graph.worth(v);
  const bool is_done = for_each_block(graph, selection, limits, [&](const SelectedBlock& block) {
    if (!block.is_left()) return true;
    return block.nodes().size() <= kMostExactBlock &&
           eliminate<Rational>(
               block,
               {{value, 0}},
               [&](NumberId id) { return graph.model().probabilities().rational(id); },
               [&](std::size_t count, const Rational& number) {
                 return !limits.ended(count * nanoseconds_of(number)) &&
                        effort.spend(count, number);
               });
  });
  return is_done ? std::optional(std::move(value)) : std::nullopt;
}

}  // namespace quantiplan::checking
