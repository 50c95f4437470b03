#include "evaluate/episode_wealth.hpp"

#include "evaluate/infinite/pace.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kMostPowers = 4096;

}  // namespace

std::optional<Rational> EpisodeWealth::of(const std::vector<NumberId>& rewards,
                                          const Limits& limits) {
  Pace pace(limits);
  Integer denominator = 1;
  values_.clear();
  for (const NumberId id : rewards) {
    auto known = known_.find(id);
    if (known == known_.end()) known = known_.emplace(id, numbers_.rational(id)).first;
    const Rational& value = known->second;
    values_.push_back(&value);
    if (!mpz_divisible_p(denominator.get_mpz_t(), value.get_den_mpz_t()))
      denominator = lcm(denominator, value.get_den());
  }
  Integer sum = 0;
  Integer scaled;
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const Rational& value = *values_[values_.size() - 1 - k];
    mpz_divexact(scaled.get_mpz_t(), denominator.get_mpz_t(), value.get_den_mpz_t());
    scaled *= value.get_num();
    sum *= discount_.get_num();
    multiply_add(sum, scaled, k);
    if (pace.after_nanoseconds(static_cast<double>(mpz_size(sum.get_mpz_t())))) return std::nullopt;
  }
  Rational wealth(sum, denominator);
  if (!values_.empty()) {
    Integer last = 0;
    multiply_add(last, 1, values_.size() - 1);
    wealth.get_den() *= last;
  }
  wealth.canonicalize();
  return wealth;
}

void EpisodeWealth::multiply_add(Integer& sum, const Integer& factor, std::size_t k) {
  while (powers_.size() <= k && powers_.size() < kMostPowers)
    powers_.push_back(powers_.empty() ? Integer(1) : Integer(powers_.back() * discount_.get_den()));
  const Integer* power = nullptr;
  if (k < powers_.size()) {
    power = &powers_[k];
  } else {
    if (k < power_steps_ || power_steps_ == 0) {
      power_ = powers_.back();
      power_steps_ = kMostPowers - 1;
    }
    for (; power_steps_ < k; ++power_steps_) power_ *= discount_.get_den();
    power = &power_;
  }
  mpz_addmul(sum.get_mpz_t(), power->get_mpz_t(), factor.get_mpz_t());
}

}  // namespace quantiplan
