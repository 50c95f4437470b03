#include "check/means/potential.hpp"

#include <algorithm>

#include "check/common/counted.hpp"
#include "numbers/floor.hpp"

namespace quantiplan::checking {
namespace {

// Prices are kept, and each outcome of each time is one product.
constexpr std::uint64_t kMostPrices = 2'000'000;
constexpr std::uint64_t kMostPriceProducts = 20'000'000;

Rational scaled_by_power(Rational value, long exponent) {
  if (exponent >= 0)
    mpq_mul_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  else
    mpq_div_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  return value;
}

Rational largest_reward(const Model& model) {
  Rational largest = 0;
  for (std::size_t c = 0; c < model.choice_count(); ++c)
    for (const Outcome& o : model.outcomes(Choice{static_cast<std::uint32_t>(c)}))
      largest = std::max(largest, Rational(abs(model.reward(o))));
  return largest;
}

// Such that 2^-digits is 2^-100 of a number, or so.
long digits_for(const Rational& largest) {
  const auto bits = [](const Integer& n) {
    return static_cast<long>(mpz_sizeinbase(n.get_mpz_t(), 2));
  };
  return 100 - (bits(largest.get_num()) - bits(largest.get_den()));
}

// Rewards of one time, rounded, each once.
class RewardsOfTime {
 public:
  RewardsOfTime(const Model& model, const Rational& factor) : model_(model), factor_(factor) {}
  template <class Round>
  const Rational& of(NumberId id, const Round& round) {
    if (known_.empty()) known_.resize(model_.rewards().size());
    std::optional<Rational>& known = known_[index(id)];
    if (!known) known = round(Rational(factor_ * model_.rewards().rational(id)));
    return *known;
  }

 private:
  const Model& model_;
  const Rational& factor_;
  std::vector<std::optional<Rational>> known_;
};

}  // namespace

Rational Potential::rounded(Rational value) const {
  if (!digits_) return value;
  return scaled_by_power(Rational(ceiling_of(scaled_by_power(std::move(value), *digits_))),
                         -*digits_);
}

std::optional<Potential> Potential::make(const Model& model,
                                         const Ends& ends,
                                         bool exactly,
                                         CheckLimits& limits) {
  const std::uint64_t horizon = ends.horizon();
  if (horizon > kMostPrices / (1 + model.choice_count()) ||
      horizon > kMostPriceProducts / (1 + model.outcome_count()))
    return std::nullopt;
  Potential potential(limits);
  potential.choices_ = model.choice_count();
  potential.share_.set(horizon * model.choice_count() * sizeof(Rational));
  potential.prices_.resize(horizon * model.choice_count());
  const Rational largest = largest_reward(model);
  if (!exactly && largest > 0) {
    potential.digits_ = digits_for(largest);
    // A reward and a sum of each time, and what follows a cut.
    const Integer roundings = 2 * Integer(static_cast<unsigned long>(horizon)) + 1;
    potential.slack_ = scaled_by_power(Rational(roundings), -*potential.digits_);
  }
  for (std::uint32_t i = 0; i < model.state_count(); ++i)
    potential.values_.push_back(potential.rounded(ends.tail(State{i})));
  Rational power = 1;
  std::uint64_t power_time = 0;
  for (std::uint64_t time = horizon; time-- > 0;) {
    limits.require(1000 + nanoseconds_of(power));
    move_power(power, power_time, time, ends.setting().discount);
    potential.step_back(model, ends, time, power, limits);
  }
  potential.first_ = 0;
  for (const auto& [state, mu] : ends.initial())
    potential.first_ += mu * potential.values_[index(state)];
  potential.values_.clear();
  return potential;
}

void Potential::step_back(const Model& model,
                          const Ends& ends,
                          std::uint64_t time,
                          const Rational& power,
                          CheckLimits& limits) {
  const Rational factor = power * counted_sign(ends.setting());
  RewardsOfTime rewards(model, factor);
  const auto round = [&](Rational value) { return rounded(std::move(value)); };
  std::vector<Rational> now(model.state_count());
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    const State s{i};
    if (ends.is_end(s)) continue;
    std::optional<Rational> best;
    for (const Choice c : model.choices(s)) {
      Rational sum = 0;
      for (const Outcome& o : model.outcomes(c)) {
        limits.require(2 * nanoseconds_of(sum));
        sum += model.probability(o) * (rewards.of(o.reward, round) + values_[index(o.next)]);
      }
      if (!best || *best < sum) best = sum;
      prices_[time * choices_ + index(c)] = std::move(sum);
    }
    now[i] = rounded(*best);
    for (const Choice c : model.choices(s)) {
      Rational& price = prices_[time * choices_ + index(c)];
      price = now[i] - price;
      share_.add(bytes_beside(price));
    }
  }
  values_ = std::move(now);
}

}  // namespace quantiplan::checking
