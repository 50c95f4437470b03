#include "finite/solve/point_search.hpp"

#include <algorithm>

namespace quantiplan {
namespace {

class PointSearch {
 public:
  PointSearch(const Stages& stages,
              const Windows& windows,
              const ValueBounds& bounds,
              bool whole_policy,
              std::uint64_t most_nodes,
              const Limits& limits,
              Work& work)
      : whole_policy_(whole_policy),
        stages_(stages),
        windows_(windows),
        bounds_(bounds),
        most_nodes_(most_nodes),
        limits_(limits),
        work_(work),
        numbers_(stages.model()),
        // Both bounds err by a factor within 1 +- gamma_n: see contested.hpp.
        certainly_worse_(1.0 - 8.0 * 1.2e-16 * static_cast<double>(stages.horizon()) *
                                   (static_cast<double>(stages.model().most_outcomes()) + 2)),
        points_(std::make_shared<SettledPoints>()) {}

  std::optional<Found> run(std::int64_t target) {
    const Window window = windows_.start();
    if (target <= window.sure) return Found{1, nullptr};
    if (target > window.possible) return Found{0, nullptr};
    if (!expand(target) || !evaluate()) return std::nullopt;
    const auto value = stages_.drawn<double>([&](std::size_t slot) {
      const Window& w = windows_.at(0, slot);
      if (target <= w.sure) return 1.0;
      if (target > w.possible) return 0.0;
      return later_[points_->nodes[0].find({static_cast<std::uint32_t>(slot), target})];
    });
    return Found{value, points_};
  }

 private:
  // What is known of a child: a value, or the node that stands for it.
  struct Child {
    double known = 0;
    std::uint32_t node = NodeTable::kAbsent;
  };

  bool expand(std::int64_t target) {
    const std::uint64_t horizon = stages_.horizon();
    points_->nodes.resize(horizon + 1);
    choices_.resize(horizon + 1);
    for (std::uint32_t slot = 0; slot < stages_.starts(); ++slot) {
      const Window& w = windows_.at(0, slot);
      if (target > w.sure && target <= w.possible) points_->nodes[0].insert({slot, target});
    }
    std::uint64_t count = 0;
    for (std::uint64_t t = 0; t < horizon; ++t) {
      NodeTable& now = points_->nodes[t];
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (++count > most_nodes_) return false;
        if (count % 1024 == 0 && (limits_.ended() || !limits_.would_fit(bytes(count))))
          return false;
        follow(t, now.nodes()[i]);
      }
    }
    work_.backups += count;
    return true;
  }

  // Nodes and what is kept of them, with room for arrays that double and are copied; and a choice
  // and two values by node, for the evaluation.
  [[nodiscard]] std::uint64_t bytes(std::uint64_t nodes) const {
    constexpr std::uint64_t kBytesPerNode = 2 * NodeTable::kBytesPerNode + 2 * sizeof(std::size_t) +
                                            sizeof(Choice) + 2 * sizeof(double);
    return nodes * kBytesPerNode +
           2 * (kept_choices_ * sizeof(Choice) + kept_children_ * sizeof(Child));
  }

  // The choices of a node that can be the best, and the children they lead to.
  void follow(std::uint64_t t, const Node& node) {
    const Model& model = stages_.model();
    const State s = stages_.layer(t).state(node.slot);
    uppers_.clear();
    double best_lower = -1;
    for (const Choice c : model.choices(s)) {
      double lower = 0;
      double upper = 0;
      for (const Outcome& o : model.outcomes(c)) {
        const ValueBounds::Pair pair = bounds_of(t, node, o);
        lower += numbers_.probability(o) * pair.lower;
        upper += numbers_.probability(o) * pair.upper;
      }
      work_.multiply_adds += 2 * model.outcomes(c).size();
      best_lower = std::max(best_lower, lower);
      uppers_.push_back(upper);
    }
    auto& kept = choices_[t];
    std::size_t local = 0;
    for (const Choice c : model.choices(s)) {
      if (uppers_[local++] < best_lower * certainly_worse_) continue;
      kept.choice.push_back(c);
      ++kept_choices_;
      kept_children_ += model.outcomes(c).size();
      for (const Outcome& o : model.outcomes(c)) kept.child.push_back(child_of(t, node, o));
    }
    kept.choices_end.push_back(kept.choice.size());
  }

