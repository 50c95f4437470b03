#include "check/common/wealth_ledger.hpp"

#include "numbers/floor.hpp"

namespace quantiplan::checking {
namespace {

Integer limit() { return Integer(1) << 62; }

// Calls visit(i, reward) for each number i that is a reward.
template <class Visit>
void for_each_reward(const Model& model, const Visit& visit) {
  std::vector<bool> used(model.rewards().size(), false);
  for (std::size_t c = 0; c < model.choice_count(); ++c)
    for (const Outcome& o : model.outcomes(Choice{static_cast<std::uint32_t>(c)}))
      used[index(o.reward)] = true;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) visit(i, model.rewards().rational(NumberId{static_cast<std::uint32_t>(i)}));
}

std::int64_t narrow(const Integer& value) { return value.get_si(); }

// p^t * q^(T-1-t) for t < T, or nullopt once q^(T-1) is past the limit.
std::optional<std::vector<Integer>> scaled_powers(const Rational& gamma, std::uint64_t horizon) {
  Integer top = 1;
  for (std::uint64_t t = 1; t < horizon; ++t) {
    top *= gamma.get_den();
    if (top > limit()) return std::nullopt;
  }
  std::vector<Integer> powers(horizon, top);
  for (std::uint64_t t = 1; t < horizon; ++t)
    powers[t] = powers[t - 1] / gamma.get_den() * gamma.get_num();
  return powers;
}

// What all rewards are multiples of, and how large they are.
struct Rewards {
  Integer lcm = 1;  // of their denominators
  Rational largest = 0;
};

// Nullopt if the denominators have no small common multiple.
std::optional<Rewards> survey(const Model& model) {
  Rewards rewards;
  for_each_reward(model, [&](std::size_t, const Rational& reward) {
    if (rewards.lcm <= limit()) rewards.lcm = ::lcm(rewards.lcm, reward.get_den());
    if (abs(reward) > rewards.largest) rewards.largest = abs(reward);
  });
  return rewards.lcm <= limit() ? std::optional(rewards) : std::nullopt;
}

// No wealth lies beyond the limit, so a threshold beyond it may stand at the limit.
std::int64_t cut_to_limit(Integer value) {
  if (value > limit()) value = limit();
  if (value < -limit()) value = -limit();
  return narrow(value);
}

}  // namespace

std::optional<IntegerLedger> IntegerLedger::make(const Model& model,
                                                 const ResolvedSetting& setting,
                                                 const Rational& reserve) {
  const auto rewards = survey(model);
  if (!rewards) return std::nullopt;
  std::vector<Integer> powers;
  Integer factor_sum(static_cast<unsigned long>(setting.horizon));  // of p^t * q^(T-1-t)
  Integer units = rewards->lcm;
  if (setting.discount != 1 && setting.horizon > 0) {
    std::optional<std::vector<Integer>> made = scaled_powers(setting.discount, setting.horizon);
    if (!made) return std::nullopt;
    powers = std::move(*made);
    units *= powers.front();
    factor_sum = 0;
    for (const Integer& power : powers) factor_sum += power;
  }
  Rational most = rewards->largest * rewards->lcm * factor_sum + reserve * units + 1;
  if (most >= limit()) return std::nullopt;
  // What a reserve is rounded to should be as fine as can be.
  unsigned finer = 0;
  for (; reserve > 0 && finer < 40 && 2 * most < limit(); ++finer) most *= 2;
  units <<= finer;

  IntegerLedger ledger;
  ledger.units_per_one_ = units;
  ledger.multiples_.assign(model.rewards().size(), 0);
  for_each_reward(model, [&](std::size_t i, const Rational& reward) {
    ledger.multiples_[i] =
        counted_sign(setting) * narrow(Rational(reward * rewards->lcm).get_num() << finer);
  });
  for (const Integer& power : powers) ledger.powers_.push_back(narrow(power));
  return ledger;
}

std::optional<IntegerLedger> IntegerLedger::undiscounted(const Model& model,
                                                         const ResolvedSetting& setting,
                                                         const std::optional<Rational>& grid_unit) {
  const auto rewards = survey(model);
  if (!rewards && !grid_unit) return std::nullopt;
  IntegerLedger ledger;
  ledger.units_per_one_ = grid_unit ? Rational(1 / *grid_unit) : Rational(rewards->lcm);
  ledger.multiples_.assign(model.rewards().size(), 0);
  const Integer most = Integer(1) << 55;
  bool fits = true;
  for_each_reward(model, [&](std::size_t i, const Rational& reward) {
    const Integer multiple =
        floor_of(Rational(counted_sign(setting) * reward * ledger.units_per_one_));
    fits = fits && abs(multiple) < most;
    if (fits) ledger.multiples_[i] = narrow(multiple);
  });
  return fits ? std::optional(std::move(ledger)) : std::nullopt;
}

IntegerLedger::Wealth IntegerLedger::at_least(const Rational& wealth) const {
  return cut_to_limit(-floor_of(Rational(-wealth * units_per_one_)));
}

IntegerLedger::Wealth IntegerLedger::at_most(const Rational& wealth) const {
  return cut_to_limit(floor_of(Rational(wealth * units_per_one_)));
}

bool IntegerLedger::holds(const Rational& wealth) const {
  const Rational scaled = wealth * units_per_one_;
  return scaled.get_den() == 1 && abs(scaled) < limit();
}

RationalLedger::RationalLedger(const Model& model, const ResolvedSetting& setting)
    : model_(model), discount_(setting.discount), sign_(counted_sign(setting)) {}

RationalLedger::Wealth RationalLedger::reward(std::uint64_t time, NumberId id) {
  move_power(power_, power_time_, time, discount_);
  return model_.rewards().rational(id) * power_ * sign_;
}

void move_power(Rational& power,
                std::uint64_t& time,
                std::uint64_t wanted,
                const Rational& discount) {
  if (discount == 1) return;
  for (; time < wanted; ++time) power *= discount;
  for (; time > wanted; --time) power /= discount;
}

}  // namespace quantiplan::checking
