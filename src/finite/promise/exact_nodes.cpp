#include "finite/promise/exact_nodes.hpp"

#include <limits>
#include <mutex>

namespace quantiplan {
namespace {

constexpr std::size_t kNodesPerPoll = 16;

class ExactNodes : public PromisePasses {
 public:
  explicit ExactNodes(const ExactNodesInput& input)
      : in_(input),
        stages_(*input.stages),
        windows_(*input.windows),
        numbers_(stages_.model()),
        ground_(std::make_shared<Groundwork>()),
        points_(std::make_shared<SettledPoints>()) {
    ground_->stages = input.stages;
    ground_->windows = input.windows;
    ground_->expectation_choice = input.free->choices();
  }

  bool expand(Limits& limits) {
    auto& tables = points_->nodes;
    tables.resize(stages_.horizon() + 1);
    children_.resize(stages_.horizon());
    std::uint64_t products = 0;
    std::uint64_t count = 0;
    for (const std::int64_t target : in_.targets) {
      if (is_open(0, {0, target})) tables[0].insert({0, target});
    }
    for (std::uint64_t t = 0; t < stages_.horizon(); ++t) {
      const Layer& layer = stages_.layer(t);
      const Layer& next_layer = stages_.layer(t + 1);
      for (std::size_t i = 0; i < tables[t].size(); ++i) {
        if (++count % 256 == 0 && limits.ended()) return false;
        const Node node = tables[t].nodes()[i];
        for (const Choice c : stages_.model().choices(layer.state(node.slot))) {
          for (const Outcome& o : stages_.model().outcomes(c)) {
            const Node child{static_cast<std::uint32_t>(next_layer.slot(o.next)),
                             stages_.next_residual(t, node.level, o)};
            children_[t].push_back(place(t + 1, child));
          }
          products += stages_.model().outcomes(c).size();
        }
        if (products > in_.most_products || !limits.would_fit(bytes(count, products))) return false;
      }
    }
    return true;
  }

  std::optional<std::vector<Prospect>> run(const Aim& aim, Limits& limits, Work& work) override {
    if (!evaluate(aim, limits, work)) return std::nullopt;
    std::vector<Prospect> out;
    for (const std::int64_t target : in_.targets) {
      out.push_back(prospect_of(aim, in_.free->kind(), pair_at(0, {0, target})));
    }
    return out;
  }

  std::optional<AimedRules> rules(const Aim& aim, Limits& limits) override {
    Work work;
    const std::scoped_lock lock(one_at_a_time_);
    if (!evaluate(aim, limits, work)) return std::nullopt;
    auto points = std::make_shared<SettledPoints>(*points_);
    return AimedRules{ground_, nullptr, std::move(points)};
  }

  std::optional<Rational> exact_probability(const Aim&, std::size_t, Limits&) override {
    return std::nullopt;  // is that of the prospect
  }

  [[nodiscard]] Rational rounded(const Rational& weight) const override { return weight; }

 private:
  // Children that are no nodes: the promise is kept whatever is done, or lost.
  static constexpr std::uint32_t kKept = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kLost = kKept - 1;

  static std::uint64_t bytes(std::uint64_t nodes, std::uint64_t products) {
    constexpr std::uint64_t kPairBytes = 4 * 100;  // rationals of moderate size
    return nodes * (NodeTable::kBytesPerNode + sizeof(Choice) + kPairBytes) + 4 * products;
  }

  [[nodiscard]] bool is_open(std::uint64_t t, const Node& node) const {
    return !windows_.at(t, node.slot).is_free(node.level);
  }
  std::uint32_t place(std::uint64_t t, const Node& node) {
    if (is_open(t, node)) return points_->nodes[t].insert(node);
    return node.level <= windows_.at(t, node.slot).least ? kKept : kLost;
  }

  [[nodiscard]] PromisedWorth pair_at(std::uint64_t t, const Node& node) const {
    if (is_open(t, node)) return later_[points_->nodes[t].find(node)];
    const bool kept = node.level <= windows_.at(t, node.slot).least;
    return {Rational(kept ? 1 : 0), in_.free->at(t, node.slot)};
  }

  // The pair of a choice, whose children begin at `child`.
  PromisedWorth pair_of(std::uint64_t t, Choice c, std::size_t child) const {
    const Layer& next_layer = stages_.layer(t + 1);
    PromisedWorth sum;
    for (const Outcome& o : stages_.model().outcomes(c)) {
      const Rational& p = numbers_.probability(o);
      const std::uint32_t at = children_[t][child++];
      if (at >= kLost) {
        if (at == kKept) sum.probability += p;
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
    points_->choice.resize(horizon + 1);
    later_.clear();
    for (std::uint64_t t = horizon; t-- > 0;) {
      const auto& nodes = points_->nodes[t].nodes();
      std::vector<PromisedWorth> now(nodes.size());
      points_->choice[t].resize(nodes.size());
      std::size_t child = 0;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i % kNodesPerPoll == 0 && limits.ended()) return false;
        bool is_first = true;
        const auto choices = stages_.model().choices(stages_.layer(t).state(nodes[i].slot));
        for (std::size_t k = 0; k < choices.size(); ++k) {
          const Choice c = choices[k];
          const std::size_t children = child;
          child += stages_.model().outcomes(c).size();
          if (!in_.free->allows(t, nodes[i].slot, k)) continue;
          PromisedWorth pair = pair_of(t, c, children);
          if (!is_first && !is_better(aim, in_.free->kind(), pair, now[i])) continue;
          now[i] = std::move(pair);
          points_->choice[t][i] = c;
          is_first = false;
        }
      }
      work.multiply_adds += 2 * child;
      later_ = std::move(now);
      limits.report("best mean", static_cast<double>(horizon - t) / static_cast<double>(horizon));
    }
    ++work.passes;
    return true;
  }

  ExactNodesInput in_;
  const Stages& stages_;
  const Windows& windows_;
  Arithmetics<Rational> numbers_;
  std::shared_ptr<Groundwork> ground_;
  std::shared_ptr<SettledPoints> points_;
  std::vector<std::vector<std::uint32_t>>
      children_;  // by time; of nodes, choices, outcomes in order
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
