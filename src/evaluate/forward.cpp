#include "evaluate/forward.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/forward_doubles.hpp"
#include "evaluate/infinite/mass_walk.hpp"
#include "evaluate/infinite/two_numbers.hpp"
#include "evaluate/signed_sum.hpp"

namespace quantiplan {
namespace {

// Nodes are slots of a layer, with the wealth so far.
class SumWalk {
 public:
  SumWalk(const Stages& stages, const Strategy& strategy) : stages_(stages), strategy_(strategy) {}

  [[nodiscard]] Node first(State s) const {
    return {static_cast<std::uint32_t>(stages_.layer(0).slot(s)), 0};
  }
  [[nodiscard]] State state(std::uint64_t t, Node node) const {
    return stages_.layer(t).state(node.slot);
  }
  [[nodiscard]] Choice choose(std::uint64_t t, Node node) const {
    return strategy_.choose(t, node.slot, WealthKey{node.level});
  }
  [[nodiscard]] Node after(std::uint64_t t, Node node, const Outcome& o, const Rational& p) {
    const WealthScale& scale = stages_.scale();
    if (scale.grid()) {
      true_mean_.add(nearest(p) * std::ldexp(scale.in_steps(t, o.reward),
                                             -static_cast<int>(scale.shift_until(t))));
    }
    const std::int64_t later = node.level + stages_.reward_key(t, o);
    return {static_cast<std::uint32_t>(stages_.layer(t + 1).slot(o.next)),
            later * (std::int64_t{1} << scale.shift_after(t))};
  }
  // Final wealth is kept in the steps of the last time.
  void end(std::uint64_t t, Node node, const Rational& mass) {
    const WealthScale& scale = stages_.scale();
    const unsigned shift = scale.shift_until(stages_.horizon()) - scale.shift_until(t);
    final_.add({0, node.level * (std::int64_t{1} << shift)}, mass);
  }
  [[nodiscard]] std::uint64_t bytes() const { return 2 * final_.bytes(); }

  // All but the errors. Nullopt if the limits ended it.
  [[nodiscard]] std::optional<Distribution> collect(const Limits& limits) const {
    Pace pace(limits);
    std::vector<std::size_t> order(final_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return final_.table.nodes()[i].level; });
    Distribution d;
    Rational mean = 0;
    for (const std::size_t i : order) {
      const WealthKey key{final_.table.nodes()[i].level};
      const Rational& p = final_.probability[i];
      if (pace.after(p)) return std::nullopt;
      mean += p * Arithmetics<Rational>::key(key.value);
      d.atoms.push_back({stages_.scale().wealth(key, stages_.horizon()), value(p)});
    }
    d.mean = value(mean * stages_.scale().unit());
    if (stages_.scale().grid()) {
      // The atoms are rounded, the mean is not.
      d.mean = true_mean_.value(stages_.scale().unit(), 0);
      d.slack = stages_.scale().slack();
    }
    return d;
  }

 private:
  const Stages& stages_;
  const Strategy& strategy_;
  NodeMass<Rational> final_;
  SignedSum true_mean_;  // of the rewards as they are, where wealth is rounded; in steps of time 0
};

std::optional<Distribution> run_exactly(const Stages& stages,
                                        const Strategy& strategy,
                                        Limits& limits) {
  SumWalk walk(stages, strategy);
  MassWalk<Rational, SumWalk> pass(
      stages.model(), stages.setting().initial, stages.horizon(), walk, limits);
  if (!pass.run()) return std::nullopt;
  return walk.collect(limits);
}

}  // namespace

std::optional<Distribution> distribution_of(const Stages& stages,
                                            const Strategy& strategy,
                                            Arithmetic arithmetic,
                                            Limits& limits,
                                            bool* too_many) {
  // A rational step costs about a hundred times a step in doubles: exact where that is unnoticed.
  constexpr std::uint64_t kFewNodes = 20'000;
  if (arithmetic != Arithmetic::exact) {
    ForwardDoubles pass(stages, strategy, limits, too_many != nullptr && stages.scale().grid());
    auto floating = pass.run();
    if (pass.is_too_large()) {
      *too_many = true;
      return std::nullopt;
    }
    const bool is_small = pass.nodes() <= kFewNodes;
    if (!floating || arithmetic == Arithmetic::floating || !is_small) return floating;
  }
  return run_exactly(stages, strategy, limits);
}

}  // namespace quantiplan
