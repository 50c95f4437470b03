#include "policy/discounted_sum.hpp"

#include <cmath>

namespace quantiplan {
namespace {

constexpr unsigned kBits = 192;

Integer rounded_down(const Rational& value) {
  Integer down;
  mpz_fdiv_q(down.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return down;
}

Rational largest_reward(const Model& model, const Policy& policy) {
  Rational largest = 0;
  for (const PolicyRule& rule : policy.rules) {
    for (const PolicyRun& run : rule.runs) {
      for (const Outcome& o : model.outcomes(run.choice)) {
        const Rational size = abs(model.reward(o));
        if (size > largest) largest = size;
      }
    }
  }
  return largest;
}

// gamma^T / (1 - gamma) <= 0.9e-9.
std::uint64_t steps_of(const Rational& discount) {
  const double left = to_nearest_double(1 - discount);  // far more precise than 1 - double(gamma)
  if (left >= 1) return 1;                              // gamma below 2^-53
  const double steps = std::log(0.9e-9 * left) / std::log1p(-left);
  constexpr double kForever = 1e18;
  // A step more than the logarithms say, and a millionth for their rounding.
  return static_cast<std::uint64_t>(std::min(kForever, std::ceil(steps * (1 + 1e-6)) + 1));
}

// A power of ten that is no more than 1e-11 R.
Rational grain_of(const Rational& largest) {
  if (largest == 0) return 1;
  const Rational most = largest / Rational("100000000000");
  Rational grain = 1;
  while (grain > most) grain /= 10;
  while (10 * grain <= most) grain *= 10;
  return grain;
}

}  // namespace

DiscountedSum::DiscountedSum(const Model& model, const Policy& policy)
    : numbers_(model.rewards()),
      discount_(policy.setting.discount),
      largest_(largest_reward(model, policy)),
      slack_(largest_ / Rational(1'000'000'000)),
      grain_(grain_of(largest_)),
      steps_(steps_of(discount_)) {}

Rational DiscountedSum::of(const std::vector<NumberId>& rewards) {
  if (largest_ == 0) return 0;
  const Integer one = Integer(1) << kBits;
  Integer power = one;
  Integer sum = 0;  // in units of 2^-384
  for (std::size_t t = 0; t < rewards.size() && t < steps_; ++t) {
    auto known = scaled_.find(rewards[t]);
    if (known == scaled_.end()) {
      const Rational scaled = numbers_.rational(rewards[t]) / largest_ * Rational(one);
      known = scaled_.emplace(rewards[t], rounded_down(scaled)).first;
    }
    sum += power * known->second;
    power *= discount_.get_num();
    mpz_fdiv_q(power.get_mpz_t(), power.get_mpz_t(), discount_.get_den_mpz_t());
  }
  Rational wealth(sum, Integer(one * one));
  wealth.canonicalize();
  return Rational(rounded_down(wealth * largest_ / grain_)) * grain_;
}

}  // namespace quantiplan
