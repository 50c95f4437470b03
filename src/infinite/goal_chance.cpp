#include "infinite/goal_chance.hpp"

#include <algorithm>
#include <tuple>

#include "infinite/levels/whole.hpp"

namespace quantiplan {

std::optional<GoalChance> goal_chance(const Model& model,
                                      const ResolvedSetting& setting,
                                      Limits& limits) {
  GoalChance out;
  out.low.assign(model.state_count(), 0);
  out.high.assign(model.state_count(), 0);
  out.choice.assign(model.state_count(), Choice{});
  const auto moves = Moves::lay_out(model, setting, limits);
  if (!moves) return std::nullopt;
  Weights weights;
  weights.of_arc.assign(moves->graph.next.size(), 0);
  const Event event{!setting.adversarial, setting.adversarial ? Miss::best : Miss::worst};
  const EpochProblem problem{*moves, weights, event};
  const auto fill = [&](const auto& whole, const auto& bounds) {
    for (std::uint32_t v = 0; v < moves->slots(); ++v) {
      const std::size_t s = index(moves->state[v]);
      std::tie(out.low[s], out.high[s]) = bounds(whole.value[v], whole.error);
      if (moves->end[v] == End::none) out.choice[s] = moves->choice[whole.choice[v]];
    }
  };
  constexpr std::size_t kSmall = 300;
  std::optional<WholeValues<Exact>> exact;
  if (moves->slots() <= kSmall) exact = base_of<Exact>(problem, limits);
  if (exact) {
    fill(*exact, [](const Rational& v, double) { return std::pair(v, v); });
    return out;
  }
  const auto real = base_of<Real>(problem, limits);
  if (!real) return std::nullopt;
  fill(*real, [](double v, double error) {
    const Rational low = Rational(v) - Rational(std::min(error, 1.0));
    const Rational high = Rational(v) + Rational(std::min(error, 1.0));
    return std::pair(std::max<Rational>(low, 0), std::min<Rational>(high, 1));
  });
  return out;
}

}  // namespace quantiplan
