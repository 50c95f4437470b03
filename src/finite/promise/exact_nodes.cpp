#include "finite/promise/exact_nodes.hpp"

#include <mutex>

#include "finite/promise/node_graph.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kNodesPerPoll = 16;

class ExactNodes : public PromisePasses {
 public:
  explicit ExactNodes(const ExactNodesInput& input)
      : in_(input),
        stages_(*input.stages),
        numbers_(stages_.model()),
        ground_(std::make_shared<Groundwork>()),
        graph_(*input.stages, *input.windows) {
    ground_->stages = input.stages;
    ground_->windows = input.windows;
    ground_->expectation_choice = input.free->choices();
  }

  bool expand(Limits& limits) { return graph_.expand(in_.targets, in_.most_products, limits); }

  std::optional<std::vector<Prospect>> run(const Aim& aim, Limits& limits, Work& work) override {
    if (!evaluate(aim, limits, work)) return std::nullopt;
    std::vector<Prospect> out;
    for (const std::int64_t target : in_.targets) {
      out.push_back(prospect_of(aim, in_.free->kind(), drawn_pair(target)));
    }
    return out;
  }

  std::optional<AimedRules> rules(const Aim& aim, Limits& limits) override {
    Work work;
    const std::scoped_lock lock(one_at_a_time_);
    if (!evaluate(aim, limits, work)) return std::nullopt;
    auto points = std::make_shared<SettledPoints>(graph_.points());
    return AimedRules{ground_, nullptr, std::move(points)};
  }

  std::optional<Rational> exact_probability(const Aim&, std::size_t, Limits&) override {
    return std::nullopt;  // is that of the prospect
  }

  [[nodiscard]] Rational rounded(const Rational& weight) const override { return weight; }
  [[nodiscard]] bool is_exact() const override { return true; }

 private:
  [[nodiscard]] PromisedWorth pair_at(std::uint64_t t, const Node& node) const {
    const std::uint32_t at = graph_.find(t, node);
    if (at < NodeGraph::kAbove) return later_[at];
    return {Rational(at == NodeGraph::kBelow ? 1 : 0), in_.free->at(t, node.slot)};
  }

  // Everything in it is a mean: that of the draw is the mean of its states'.
  [[nodiscard]] PromisedWorth drawn_pair(std::int64_t target) const {
    if (stages_.starts() == 1) return pair_at(0, {0, target});
    PromisedWorth sum;
    for (std::uint32_t slot = 0; slot < stages_.starts(); ++slot) {
      const Rational mu = stages_.start_probability<Rational>(slot);
      const PromisedWorth pair = pair_at(0, {slot, target});
      sum.probability += mu * pair.probability;
      for (std::size_t i = 0; i < sum.worth.size(); ++i) sum.worth[i] += mu * pair.worth[i];
    }
    return sum;
  }

  // The pair of a choice, whose children begin at `child`.
  PromisedWorth pair_of(std::uint64_t t, Choice c, std::size_t child) const {
    const Layer& next_layer = stages_.layer(t + 1);
    PromisedWorth sum;
    for (const Outcome& o : stages_.model().outcomes(c)) {
      const Rational& p = numbers_.probability(o);
      const std::uint32_t at = graph_.children(t)[child++];
      // The promise is kept whatever is done, or lost.
      if (at >= NodeGraph::kAbove) {
        if (at == NodeGraph::kBelow) sum.probability += p;
        in_.free->add(stages_, t, o, p, in_.free->at(t + 1, next_layer.slot(o.next)), sum.worth);
      } else {
        sum.probability += p * later_[at].probability;
        in_.free->add(stages_, t, o, p, later_[at].worth, sum.worth);
      }
    }
    return sum;
  }

  bool evaluate(const Aim& aim, Limits& limits, Work& work) {
    const std::uint64_t horizon = stages_.horizon();
    auto& chosen = graph_.points().choice;
    chosen.resize(horizon + 1);
    later_.clear();
    for (std::uint64_t t = horizon; t-- > 0;) {
      const auto& nodes = graph_.nodes(t);
      std::vector<PromisedWorth> now(nodes.size());
      chosen[t].resize(nodes.size());
      std::size_t child = 0;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i % kNodesPerPoll == 0 && limits.ended()) return false;
        bool is_first = true;
        const auto choices = stages_.model().choices(stages_.layer(t).state(nodes[i].slot));
        for (std::size_t k = 0; k < choices.size(); ++k) {
          const Choice c = choices[k];
          const std::size_t children = child;
          child += stages_.model().outcomes(c).size();
          if (!in_.free->allows(t, nodes[i].slot, c, k)) continue;
          ++work.backups;
          PromisedWorth pair = pair_of(t, c, children);
          if (!is_first && !is_better(aim, in_.free->kind(), pair, now[i])) continue;
          now[i] = std::move(pair);
          chosen[t][i] = c;
          is_first = false;
        }
      }
      work.multiply_adds += 2 * child;
      work.breakpoints += nodes.size();
      later_ = std::move(now);
      limits.report("best mean", static_cast<double>(horizon - t) / static_cast<double>(horizon));
    }
    ++work.passes;
    return true;
  }

  ExactNodesInput in_;
  const Stages& stages_;
  Arithmetics<Rational> numbers_;
  std::shared_ptr<Groundwork> ground_;
  NodeGraph graph_;
  std::vector<PromisedWorth> later_;
  std::mutex one_at_a_time_;  // the results' policies may be asked for by several threads
};

}  // namespace

std::unique_ptr<PromisePasses> exact_nodes(const ExactNodesInput& input, Limits& limits) {
  auto nodes = std::make_unique<ExactNodes>(input);
  if (!nodes->expand(limits)) return nullptr;
  return nodes;
}

}  // namespace quantiplan
