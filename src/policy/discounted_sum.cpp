#include "policy/discounted_sum.hpp"

#include <algorithm>
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

// gamma^T / (1 - gamma) <= tail.
std::uint64_t steps_of(const Rational& discount, double tail) {
  const double left = to_nearest_double(1 - discount);  // far more precise than 1 - double(gamma)
  if (left >= 1) return 1;                              // gamma below 2^-53
  const double steps = std::log(tail * left) / std::log1p(-left);
  constexpr double kForever = 1e18;
  // A step more than the logarithms say, and a millionth for their rounding.
  return static_cast<std::uint64_t>(std::min(kForever, std::ceil(steps * (1 + 1e-6)) + 1));
}

// A power of ten that is no more than R / count.
Rational grain_of(const Rational& largest, long count) {
  if (largest == 0) return 1;
  const Rational most = largest / Rational(count);
  Rational grain = 1;
  while (grain > most) grain /= 10;
  while (10 * grain <= most) grain *= 10;
  return grain;
}

}  // namespace

DiscountedSum::DiscountedSum(const Model& model, const Policy& policy, const Precision& precision)
    : numbers_(model.rewards()),
      discount_(policy.setting.discount),
      largest_(largest_reward(model, policy)),
      slack_(largest_ / Rational(precision.slack)),
      grain_(grain_of(largest_, precision.in_grains)),
      in_grains_(largest_ / grain_ / Rational(Integer(1) << 2 * kBits)),
      steps_(steps_of(discount_, precision.tail)) {}

// As many as a fast cache holds; later ones are made again.
constexpr std::size_t kMostPowers = 4096;

const Integer& DiscountedSum::scaled(NumberId reward) {
  if (scaled_.size() <= index(reward)) scaled_.resize(numbers_.size());
  std::optional<Integer>& known = scaled_[index(reward)];
  if (!known)
    known = rounded_down(numbers_.rational(reward) / largest_ * Rational(Integer(1) << kBits));
  return *known;
}

void DiscountedSum::discount(Integer& power) const {
  power *= discount_.get_num();
  mpz_fdiv_q(power.get_mpz_t(), power.get_mpz_t(), discount_.get_den_mpz_t());
}

Rational DiscountedSum::of(const std::vector<NumberId>& rewards) {
  if (largest_ == 0) return 0;
  const std::size_t steps = std::min<std::uint64_t>(rewards.size(), steps_);
  while (powers_.size() < std::min(steps, kMostPowers)) {
    powers_.push_back(powers_.empty() ? Integer(1) << kBits : powers_.back());
    if (powers_.size() > 1) discount(powers_.back());
  }
  Integer sum = 0;  // in units of 2^-384
  Integer power;
  for (std::size_t t = 0; t < steps; ++t) {
    if (t >= kMostPowers) {
      if (t == kMostPowers) power = powers_.back();
      discount(power);
    }
    const Integer& factor = t < kMostPowers ? powers_[t] : power;
    mpz_addmul(sum.get_mpz_t(), factor.get_mpz_t(), scaled(rewards[t]).get_mpz_t());
  }
  sum *= in_grains_.get_num();
  mpz_fdiv_q(sum.get_mpz_t(), sum.get_mpz_t(), in_grains_.get_den_mpz_t());
  return Rational(sum) * grain_;
}

}  // namespace quantiplan
