#include "wealth_scale.hpp"

#include <algorithm>

namespace quantiplan {
namespace {

// Greatest g such that both are integer multiples of it; gcd(0, x) = |x|.
Rational gcd_of(const Rational& a, const Rational& b) {
  Rational g(gcd(a.get_num() * b.get_den(), b.get_num() * a.get_den()), a.get_den() * b.get_den());
  g.canonicalize();
  return g;
}

std::int64_t to_int64(const Integer& value) { return static_cast<std::int64_t>(value.get_si()); }

}  // namespace

WealthScale::WealthScale(const Model& model,
                         const std::vector<NumberId>& met,
                         const Rational& discount,
                         std::uint64_t last_reward_time) {
  static_assert(sizeof(long) == 8, "GMP's long holds 64 bits");
  const Integer limit = Integer(1) << 61;
  Rational g = 0;
  Rational greatest = 0;
  for (const NumberId id : met) {
    const Rational reward = model.numbers().rational(id);
    g = gcd_of(g, reward);
    greatest = std::max<Rational>(greatest, abs(reward));
    // The unit only gets finer: no need to drag along a gcd of a million denominators.
    if (greatest >= g * Rational(limit)) return;
  }
  if (g == 0) g = 1;
  std::vector<Integer> multipliers;
  if (discount == 1) {
    multipliers.emplace_back(1);
    unit_ = g;
  } else {
    // den^last alone has more than `last` bits: no need to compute it to see that it does not fit.
    if (last_reward_time > 61) return;
    const auto last = static_cast<unsigned long>(last_reward_time);
    for (unsigned long t = 0; t <= last; ++t) {
      Integer up;
      Integer down;
      mpz_pow_ui(up.get_mpz_t(), discount.get_num_mpz_t(), t);
      mpz_pow_ui(down.get_mpz_t(), discount.get_den_mpz_t(), last - t);
      multipliers.emplace_back(up * down);
    }
    Integer power;
    mpz_pow_ui(power.get_mpz_t(), discount.get_den_mpz_t(), last);
    unit_ = g / Rational(power);
  }
  Integer greatest_base = 0;
  base_.assign(model.numbers().size(), 0);
  for (const NumberId id : met) {
    const Rational scaled = model.numbers().rational(id) / g;
    greatest_base = std::max(greatest_base, Integer(abs(scaled.get_num())));
    if (greatest_base < limit) base_[index(id)] = to_int64(scaled.get_num());
  }
  Integer sum = 0;
  if (discount == 1) {
    sum = Integer(static_cast<unsigned long>(last_reward_time)) + 1;
  } else {
    for (const Integer& multiplier : multipliers) sum += multiplier;
  }
  if (sum * greatest_base >= limit) return;
  // Where every reward is 0 the multipliers are never needed, whatever their size.
  for (const Integer& multiplier : multipliers) {
    multiplier_.push_back(greatest_base == 0 ? 1 : to_int64(multiplier));
  }
  fits_ = true;
}

Rational WealthScale::wealth(WealthKey key) const {
  return Rational(static_cast<long>(key.value)) * unit_;
}

WealthKey WealthScale::ceiling(const Rational& wealth) const {
  const Rational ratio = wealth / unit_;
  Integer up;
  mpz_cdiv_q(up.get_mpz_t(), ratio.get_num_mpz_t(), ratio.get_den_mpz_t());
  const Integer limit = Integer(1) << 62;
  return {to_int64(std::clamp(up, Integer(-limit), limit))};
}

}  // namespace quantiplan
