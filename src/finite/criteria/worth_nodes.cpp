#include "finite/criteria/worth_nodes.hpp"

#include <algorithm>

#include "finite/promise/node_graph.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kNodesPerPoll = 16;

struct WorthAndMean {
  Rational worth;
  Rational mean;
};

class WorthNodes {
 public:
  explicit WorthNodes(const WorthNodesInput& input)
      : in_(input),
        stages_(*input.ground.stages),
        numbers_(stages_.model()),
        windows_(windows_of(input.worth, *input.ground.windows)),
        graph_(stages_, *windows_) {}

  bool run(Limits& limits, Work& work) {
    if (!graph_.expand(in_.targets, in_.most_products, limits)) return false;
    const std::uint64_t horizon = stages_.horizon();
    graph_.points().choice.resize(horizon + 1);
    for (std::uint64_t t = horizon + 1; t-- > 0;) {
      if (!back_up(t, limits, work)) return false;
      limits.report("backward pass",
                    static_cast<double>(horizon - t) / static_cast<double>(horizon + 1));
    }
    ++work.passes;
    return true;
  }

  [[nodiscard]] WorthCurve<Rational> curve() const {
    WorthCurve<Rational> out;
    out.levels = in_.targets;
    for (const std::int64_t y : in_.targets) {
      WorthAndMean at;
      for (std::uint32_t slot = 0; slot < stages_.starts(); ++slot) {
        const auto mu = stages_.start_probability<Rational>(slot);
        const WorthAndMean there = value_of(0, {slot, y}, graph_.find(0, {slot, y}));
        at.worth += mu * there.worth;
        at.mean += mu * there.mean;
      }
      out.worth.push_back(at.worth);
      if (in_.with_mean) out.mean.push_back(at.mean);
    }
    auto ground = std::make_shared<Groundwork>();
    ground->stages = in_.ground.stages;
    ground->windows = windows_;
    ground->expectation_choice = in_.ground.expectation->choices();
    auto points = std::make_shared<SettledPoints>(graph_.points());
    out.rules = [ground, points](Limits&) { return AimedRules{ground, nullptr, points}; };
    return out;
  }

 private:
  // Of a node of the time whose values are known, or outside the windows.
  [[nodiscard]] WorthAndMean value_of(std::uint64_t t, const Node& node, std::uint32_t at) const {
    if (at < NodeGraph::kAbove) return later_[at];
    const Rational& free = in_.ground.expectation->value(t, node.slot);
    const Rational& slope = at == NodeGraph::kBelow ? in_.worth.gain : in_.worth.loss;
    return {slope * (free - Rational(static_cast<long>(node.level))), free};
  }

  [[nodiscard]] WorthAndMean value_of_choice(std::uint64_t t,
                                             const Node& node,
                                             Choice c,
                                             std::size_t child) const {
    const Layer& next_layer = stages_.layer(t + 1);
    WorthAndMean sum;
    for (const Outcome& o : stages_.model().outcomes(c)) {
      const Rational& p = numbers_.probability(o);
      const Node next{static_cast<std::uint32_t>(next_layer.slot(o.next)),
                      stages_.next_residual(t, node.level, o)};
      const WorthAndMean value = value_of(t + 1, next, graph_.children(t)[child++]);
      sum.worth += p * value.worth;
      if (in_.with_mean)
        sum.mean += p * (Rational(static_cast<long>(stages_.reward_key(t, o))) + value.mean);
    }
    return sum;
  }

  bool back_up(std::uint64_t t, Limits& limits, Work& work) {
    const auto& nodes = graph_.nodes(t);
    std::vector<WorthAndMean> now(nodes.size());
    auto& chosen = graph_.points().choice[t];
    chosen.resize(nodes.size());
    std::size_t child = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (i % kNodesPerPoll == 0 && limits.ended()) return false;
      const State s = stages_.layer(t).state(nodes[i].slot);
      if (stages_.is_over(t, s)) {
        // Only functions without edges are asked for here.
        now[i].worth = in_.worth.spelt(t, nodes[i].level);
        continue;
      }
      bool is_first = true;
      for (const Choice c : stages_.model().choices(s)) {
        ++work.backups;
        WorthAndMean value = value_of_choice(t, nodes[i], c, child);
        child += stages_.model().outcomes(c).size();
        if (!is_first && value.worth <= now[i].worth) continue;
        now[i] = std::move(value);
        chosen[i] = c;
        is_first = false;
      }
    }
    work.multiply_adds += child;
    work.exact_nodes += nodes.size();
    work.breakpoints += nodes.size();
    later_ = std::move(now);
    return true;
  }

  WorthNodesInput in_;
  const Stages& stages_;
  Arithmetics<Rational> numbers_;
  std::shared_ptr<const Windows> windows_;
  NodeGraph graph_;
  std::vector<WorthAndMean> later_;
};

}  // namespace

std::optional<WorthCurve<Rational>> find_worths(const WorthNodesInput& input,
                                                Limits& limits,
                                                Work& work) {
  WorthNodes nodes(input);
  if (!nodes.run(limits, work)) return std::nullopt;
  return nodes.curve();
}

std::optional<std::vector<std::int64_t>> attainable_totals(const Stages& stages,
                                                           std::uint64_t most,
                                                           const Limits& limits) {
  const Model& model = stages.model();
  std::vector<std::int64_t> totals;
  NodeTable now;
  for (std::uint32_t slot = 0; slot < stages.starts(); ++slot) now.insert({slot, 0});
  std::uint64_t count = 0;
  for (std::uint64_t t = 0; t <= stages.horizon(); ++t) {
    NodeTable next;
    for (const Node& node : now.nodes()) {
      if (++count > most || (count % 256 == 0 && limits.ended())) return std::nullopt;
      const State s = stages.layer(t).state(node.slot);
      if (stages.is_over(t, s)) {
        totals.push_back(node.level);
        continue;
      }
      for (const Choice c : model.choices(s))
        for (const Outcome& o : model.outcomes(c))
          next.insert({static_cast<std::uint32_t>(stages.layer(t + 1).slot(o.next)),
                       node.level + stages.reward_key(t, o)});
    }
    now = std::move(next);
  }
  std::ranges::sort(totals);
  totals.erase(std::unique(totals.begin(), totals.end()), totals.end());
  return totals;
}

}  // namespace quantiplan
