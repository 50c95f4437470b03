#include "evaluate/forward.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/infinite/pace.hpp"
#include "evaluate/infinite/two_numbers.hpp"
#include "numbers/rounding_bound.hpp"

namespace quantiplan {
namespace {

// Probability by node, with the number of contributions each collected.
template <class N>
struct Mass {
  NodeTable table;
  std::vector<N> probability;
  std::vector<std::uint32_t> contributions;

  void add(Node node, const N& p) {
    const std::uint32_t at = table.insert(node);
    if (at == probability.size()) {
      probability.push_back(p);
      contributions.push_back(1);
    } else {
      probability[at] += p;
      ++contributions[at];
    }
  }
  [[nodiscard]] std::uint64_t most_contributions() const {
    return contributions.empty() ? 0 : *std::ranges::max_element(contributions);
  }
  // What it holds now. Numbers of one time are of one kind: the last one stands for all.
  [[nodiscard]] std::uint64_t bytes() const {
    constexpr std::uint64_t kPerNode = NodeTable::kBytesPerNode + 4;
    return table.size() * (kPerNode + (probability.empty() ? 0 : bytes_of(probability.back())));
  }
};

template <class N>
class Forward {
 public:
  Forward(const Stages& stages, const Strategy& strategy, Limits& limits, const Visit& visit)
      : stages_(stages),
        strategy_(strategy),
        limits_(limits),
        visit_(visit),
        numbers_(stages.model()),
        pace_(limits) {}

  std::optional<Distribution> run() {
    Mass<N> now;
    now.add({0, 0}, N(1));
    for (std::uint64_t t = 0; t < stages_.horizon(); ++t) {
      Mass<N> next;
      for (std::size_t i = 0; i < now.table.size(); ++i) {
        if (pace_.has_ended()) return std::nullopt;
        if (i == 0 || products_ >= next_look_) {
          next_look_ = products_ + 4096;
          if (limits_.ended()) return std::nullopt;
          if (!limits_.would_fit(2 * (now.bytes() + next.bytes() + final_.bytes()))) {
            limits_.take(2 * (now.bytes() + next.bytes() + final_.bytes()), "the forward pass");
          }
        }
        step(t, now.table.nodes()[i], now.probability[i], next);
      }
      roundings_ += static_cast<unsigned long>(next.most_contributions() + 2);
      now = std::move(next);
      limits_.report("forward pass",
                     static_cast<double>(t + 1) / static_cast<double>(stages_.horizon()));
    }
    for (std::size_t i = 0; i < now.table.size(); ++i) {
      finish(stages_.horizon(), now.table.nodes()[i].level, now.probability[i]);
    }
    return collect();
  }

 private:
  void step(std::uint64_t t, Node node, const N& mass, Mass<N>& next) {
    const State s = stages_.layer(t).state(node.slot);
    if (stages_.model().is_terminal(s)) {
      finish(t, node.level, mass);
      return;
    }
    const WealthKey wealth{node.level};
    const Choice choice = strategy_.choose(t, node.slot, wealth);
    if (visit_) visit_(t, node.slot, wealth, choice);
    const Layer& next_layer = stages_.layer(t + 1);
    for (const Outcome& o : stages_.model().outcomes(choice)) {
      const N p = numbers_.probability(o) * mass;
      if (pace_.after(p)) return;
      ++products_;
      const std::int64_t later = node.level + stages_.reward_key(t, o);
      next.add({static_cast<std::uint32_t>(next_layer.slot(o.next)),
                later * (std::int64_t{1} << stages_.scale().shift_after(t))},
               p);
      if (stages_.scale().grid()) {
        true_mean_ += nearest(p) * std::ldexp(stages_.scale().in_steps(t, o.reward),
                                              -static_cast<int>(stages_.scale().shift_until(t)));
      }
    }
  }

  // Final wealth is kept in the steps of the last time.
  void finish(std::uint64_t t, std::int64_t level, const N& mass) {
    const WealthScale& scale = stages_.scale();
    const unsigned shift = scale.shift_until(stages_.horizon()) - scale.shift_until(t);
    final_.add({0, level * (std::int64_t{1} << shift)}, mass);
  }

  // Nullopt if the limits ended it.
  std::optional<Distribution> collect() {
    std::vector<std::size_t> order(final_.table.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return final_.table.nodes()[i].level; });
    Distribution d;
    N mean = 0;
    for (const std::size_t i : order) {
      const WealthKey key{final_.table.nodes()[i].level};
      const N& p = final_.probability[i];
      if (pace_.after(p)) return std::nullopt;
      mean += p * Arithmetics<N>::key(key.value);
      d.atoms.push_back({stages_.scale().wealth(key, stages_.horizon()), value(p)});
    }
    if constexpr (std::is_same_v<N, double>) {
      // Sums of atoms add one rounding for each; a product that underflows loses less than 2^-1074.
      roundings_ += static_cast<unsigned long>(final_.most_contributions() + order.size());
      const RoundingBound bound = RoundingBound::after(roundings_, 0);
      d.relative_error = std::nextafter(to_nearest_double(bound.relative), 2.0);
      d.absolute_error = static_cast<double>(products_) * 0x1p-1074;
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

  const Stages& stages_;
  const Strategy& strategy_;
  Limits& limits_;
  const Visit& visit_;
  Arithmetics<N> numbers_;
  Pace pace_;
  Mass<N> final_;
  double true_mean_ = 0;  // of the rewards as they are, where wealth is rounded; in steps of time 0
  Integer roundings_ = 0;
  std::uint64_t products_ = 0;
  std::uint64_t next_look_ = 0;  // limits are looked at every so many products
};

}  // namespace

template <class N>
std::optional<Distribution> run_forward(const Stages& stages,
                                        const Strategy& strategy,
                                        Limits& limits,
                                        const Visit& visit) {
  return Forward<N>(stages, strategy, limits, visit).run();
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
