#include "infinite/infinite_targets.hpp"

#include <algorithm>

#include "numbers/floor.hpp"

namespace quantiplan {

InfiniteTargets::InfiniteTargets(std::shared_ptr<InfiniteLayout> layout)
    : layout_(std::move(layout)) {
  auto weights = exact_weights(layout_->moves);
  const bool exactly = layout_->options.arithmetic == Arithmetic::exact;
  if (!weights && exactly) refuse_without_unit();
  if (weights) exact_ = make(*std::move(weights), exactly ? ~0ULL : kExactWork);
}

std::optional<InfiniteTargets::Counted> InfiniteTargets::counted(const Total& target,
                                                                 bool strictly,
                                                                 std::size_t start) {
  if (exact_) {
    if (auto chance = exact_->chance(target, strictly, start)) {
      const Value high = chance->upper;
      return Counted{exact_->layout(), *std::move(chance), high};
    }
  }
  std::optional<Counted> best;
  Rational unit = greatest_reward_size(layout_->moves) / 4;
  constexpr int kMostRounds = 24;
  constexpr double kClose = 1e-6;
  for (int round = 0; round < kMostRounds && !layout_->limits.ended(); ++round, unit /= 4) {
    auto next = between(unit, target, strictly, start);
    if (!next) break;
    was_rounded_ = true;
    best = std::move(next);
    if (best->high.nearest - best->low.value.nearest <= kClose) break;
  }
  return best;
}

FoundChance InfiniteTargets::find(const Total& target, std::size_t start) {
  const bool adversarial = layout_->setting.adversarial;
  const auto found =
      adversarial ? counted(target.negated(), true, start) : counted(target, false, start);
  if (!found) return unknown_chance(ended_status(*layout_));
  FoundChance out;
  out.status = Status::solved;
  out.low = adversarial ? complement(found->high) : found->low.value;
  out.high = adversarial ? complement(found->low.value) : found->high;
  const bool exact = found->low.method == Method::exact && found->layout->weights.is_exact;
  if (!exact) {
    out.low = Value::at_least(out.low.least());
    out.high = Value::at_most(out.high.greatest());
  }
  LocatedLevel where = found->low.where;
  if (adversarial && where.lower.is_finite()) {
    // W < target is to be met: the adversary's own target is the next level above.
    const Rational& unit = found->layout->weights.unit;
    where.lower = Rational(Rational(floor_of(where.lower.value() / unit) + 1) * unit);
  }
  out.policy = [own = found->layout, where, method = found->low.method] {
    return infinite_policy(own, where, method);
  };
  return out;
}

EngineReport InfiniteTargets::report() const {
  EngineReport report = no_engine_report(layout_->options);
  if (exact_ && !was_rounded_) return epochs_report(layout_->options, *exact_);
  report.used = "epochs (double, rounded grids)";
  report.why = "there are too many exact levels, so rewards are rounded down and up to a grid";
  return report;
}

void InfiniteTargets::add_work(Work& work) const {
  if (exact_) exact_->add_work(work);
}

std::unique_ptr<LevelSeries> InfiniteTargets::make(Weights weights, std::uint64_t most_work) {
  return std::make_unique<LevelSeries>(
      std::make_shared<WeightedLayout>(layout_, std::move(weights)), most_work);
}

std::optional<InfiniteTargets::Counted> InfiniteTargets::between(const Rational& unit,
                                                                 const Total& target,
                                                                 bool strictly,
                                                                 std::size_t start) {
  const bool gains = layout_->event.gains;
  auto for_low = rounded_weights(layout_->moves, unit, gains ? Rounding::down : Rounding::up);
  auto for_high = rounded_weights(layout_->moves, unit, gains ? Rounding::up : Rounding::down);
  if (!for_low || !for_high) return std::nullopt;
  const auto low = make(*std::move(for_low), kRoundedWork);
  const auto high = make(*std::move(for_high), kRoundedWork);
  auto below = low->chance(target, strictly, start);
  const auto above = high->chance(target, strictly, start);
  if (!below || !above) return std::nullopt;
  return Counted{low->layout(), *std::move(below), above->upper};
}

}  // namespace quantiplan
