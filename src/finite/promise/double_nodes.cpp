#include "finite/promise/double_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <tuple>
#include <utility>

#include "finite/mean_error.hpp"
#include "finite/means/node_means.hpp"
#include "finite/pass/contested.hpp"
#include "finite/promise/node_graph.hpp"
#include "finite/promise/optimum_error.hpp"
#include "numbers/rounding_bound.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kPairsPerPoll = 1024;

class DoubleNodes : public PromisePasses {
 public:
  explicit DoubleNodes(const DoubleNodesInput& input)
      : in_(input),
        stages_(*input.stages),
        numbers_(stages_.model()),
        ground_(std::make_shared<Groundwork>()),
        open_(std::make_shared<Windows>(input.windows->down_to_least())),
        graph_(stages_, *open_),
        bound_(RoundingBound::of_backward_pass(stages_.sums(), stages_.most_terms())),
        mean_error_(error_of_means(stages_)),
        optimum_error_(stages_, *input.expectation, OutcomeGain(stages_, nullptr)),
        contest_(stages_.sums(), stages_.most_terms()) {
    ground_->stages = input.stages;
    ground_->windows = open_;
    ground_->expectation_choice = input.expectation->choices();
  }

  bool expand(Limits& limits) {
    return graph_.expand(in_.targets, in_.most_products, limits, 2 * sizeof(Pair));
  }

  std::optional<std::vector<Prospect>> run(const Aim& aim, Limits& limits, Work& work) override {
    if (!evaluate(aim, limits, work)) return std::nullopt;
    std::vector<Prospect> out;
    out.reserve(in_.targets.size());
    for (const std::int64_t target : in_.targets) out.push_back(prospect_at(target, aim));
    return out;
  }

  std::optional<AimedRules> rules(const Aim& aim, Limits& limits) override {
    Work work;
    const std::scoped_lock lock(one_at_a_time_);
    if (!evaluate(aim, limits, work)) return std::nullopt;
    return AimedRules{ground_, nullptr, std::make_shared<SettledPoints>(graph_.points())};
  }

  std::optional<Rational> exact_probability(const Aim& aim,
                                            std::size_t target,
                                            Limits& limits) override {
    // Some tenths of a second.
    constexpr std::uint64_t kMostNodes = 100'000;
    const auto found = rules(aim, limits);
    if (!found) return std::nullopt;
    const ResidualRule rule(found->ground, nullptr, found->points);
    return node_chance(*ground_, rule, in_.targets[target], kMostNodes, limits);
  }

  [[nodiscard]] Rational rounded(const Rational& weight) const override {
    return Rational(to_nearest_double(weight));
  }
  [[nodiscard]] bool is_exact() const override { return false; }

 private:
  struct Pair {
    double optimum = 0;  // M: E + l P, or P where it comes first
    double probability = 0;
    double mean = 0;
  };

  [[nodiscard]] Pair outside(std::uint32_t at, std::uint64_t t, std::size_t slot) const {
    const double p = at == NodeGraph::kBelow ? 1 : 0;
    const double free = in_.expectation->value(t, slot);
    return {free + weight_ * p, p, free};
  }
  [[nodiscard]] Pair pair_at(std::uint64_t t, const Node& node) const {
    const std::uint32_t at = graph_.find(t, node);
    return at < NodeGraph::kAbove ? later_[at] : outside(at, t, node.slot);
  }

  // Of a choice, whose children begin at `child`.
  [[nodiscard]] Pair pair_of(std::uint64_t t, Choice c, std::size_t child) const {
    const Layer& next_layer = stages_.layer(t + 1);
    Pair sum;
    for (const Outcome& o : stages_.model().outcomes(c)) {
      const double p = numbers_.probability(o);
      const double reward = Arithmetics<double>::reward(stages_, t, o);
      const std::uint32_t at = graph_.children(t)[child++];
      const Pair next =
          at < NodeGraph::kAbove ? later_[at] : outside(at, t + 1, next_layer.slot(o.next));
      sum.optimum += p * (reward + next.optimum);
      sum.probability += p * next.probability;
      sum.mean += p * (reward + next.mean);
    }
    return sum;
  }

  // Whether the choice keeps the promise surely.
  [[nodiscard]] bool is_sure(std::uint64_t t, std::int64_t level, Choice c) const {
    const Layer& next_layer = stages_.layer(t + 1);
    return std::ranges::all_of(stages_.model().outcomes(c), [&](const Outcome& o) {
      return stages_.next_residual(t, level, o) <=
             in_.windows->at(t + 1, next_layer.slot(o.next)).sure;
    });
  }

