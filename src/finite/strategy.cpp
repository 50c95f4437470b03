#include "finite/strategy.hpp"

#include <fmt/format.h>

#include <limits>

#include "quantiplan/error.hpp"

namespace quantiplan {

Choice ResidualRule::choose(std::uint64_t time, std::size_t slot, std::int64_t residual) const {
  const Window& window = ground_->windows->at(time, slot);
  if (window.is_free(residual)) return ground_->expectation_choice[time][slot];
  if (residual <= window.sure) return window.sure_choice;
  if (points_) {
    const std::uint32_t node =
        points_->nodes[time].find({static_cast<std::uint32_t>(slot), residual});
    if (node != NodeTable::kAbsent) return points_->choice[time][node];
  }
  const Stages& stages = *ground_->stages;
  const State s = stages.layer(time).state(slot);
  const std::uint32_t local = decisions_->at(time, slot, residual).choice;
  return stages.model().choices(s)[static_cast<std::ptrdiff_t>(local)];
}

TableStrategy::TableStrategy(const Stages& stages, const Policy& policy) : stages_(stages) {
  // i <= upto  iff  wealth >= target index - upto, in steps of the time.
  const auto by_index = [&](const Rational& target, std::uint64_t at, const Rational& upto) {
    Rational shifted;
    mpq_mul_2exp(shifted.get_mpq_t(), target.get_mpq_t(), stages.scale().shift_until(at));
    return WealthKey{static_cast<std::int64_t>(Rational(shifted - upto).get_num().get_si())};
  };
  runs_.resize(stages.horizon());
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) runs_[t].resize(stages.layer(t).size());
  Rational power = 1;  // gamma^t: a residual y at time t is gamma^t y in time-0 units
  std::uint64_t time = 0;
  for (const PolicyRule& rule : policy.rules) {
    for (; time < rule.time; ++time) power *= policy.setting.discount;
    if (rule.time >= stages.horizon()) break;
    const Layer& layer = stages.layer(rule.time);
    const std::size_t slot = layer.slot(rule.state);
    // A rule for a state that cannot be met then is harmless.
    if (slot >= layer.size() || layer.state(slot) != rule.state) continue;
    for (const PolicyRun& run : rule.runs) {
      // y <= upto  iff  target - wealth <= gamma^t upto  iff  wealth >= target - gamma^t upto.
      WealthKey at_least{std::numeric_limits<std::int64_t>::min()};
      if (run.upto) {
        if (!policy.target) {
          throw Error(ErrorCode::bad_policy,
                      "policy",
                      "found a rule by residual target, expected the policy to have a target");
        }
        at_least = policy.grid ? by_index(*policy.target / policy.grid->unit, rule.time, *run.upto)
                               : stages.scale().ceiling(*policy.target - power * *run.upto);
      }
      runs_[rule.time][slot].push_back({at_least, run.choice});
    }
  }
}

Choice TableStrategy::choose(std::uint64_t time, std::size_t slot, WealthKey wealth) const {
  for (const Run& run : runs_[time][slot]) {
    if (wealth >= run.at_least) return run.choice;
  }
  const State s = stages_.layer(time).state(slot);
  throw Error(
      ErrorCode::bad_policy,
      "policy",
      fmt::format("no rule for state '{}' at time {} with a total of {} so far, expected one "
                  "since the policy can get there",
                  stages_.model().state_name(s),
                  time,
                  to_text(stages_.scale().wealth(wealth, time))));
}

}  // namespace quantiplan
