#include "evaluate/forward.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/infinite/mass_walk.hpp"
#include "evaluate/infinite/two_numbers.hpp"

namespace quantiplan {
namespace {

// Nodes at which a choice is made, up to as many as anybody waits for.
class NodeCount {
 public:
  struct TooMany {};

  NodeCount(std::uint64_t horizon, bool may_be_too_many)
      : horizon_(horizon), may_be_too_many_(may_be_too_many) {}

  // One more at time t. Throws TooMany.
  void add(std::uint64_t t) {
    ++nodes_;
    if (!may_be_too_many_) return;
    if (t != time_) {
      const std::uint64_t last = nodes_ - 1 - nodes_before_;
      if (nodes_ + last * (horizon_ - t) > kForeseenNodes) throw TooMany{};
      time_ = t;
      nodes_before_ = nodes_ - 1;
    }
    if (nodes_ > kManyNodes) throw TooMany{};
  }
  [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

 private:
  static constexpr std::uint64_t kManyNodes = 10'000'000;
  // A time seldom has fewer nodes than the one before. Where it would take this many if none had
  // fewer, it is not begun: on fine grids nodes double with every step, to no end.
  static constexpr std::uint64_t kForeseenNodes = 4 * kManyNodes;

  std::uint64_t horizon_;
  bool may_be_too_many_;
  std::uint64_t nodes_ = 0;
  std::uint64_t time_ = 0;
  std::uint64_t nodes_before_ = 0;  // of earlier times than this
};

// Nodes are slots of a layer, with the wealth so far.
template <class N>
class SumWalk {
 public:
  SumWalk(const Stages& stages, const Strategy& strategy, NodeCount& count)
      : stages_(stages), strategy_(strategy), count_(count) {}

  [[nodiscard]] Node first(State s) const {
    return {static_cast<std::uint32_t>(stages_.layer(0).slot(s)), 0};
  }
  [[nodiscard]] State state(std::uint64_t t, Node node) const {
    return stages_.layer(t).state(node.slot);
  }
  [[nodiscard]] Choice choose(std::uint64_t t, Node node) const {
    count_.add(t);
    return strategy_.choose(t, node.slot, WealthKey{node.level});
  }
  [[nodiscard]] Node after(std::uint64_t t, Node node, const Outcome& o, const N& p) {
    const WealthScale& scale = stages_.scale();
    if (scale.grid()) {
      true_mean_ += nearest(p) * std::ldexp(scale.in_steps(t, o.reward),
                                            -static_cast<int>(scale.shift_until(t)));
    }
    const std::int64_t later = node.level + stages_.reward_key(t, o);
    return {static_cast<std::uint32_t>(stages_.layer(t + 1).slot(o.next)),
            later * (std::int64_t{1} << scale.shift_after(t))};
  }
  // Final wealth is kept in the steps of the last time.
  void end(std::uint64_t t, Node node, const N& mass) {
    const WealthScale& scale = stages_.scale();
    const unsigned shift = scale.shift_until(stages_.horizon()) - scale.shift_until(t);
    final_.add({0, node.level * (std::int64_t{1} << shift)}, mass);
  }
  [[nodiscard]] std::uint64_t bytes() const { return 2 * final_.bytes(); }

  [[nodiscard]] std::uint64_t most_additions() const { return final_.most_contributions(); }
  // All but the errors. Nullopt if the limits ended it.
  [[nodiscard]] std::optional<Distribution> collect(const Limits& limits) const {
    Pace pace(limits);
    std::vector<std::size_t> order(final_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return final_.table.nodes()[i].level; });
    Distribution d;
    N mean = 0;
    for (const std::size_t i : order) {
      const WealthKey key{final_.table.nodes()[i].level};
      const N& p = final_.probability[i];
      if (pace.after(p)) return std::nullopt;
      mean += p * Arithmetics<N>::key(key.value);
      d.atoms.push_back({stages_.scale().wealth(key, stages_.horizon()), value(p)});
    }
    if constexpr (std::is_same_v<N, double>) {
      d.mean.nearest = mean * to_nearest_double(stages_.scale().unit());
    } else {
      d.mean = value(mean * stages_.scale().unit());
    }
    if (stages_.scale().grid()) {
      // The atoms are rounded, the mean is not.
      d.mean = {true_mean_ * to_nearest_double(stages_.scale().unit()), std::nullopt};
      d.slack = stages_.scale().slack();
    }
    return d;
  }

 private:
  const Stages& stages_;
  const Strategy& strategy_;
  NodeCount& count_;
  NodeMass<N> final_;
  double true_mean_ = 0;  // of the rewards as they are, where wealth is rounded; in steps of time 0
};

template <class N>
std::optional<Distribution> run_forward(const Stages& stages,
                                        const Strategy& strategy,
                                        Limits& limits,
                                        NodeCount& count) {
  SumWalk<N> walk(stages, strategy, count);
  MassWalk<N, SumWalk<N>> pass(
      stages.model(), stages.setting().initial, stages.horizon(), walk, limits);
  if (!pass.run()) return std::nullopt;
  std::optional<Distribution> d = walk.collect(limits);
  if (d) pass.bound_errors(*d, walk.most_additions());
  return d;
}

}  // namespace

std::optional<Distribution> distribution_of(const Stages& stages,
                                            const Strategy& strategy,
                                            Arithmetic arithmetic,
                                            Limits& limits,
                                            bool* too_many) {
  // A rational step costs about a hundred times a step in doubles: exact where that is unnoticed.
  constexpr std::uint64_t kFewNodes = 20'000;
  NodeCount exact_count(stages.horizon(), false);
  NodeCount count(stages.horizon(), too_many != nullptr && stages.scale().grid());
  if (arithmetic != Arithmetic::exact) {
    try {
      auto floating = run_forward<double>(stages, strategy, limits, count);
      const bool is_small = count.nodes() <= kFewNodes;
      if (!floating || arithmetic == Arithmetic::floating || !is_small) return floating;
    } catch (const NodeCount::TooMany&) {
      *too_many = true;
      return std::nullopt;
    }
  }
  return run_forward<Rational>(stages, strategy, limits, exact_count);
}

}  // namespace quantiplan
