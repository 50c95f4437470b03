#include "check/infinite/chain_values.hpp"

#include <algorithm>
#include <cmath>

#include "check/infinite/absorption.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostEliminated = 500;  // nodes of a block, in doubles
constexpr std::size_t kMostExactBlock = 150;  // in rationals
constexpr std::size_t kMostSweeps = 3000;     // over a larger block
constexpr std::uint32_t kOutside = ~std::uint32_t{0};

// The block that is being solved: its nodes, and where they stand in it.
class Block {
 public:
  Block(const ReachGraph& graph, const Selection& selection)
      : graph_(graph), selection_(selection), position_(graph.nodes(), kOutside) {}

  void enter(const Blocks& blocks, std::size_t which) {
    nodes_.assign(blocks.nodes.begin() + blocks.begin[which],
                  blocks.nodes.begin() + blocks.begin[which + 1]);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) position_[nodes_[i]] = i;
    is_left_ = false;
    is_cyclic_ = nodes_.size() > 1;
    for_each_arc([&](std::size_t, const ReachArc& arc) {
      is_left_ = is_left_ || position_[arc.to] == kOutside;
      is_cyclic_ = is_cyclic_ || position_[arc.to] != kOutside;
    });
  }
  void leave() {
    for (const std::uint32_t v : nodes_) position_[v] = kOutside;
  }

  [[nodiscard]] const std::vector<std::uint32_t>& nodes() const { return nodes_; }
  [[nodiscard]] std::uint32_t position(std::uint32_t node) const { return position_[node]; }
  [[nodiscard]] bool is_left() const { return is_left_; }
  [[nodiscard]] bool is_cyclic() const { return is_cyclic_; }

  template <class Visit>
  void for_each_arc(const Visit& visit) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) for_each_arc_of(i, visit);
  }
  template <class Visit>
  void for_each_arc_of(std::size_t i, const Visit& visit) const {
    const std::uint32_t c = selection_[nodes_[i]];
    for (const ReachArc* arc = graph_.begin(c); arc != graph_.end(c); ++arc) visit(i, *arc);
  }

 private:
  const ReachGraph& graph_;
  const Selection& selection_;
  std::vector<std::uint32_t> position_;
  std::vector<std::uint32_t> nodes_;
  bool is_left_ = false;
  bool is_cyclic_ = false;
};

// Values and moves by elimination.
void eliminate(const Block& block,
               const NumberTable& numbers,
               RoughValues& out,
               CheckLimits& limits) {
  const std::size_t n = block.nodes().size();
  Absorption<double> chain(n);
  std::vector<std::vector<double>> sides{std::vector<double>(n, 0), std::vector<double>(n, 1)};
  block.for_each_arc([&](std::size_t i, const ReachArc& arc) {
    const double p = numbers.nearest(arc.probability);
    if (block.position(arc.to) != kOutside) {
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
bool sweep(const Block& block, const NumberTable& numbers, RoughValues& out, CheckLimits& limits) {
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

bool eliminate_exactly(const Block& block,
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
    if (block.position(arc.to) != kOutside) {
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
  const Blocks blocks = blocks_of(graph, &selection, limits);
  Block block(graph, selection);
  for (std::size_t b = 0; b < blocks.count(); ++b) {
    if (limits.ended()) return std::nullopt;
    block.enter(blocks, b);
    // Who cannot leave stays for ever, which is worth 0.
    if (block.is_left()) {
      if (block.nodes().size() <= kMostEliminated) {
        eliminate(block, graph.model().numbers(), out, limits);
      } else if (!sweep(block, graph.model().numbers(), out, limits)) {
        return std::nullopt;
      }
    }
    block.leave();
  }
  return out;
}

std::optional<std::vector<Rational>> exact_values(const ReachGraph& graph,
                                                  const Selection& selection,
                                                  Effort& effort,
                                                  CheckLimits& limits) {
  std::vector<Rational> value(graph.nodes(), 0);
  for (std::uint32_t v = 0; v < graph.nodes(); ++v)
    if (graph.worth(v)) value[v] = *graph.worth(v);
  const Blocks blocks = blocks_of(graph, &selection, limits);
  Block block(graph, selection);
  for (std::size_t b = 0; b < blocks.count(); ++b) {
    block.enter(blocks, b);
    if (block.is_left() && !eliminate_exactly(block, graph, value, effort, limits))
      return std::nullopt;
    block.leave();
  }
  return value;
}

}  // namespace quantiplan::checking
