#include "wealth_ledger.hpp"

namespace quantiplan::checking {
namespace {

Integer limit() { return Integer(1) << 62; }

std::vector<bool> reward_ids(const Model& model) {
  std::vector<bool> used(model.numbers().size(), false);
  for (std::size_t c = 0; c < model.choice_count(); ++c)
    for (const Outcome& o : model.outcomes(Choice{static_cast<std::uint32_t>(c)}))
      used[index(o.reward)] = true;
  return used;
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

}  // namespace

std::optional<IntegerLedger> IntegerLedger::make(const Model& model,
                                                 const ResolvedSetting& setting) {
  const std::vector<bool> used = reward_ids(model);
  Integer lcm = 1;
  Rational largest = 0;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    const Rational reward = model.numbers().rational(NumberId{static_cast<std::uint32_t>(i)});
    lcm = ::lcm(lcm, reward.get_den());
    if (lcm > limit()) return std::nullopt;
    if (abs(reward) > largest) largest = abs(reward);
  }

  std::vector<Integer> powers;
  Integer factor_sum(setting.horizon);  // sum over t of p^t * q^(T-1-t)
  Integer units = lcm;
  if (setting.discount != 1 && setting.horizon > 0) {
    std::optional<std::vector<Integer>> made = scaled_powers(setting.discount, setting.horizon);
    if (!made) return std::nullopt;
    powers = std::move(*made);
    units *= powers.front();
    factor_sum = 0;
    for (const Integer& power : powers) factor_sum += power;
  }
  if (largest * lcm * factor_sum >= limit()) return std::nullopt;

  IntegerLedger ledger;
  ledger.units_per_one_ = units;
  ledger.multiples_.assign(used.size(), 0);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    const Rational reward = model.numbers().rational(NumberId{static_cast<std::uint32_t>(i)});
    ledger.multiples_[i] = narrow(Rational(reward * lcm).get_num());
  }
  for (const Integer& power : powers) ledger.powers_.push_back(narrow(power));
  return ledger;
}

IntegerLedger::Wealth IntegerLedger::at_least(const Rational& wealth) const {
  const Rational scaled = wealth * units_per_one_;
  Integer ceiling;
  mpz_cdiv_q(ceiling.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  // No wealth lies beyond the limit, so a threshold beyond it may stand at the limit.
  if (ceiling > limit()) ceiling = limit();
  if (ceiling < -limit()) ceiling = -limit();
  return narrow(ceiling);
}

bool IntegerLedger::holds(const Rational& wealth) const {
  const Rational scaled = wealth * units_per_one_;
  return scaled.get_den() == 1 && abs(scaled) < limit();
}

RationalLedger::RationalLedger(const Model& model, const ResolvedSetting& setting)
    : model_(model), discount_(setting.discount) {}

RationalLedger::Wealth RationalLedger::reward(std::uint64_t time, NumberId id) {
  move_power(power_, power_time_, time, discount_);
  return model_.numbers().rational(id) * power_;
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
