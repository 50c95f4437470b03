#include "check/infinite/reach_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "numbers/floor.hpp"
#include "numbers/fraction.hpp"

namespace quantiplan::checking {
namespace {

using Wide = UInt128;

constexpr unsigned kDigits = 50;
constexpr std::uint64_t kOne = std::uint64_t{1} << kDigits;
constexpr std::uint64_t kMostRaises = 400'000'000;  // arcs looked at

// Not below the value.
std::uint64_t raised(const Rational& value) {
  return ceiling_of(Rational(value * Rational(Integer(kOne)))).get_ui();
}

// Probabilities of a choice as whole numbers: not below p times the denominator.
struct Weights {
  std::vector<std::uint64_t> weight;       // by arc, in the order of the choices
  std::vector<std::uint64_t> denominator;  // by choice
  std::vector<std::uint64_t> begin{0};     // by choice

  Weights(const ReachGraph& graph, std::uint32_t choices, CheckLimits& limits) {
    const NumberTable& numbers = graph.model().probabilities();
    const Integer most = Integer(1) << 61;
    for (std::uint32_t c = 0; c < choices; ++c) {
      limits.require(500 * static_cast<std::uint64_t>(graph.end(c) - graph.begin(c)));
      Integer common = 1;
      for (const ReachArc* arc = graph.begin(c); arc != graph.end(c) && common <= most; ++arc)
        common = lcm(common, numbers.rational(arc->probability).get_den());
      if (common > most) common = most;
      for (const ReachArc* arc = graph.begin(c); arc != graph.end(c); ++arc) {
        const Rational scaled = numbers.rational(arc->probability) * Rational(common);
        weight.push_back(ceiling_of(scaled).get_ui());
      }
      denominator.push_back(common.get_ui());
      begin.push_back(weight.size());
    }
  }
};

class Certificate {
 public:
  Certificate(const ReachGraph& graph, const RoughValues& rough, CheckLimits& limits)
      : graph_(graph),
        limits_(limits),
        weights_(graph, graph.nodes() == 0 ? 0 : graph.end_choice_of(graph.nodes() - 1), limits) {
    const std::vector<bool> gains = can_gain(graph, limits);
    for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
      if (graph.worth(v)) {
        value_.push_back(raised(*graph.worth(v)));
      } else if (!gains[v]) {
        value_.push_back(0);
      } else {
        const double first = rough.value[v] * static_cast<double>(kOne) + 4 * rough.moves[v] + 4;
        value_.push_back(first < static_cast<double>(kOne) ? static_cast<std::uint64_t>(first)
                                                           : kOne);
      }
    }
  }

  // False if it does not settle.
  bool prove() {
    const Blocks order = blocks_of(graph_, nullptr, limits_);
    for (std::size_t b = 0; b < order.count(); ++b)
      if (!settle(order.nodes, order.begin[b], order.begin[b + 1])) return false;
    return true;
  }
  [[nodiscard]] UpperBounds take() { return {std::move(value_)}; }

 private:
  // Blocks before it are settled: so it needs to be gone through until nothing changes.
  bool settle(const std::vector<std::uint32_t>& nodes, std::uint32_t begin, std::uint32_t end) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = begin; i < end; ++i) {
        if (limits_.ended() || looked_ > kMostRaises) return false;
        const std::uint64_t least = after_a_move(nodes[i]);
        if (least <= value_[nodes[i]]) continue;
        value_[nodes[i]] = least;
        changed = end - begin > 1 || graph_.leads_to_itself(nodes[i]);
      }
    }
    return true;
  }

  std::uint64_t after_a_move(std::uint32_t node) {
    std::uint64_t most = 0;
    for (std::uint32_t c = graph_.first_choice(node); c < graph_.end_choice_of(node); ++c) {
      Wide sum = 0;
      std::uint64_t at = weights_.begin[c];
      looked_ += weights_.begin[c + 1] - at;
      for (const ReachArc* arc = graph_.begin(c); arc != graph_.end(c); ++arc, ++at)
        sum += static_cast<Wide>(weights_.weight[at]) * value_[arc->to];
      const Wide divisor = weights_.denominator[c];
      most = std::max(most, static_cast<std::uint64_t>((sum + divisor - 1) / divisor));
    }
    // Nothing is worth more than 1.
    return std::min(most, kOne);
  }

  const ReachGraph& graph_;
  CheckLimits& limits_;
  Weights weights_;
  std::vector<std::uint64_t> value_;
  std::uint64_t looked_ = 0;
};

}  // namespace

Rational UpperBounds::at(std::uint32_t node) const {
  Rational value{Integer(static_cast<unsigned long>(steps[node]))};
  mpq_div_2exp(value.get_mpq_t(), value.get_mpq_t(), kDigits);
  return value;
}

std::optional<UpperBounds> upper_bounds(const ReachGraph& graph,
                                        const RoughValues& rough,
                                        CheckLimits& limits) {
  Certificate certificate(graph, rough, limits);
  if (!certificate.prove()) return std::nullopt;
  return certificate.take();
}

ReachGraph selected_graph(const ReachGraph& graph,
                          const Selection& selection,
                          CheckLimits& limits) {
  ReachGraph chain(graph.model(), limits);
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    limits.require(100);
    if (!graph.worth(v)) {
      const std::uint32_t c = selection[v];
      for (const ReachArc* arc = graph.begin(c); arc != graph.end(c); ++arc)
        chain.add_arc(arc->to, arc->probability);
      chain.end_choice(graph.is_free(c));
    }
    chain.end_node(graph.worth(v));
  }
  // A block that no arc leaves is one to stay in.
  for_each_block(chain, first_selection(chain), limits, [&](const SelectedBlock& block) {
    if (!block.is_left())
      for (const std::uint32_t v : block.nodes()) chain.set_worth(v, 0);
    return true;
  });
  return chain;
}

std::optional<ChainBounds> chain_bounds(const ReachGraph& chain, CheckLimits& limits) {
  auto rough = rough_values(chain, first_selection(chain), limits);
  if (!rough) return std::nullopt;
  auto value = upper_bounds(chain, *rough, limits);
  if (!value) return std::nullopt;
  ReachGraph other = chain;
  for (std::uint32_t v = 0; v < chain.nodes(); ++v) {
    rough->value[v] = std::max(0.0, 1 - rough->value[v]);
    if (chain.worth(v)) other.set_worth(v, Rational(1 - *chain.worth(v)));
  }
  auto rest = upper_bounds(other, *rough, limits);
  if (!rest) return std::nullopt;
  return ChainBounds{*std::move(value), *std::move(rest)};
}

}  // namespace quantiplan::checking