  [[nodiscard]] ValueBounds::Pair bounds_of(std::uint64_t t,
                                            const Node& node,
                                            const Outcome& o) const {
    const std::size_t slot = stages_.layer(t + 1).slot(o.next);
    const std::int64_t level = stages_.next_residual(t, node.level, o);
    const Window& w = windows_.at(t + 1, slot);
    if (level <= w.sure) return {1, 1};
    if (level > w.possible) return {0, 0};
    return bounds_.at(t + 1, slot, level);
  }

  // Outside the window, where no decision is needed to know D.
  [[nodiscard]] bool is_outside(std::uint64_t t, const Node& node, const Outcome& o) const {
    const Window& w = windows_.at(t + 1, stages_.layer(t + 1).slot(o.next));
    const std::int64_t level = stages_.next_residual(t, node.level, o);
    return level <= w.sure || level > w.possible;
  }

  Child child_of(std::uint64_t t, const Node& node, const Outcome& o) {
    const ValueBounds::Pair pair = bounds_of(t, node, o);
    const bool certain = pair.lower == pair.upper;
    const bool decided = certain && is_outside(t, node, o);
    if (decided || (certain && !whole_policy_)) return {pair.lower, NodeTable::kAbsent};
    const auto slot = static_cast<std::uint32_t>(stages_.layer(t + 1).slot(o.next));
    return {0, points_->nodes[t + 1].insert({slot, stages_.next_residual(t, node.level, o)})};
  }

  bool evaluate() {
    const Model& model = stages_.model();
    points_->choice.resize(stages_.horizon() + 1);
    for (std::uint64_t t = stages_.horizon(); t-- > 0;) {
      const Kept& kept = choices_[t];
      std::vector<double> now(points_->nodes[t].size(), -1);
      points_->choice[t].resize(now.size());
      std::size_t at = 0;
      std::size_t child = 0;
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (i % 1024 == 0 && limits_.ended()) return false;
        for (; at < kept.choices_end[i]; ++at) {
          double sum = 0;
          for (const Outcome& o : model.outcomes(kept.choice[at])) {
            const Child& c = kept.child[child++];
            sum +=
                numbers_.probability(o) * (c.node == NodeTable::kAbsent ? c.known : later_[c.node]);
          }
          if (sum <= now[i]) continue;
          now[i] = sum;
          points_->choice[t][i] = kept.choice[at];
        }
      }
      work_.multiply_adds += child;
      later_ = std::move(now);
    }
    return true;
  }

  // By node of one time, in the order of its table.
  struct Kept {
    std::vector<std::size_t> choices_end;
    std::vector<Choice> choice;
    std::vector<Child> child;  // of all choices, outcome by outcome
  };

  bool whole_policy_;
  const Stages& stages_;
  const Windows& windows_;
  const ValueBounds& bounds_;
  std::uint64_t most_nodes_;
  const Limits& limits_;
  Work& work_;
  Arithmetics<double> numbers_;
  double certainly_worse_;
  std::shared_ptr<SettledPoints> points_;
  std::vector<Kept> choices_;
  std::uint64_t kept_choices_ = 0;
  std::uint64_t kept_children_ = 0;
  std::vector<double> uppers_;
  std::vector<double> later_;
};

}  // namespace

std::optional<Found> search_point(const Stages& stages,
                                  const Windows& windows,
                                  const ValueBounds& bounds,
                                  std::int64_t target,
                                  bool whole_policy,
                                  std::uint64_t most_nodes,
                                  const Limits& limits,
                                  Work& work) {
  return PointSearch(stages, windows, bounds, whole_policy, most_nodes, limits, work).run(target);
}

}  // namespace quantiplan
