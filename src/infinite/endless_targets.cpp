#include "infinite/endless_targets.hpp"

#include <algorithm>

#include "numbers/floor.hpp"

namespace quantiplan {

EndlessTargets::EndlessTargets(std::shared_ptr<EndlessGround> ground) : ground_(std::move(ground)) {
  auto weights = exact_weights(ground_->moves);
  const bool exactly = ground_->options.arithmetic == Arithmetic::exact;
  if (!weights && exactly) refuse_without_unit();
  if (weights) exact_ = make(*std::move(weights), exactly ? ~0ULL : kExactWork);
}

std::optional<EndlessTargets::Counted> EndlessTargets::counted(const Total& target, bool strictly) {
  if (exact_) {
    if (auto chance = exact_->chance(target, strictly)) {
      const Value high = chance->upper;
      return Counted{exact_->ground(), *std::move(chance), high};
    }
  }
  std::optional<Counted> best;
  Rational unit = greatest_reward_size(ground_->moves) / 4;
  constexpr int kMostRounds = 24;
  constexpr double kClose = 1e-6;
  for (int round = 0; round < kMostRounds && !ground_->limits.ended(); ++round, unit /= 4) {
    auto next = between(unit, target, strictly);
    if (!next) break;
    was_rounded_ = true;
    best = std::move(next);
    if (best->high.nearest - best->low.value.nearest <= kClose) break;
  }
  return best;
}

FoundChance EndlessTargets::find(const Total& target) {
  const bool adversarial = ground_->setting.adversarial;
  const auto found = adversarial ? counted(target.negated(), true) : counted(target, false);
  if (!found) return unknown_chance(ended_status(*ground_));
  FoundChance out;
  out.status = Status::solved;
  out.low = adversarial ? complement(found->high) : found->low.value;
  out.high = adversarial ? complement(found->low.value) : found->high;
  const bool exact = found->low.method == Method::exact && found->ground->weights.is_exact;
  if (!exact) {
    out.low = Value::at_least(out.low.least());
    out.high = Value::at_most(out.high.greatest());
  }
  LocatedLevel where = found->low.where;
  if (adversarial && where.lower.is_finite()) {
    // W < target is to be met: the adversary's own target is the next level above.
    const Rational& unit = found->ground->weights.unit;
    where.lower = Rational(Rational(floor_of(where.lower.value() / unit) + 1) * unit);
  }
  out.policy = [own = found->ground, where, method = found->low.method] {
    return endless_policy(own, where, method);
  };
  return out;
}

EngineReport EndlessTargets::report() const {
  EngineReport report = no_engine_report(ground_->options);
  if (exact_ && !was_rounded_) return epochs_report(ground_->options, *exact_);
  report.used = "epochs (double, rounded grids)";
  report.why = "there are too many exact levels, so rewards are rounded down and up to a grid";
  return report;
}

void EndlessTargets::add_work(Work& work) const {
  if (exact_) exact_->add_work(work);
}

std::unique_ptr<EndlessSeries> EndlessTargets::make(Weights weights, std::uint64_t most_work) {
  return std::make_unique<EndlessSeries>(
      std::make_shared<WeightedGround>(ground_, std::move(weights)), most_work);
}

std::optional<EndlessTargets::Counted> EndlessTargets::between(const Rational& unit,
                                                               const Total& target,
                                                               bool strictly) {
  const bool gains = ground_->event.gains;
  auto for_low = rounded_weights(ground_->moves, unit, gains ? Rounding::down : Rounding::up);
  auto for_high = rounded_weights(ground_->moves, unit, gains ? Rounding::up : Rounding::down);
  if (!for_low || !for_high) return std::nullopt;
  const auto low = make(*std::move(for_low), kRoundedWork);
  const auto high = make(*std::move(for_high), kRoundedWork);
  auto below = low->chance(target, strictly);
  const auto above = high->chance(target, strictly);
  if (!below || !above) return std::nullopt;
  return Counted{low->ground(), *std::move(below), above->upper};
}

}  // namespace quantiplan
