#include "evaluate/forward.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/infinite/mass_walk.hpp"
#include "evaluate/infinite/two_numbers.hpp"

namespace quantiplan {
namespace {

// Nodes are slots of a layer, with the wealth so far.
template <class N>
class SumWalk {
 public:
  SumWalk(const Stages& stages, const Strategy& strategy, const Visit& visit)
      : stages_(stages), strategy_(strategy), visit_(visit) {}

  [[nodiscard]] static Node first() { return {0, 0}; }
  [[nodiscard]] State state(std::uint64_t t, Node node) const {
    return stages_.layer(t).state(node.slot);
  }
  [[nodiscard]] Choice choose(std::uint64_t t, Node node) const {
    const WealthKey wealth{node.level};
    const Choice choice = strategy_.choose(t, node.slot, wealth);
    if (visit_) visit_(t, node.slot, wealth, choice);
    return choice;
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
  const Visit& visit_;
  NodeMass<N> final_;
  double true_mean_ = 0;  // of the rewards as they are, where wealth is rounded; in steps of time 0
};

}  // namespace

template <class N>
std::optional<Distribution> run_forward(const Stages& stages,
                                        const Strategy& strategy,
                                        Limits& limits,
                                        const Visit& visit) {
  SumWalk<N> walk(stages, strategy, visit);
  MassWalk<N, SumWalk<N>> pass(stages.model(), stages.horizon(), walk, limits);
  if (!pass.run()) return std::nullopt;
  std::optional<Distribution> d = walk.collect(limits);
  if (d) pass.bound_errors(*d, walk.most_additions());
  return d;
}

template std::optional<Distribution> run_forward<double>(const Stages&,
                                                         const Strategy&,
                                                         Limits&,
                                                         const Visit&);
template std::optional<Distribution> run_forward<Rational>(const Stages&,
                                                           const Strategy&,
                                                           Limits&,
                                                           const Visit&);

std::optional<Distribution> distribution_of(const Stages& stages,
                                            const Strategy& strategy,
                                            Arithmetic arithmetic,
                                            Limits& limits,
                                            bool* too_many) {
  if (arithmetic == Arithmetic::exact) return run_forward<Rational>(stages, strategy, limits);
  // A rational step costs about a hundred times a step in doubles: exact where that is unnoticed.
  constexpr std::uint64_t kFewNodes = 20'000;
  constexpr std::uint64_t kManyNodes = 10'000'000;
  // A time seldom has fewer nodes than the one before. Where it would take this many if none had
  // fewer, it is not begun: on fine grids nodes double with every step, to no end.
  constexpr std::uint64_t kForeseenNodes = 4 * kManyNodes;
  struct TooMany {};
  const bool may_be_too_many = too_many != nullptr && stages.scale().grid();
  std::uint64_t nodes = 0;
  std::uint64_t time = 0;
  std::uint64_t nodes_before = 0;  // of earlier times than this
  const Visit count = [&](std::uint64_t t, std::size_t, WealthKey, Choice) {
    ++nodes;
    if (!may_be_too_many) return;
    if (t != time) {
      const std::uint64_t last = nodes - 1 - nodes_before;
      if (nodes + last * (stages.horizon() - t) > kForeseenNodes) throw TooMany{};
      time = t;
      nodes_before = nodes - 1;
    }
    if (nodes > kManyNodes) throw TooMany{};
  };
  try {
    auto floating = run_forward<double>(stages, strategy, limits, count);
    if (!floating || arithmetic == Arithmetic::floating || nodes > kFewNodes) return floating;
  } catch (const TooMany&) {
    *too_many = true;
    return std::nullopt;
  }
  return run_forward<Rational>(stages, strategy, limits);
}

}  // namespace quantiplan