  [[nodiscard]] bool is_close(double a, double b) const {
    const double size = std::abs(a) + std::abs(b) + weight_;
    return std::abs(a - b) <= 0x1p-50 * static_cast<double>(stages_.most_terms() + 6) * size;
  }
  [[nodiscard]] bool is_better(const Pair& a, const Pair& b, bool probability_first) const {
    if (!probability_first)
      return is_close(a.optimum, b.optimum) ? a.probability > b.probability : a.optimum > b.optimum;
    const bool is_open = contest_.is_open(std::max(a.probability, b.probability),
                                          std::min(a.probability, b.probability));
    if (!is_open) return a.probability > b.probability;
    return a.mean > b.mean && !is_close(a.mean, b.mean);
  }

  // The best pair at a node, with the greatest M of all; its children begin at `child`.
  std::pair<Pair, Choice> best_at(std::uint64_t t,
                                  const Node& node,
                                  bool probability_first,
                                  std::size_t& child) const {
    const bool surely = probability_first && node.level <= in_.windows->at(t, node.slot).sure;
    std::pair<Pair, Choice> best;
    bool is_first = true;
    double optimum = -std::numeric_limits<double>::infinity();
    for (const Choice c : stages_.model().choices(stages_.layer(t).state(node.slot))) {
      const std::size_t children = child;
      child += stages_.model().outcomes(c).size();
      if (surely && !is_sure(t, node.level, c)) continue;
      Pair pair = pair_of(t, c, children);
      if (surely) pair.probability = 1;
      optimum = std::max(optimum, pair.optimum);
      if (!is_first && !is_better(pair, best.first, probability_first)) continue;
      best = {pair, c};
      is_first = false;
    }
    best.first.optimum = optimum;
    return best;
  }

  bool evaluate(const Aim& aim, Limits& limits, Work& work) {
    weight_ = aim.weight ? to_nearest_double(*aim.weight) : 0;
    const std::uint64_t horizon = stages_.horizon();
    auto& chosen = graph_.points().choice;
    chosen.resize(horizon + 1);
    later_.clear();
    for (std::uint64_t t = horizon; t-- > 0;) {
      const auto& nodes = graph_.nodes(t);
      std::vector<Pair> now(nodes.size());
      chosen[t].resize(nodes.size());
      std::size_t child = 0;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i % kPairsPerPoll == 0 && limits.ended()) return false;
        std::tie(now[i], chosen[t][i]) = best_at(t, nodes[i], !aim.weight, child);
        work.backups += stages_.model().choices(stages_.layer(t).state(nodes[i].slot)).size();
      }
      work.multiply_adds += 3 * child;
      work.breakpoints += nodes.size();
      later_ = std::move(now);
      limits.report("best mean", static_cast<double>(horizon - t) / static_cast<double>(horizon));
    }
    ++work.passes;
    return true;
  }

  // Where the initial state is drawn, the mean of all.
  [[nodiscard]] Prospect prospect_at(std::int64_t target, const Aim& aim) const {
    Pair at;
    for (std::uint32_t slot = 0; slot < stages_.starts(); ++slot) {
      const double mu = stages_.starts() == 1 ? 1 : stages_.start_probability<double>(slot);
      const Pair pair = pair_at(0, {slot, target});
      at.optimum += mu * pair.optimum;
      at.probability += mu * pair.probability;
      at.mean += mu * pair.mean;
    }
    const Window window = in_.windows->start();
    Prospect out;
    out.chance = Rational(at.probability);
    out.mean = Rational(at.mean);
    out.mean_error = Rational(mean_error_);
    if (target <= window.least || (!aim.weight && target <= window.sure)) {
      out.probability = Value::exactly(1);
    } else if (target > window.possible) {
      out.probability = Value::exactly(0);
    } else {
      out.probability = Value::between(bound_.least(at.probability), bound_.most(at.probability));
    }
    if (aim.weight) out.optimum = Rational(at.optimum) + Rational(optimum_error_.of(weight_));
    return out;
  }

  DoubleNodesInput in_;
  const Stages& stages_;
  Arithmetics<double> numbers_;
  std::shared_ptr<Groundwork> ground_;
  std::shared_ptr<const Windows> open_;  // down to least
  NodeGraph graph_;
  RoundingBound bound_;
  double mean_error_;
  OptimumError optimum_error_;
  Contest<double> contest_;
  double weight_ = 0;
  std::vector<Pair> later_;
  std::mutex one_at_a_time_;  // the results' policies may be asked for by several threads
};

}  // namespace

std::unique_ptr<PromisePasses> double_nodes(const DoubleNodesInput& input, Limits& limits) {
  auto nodes = std::make_unique<DoubleNodes>(input);
  if (!nodes->expand(limits)) return nullptr;
  return nodes;
}

}  // namespace quantiplan
