#include "check/infinite/chain_values.hpp"

#include <algorithm>
#include <cmath>

#include "check/infinite/absorption.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostEliminated = 500;  // nodes of a block, in doubles
constexpr std::size_t kMostExactBlock = 150;  // in rationals
constexpr std::size_t kMostSweeps = 3000;     // over a larger block
// Values and moves by elimination.
void eliminate(const SelectedBlock& block,
               const NumberTable& numbers,
               RoughValues& out,
               CheckLimits& limits) {
  const std::size_t n = block.nodes().size();
  Absorption<double> chain(n);
  std::vector<std::vector<double>> sides{std::vector<double>(n, 0), std::vector<double>(n, 1)};
  block.for_each_arc([&](std::size_t i, const ReachArc& arc) {
    const double p = numbers.nearest(arc.probability);
    if (block.holds(arc.to)) {
      chain.p(i, block.position(arc.to)) += p;
    } else {
      chain.leave(i) += p;
      sides[0][i] += p * out.value[arc.to];
      sides[1][i] += p * out.moves[arc.to];
    }
  });
  chain.solve(sides, [&](std::size_t count, double) {
    limits.require(2 * count);
    return true;
  });
  for (std::size_t i = 0; i < n; ++i) {
    out.value[block.nodes()[i]] = sides[0][i];
    out.moves[block.nodes()[i]] = sides[1][i];
  }
}

// The same by sweeps, for large blocks.
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

bool eliminate_exactly(const SelectedBlock& block,
                       const ReachGraph& graph,
                       std::vector<Rational>& value,
                       Effort& effort,
                       CheckLimits& limits) {
  const std::size_t n = block.nodes().size();
  if (n > kMostExactBlock) return false;
  Absorption<Rational> chain(n);
  std::vector<std::vector<Rational>> sides{std::vector<Rational>(n, 0)};
  const auto spend = [&](std::size_t count, const Rational& number) {
    return !limits.ended(count * nanoseconds_of(number)) && effort.spend(count, number);
  };
  bool goes_on = true;
  block.for_each_arc([&](std::size_t i, const ReachArc& arc) {
    const Rational p = graph.model().numbers().rational(arc.probability);
    if (block.holds(arc.to)) {
      chain.p(i, block.position(arc.to)) += p;
    } else {
      goes_on = goes_on && spend(2, value[arc.to]);
      chain.leave(i) += p;
      sides[0][i] += p * value[arc.to];
    }
  });
  if (!goes_on || !chain.solve(sides, spend)) return false;
  for (std::size_t i = 0; i < n; ++i) value[block.nodes()[i]] = std::move(sides[0][i]);
  return true;
}

}  // namespace

std::optional<RoughValues> rough_values(const ReachGraph& graph,
                                        const Selection& selection,
                                        CheckLimits& limits) {
  RoughValues out{std::vector<double>(graph.nodes(), 0), std::vector<double>(graph.nodes(), 0)};
  for (std::uint32_t v = 0; v < graph.nodes(); ++v)
    if (graph.worth(v)) out.value[v] = graph.worth(v)->get_d();
  const bool is_done = for_each_block(graph, selection, limits, [&](const SelectedBlock& block) {
    if (limits.ended()) return false;
    // Who cannot leave stays for ever, which is worth 0.
    if (!block.is_left()) return true;
    if (block.nodes().size() > kMostEliminated)
      return sweep(block, graph.model().numbers(), out, limits);
    eliminate(block, graph.model().numbers(), out, limits);
    return true;
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
    return !block.is_left() || eliminate_exactly(block, graph, value, effort, limits);
  });
  return is_done ? std::optional(std::move(value)) : std::nullopt;
}

}  // namespace quantiplan::checking
