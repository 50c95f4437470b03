#include "numbers/reward_decimals.hpp"

namespace quantiplan {

namespace {

constexpr std::int64_t kFine = 1'000'000'000;

}  // namespace

bool is_fine(const Fraction& reward) { return reward.denominator > kFine; }

bool is_fine(const Number& reward) {
  if (const Fraction* small = reward.small()) return is_fine(*small);
  return reward.rational().get_den() > kFine;
}

Number rounded_to(const Number& reward, std::uint32_t decimals) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, decimals);
  // Nothing to do: the denominator is a divisor of 10^decimals.
  if (const Fraction* small = reward.small()) {
    if (small->denominator == 1) return reward;
  }
  const Rational scaled = reward.rational() * power;
  if (scaled.get_den() == 1) return reward;
  // floor(|x| + 1/2), with the sign put back.
  const Rational half = abs(scaled) + Rational(1, 2);
  Integer whole = half.get_num() / half.get_den();
  if (scaled < 0) whole = -whole;
  Rational value(whole, power);
  value.canonicalize();
  return value;
}

}  // namespace quantiplan
