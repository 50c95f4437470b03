#include "markov/exponential_pass.hpp"

#include <cmath>

#include "numbers/enclosure.hpp"
#include "numbers/rounding_bound.hpp"

namespace quantiplan {
namespace {

// mantissa * 2^exponent, the mantissa in [1/2, 1); positive.
struct WideDouble {
  double mantissa = 0;
  long exponent = 0;

  static WideDouble of(double value, long exponent) {
    int shift = 0;
    const double mantissa = std::frexp(value, &shift);
    return {mantissa, exponent + shift};
  }
  friend WideDouble operator*(const WideDouble& a, const WideDouble& b) {
    return of(a.mantissa * b.mantissa, a.exponent + b.exponent);
  }
  // What is below the last bit of the greater by far is rounded off, as any sum would be.
  friend WideDouble operator+(const WideDouble& a, const WideDouble& b) {
    if (a.mantissa == 0) return b;
    if (a.exponent < b.exponent) return b + a;
    const long down = a.exponent - b.exponent;
    if (down > 200 || b.mantissa == 0) return a;
    return of(a.mantissa + std::ldexp(b.mantissa, -static_cast<int>(down)), a.exponent);
  }
  friend bool operator<(const WideDouble& a, const WideDouble& b) {
    return a.exponent != b.exponent ? a.exponent < b.exponent : a.mantissa < b.mantissa;
  }
};

// exp of arguments up to 2^60 in size, beyond the exponents of MPFR: exp(x) = 2^k exp(x - k ln 2). Enough bits for
// x that the error is below that of one rounding more than to the nearest double.
class WideExp {
 public:
  static constexpr mpfr_prec_t kBits = 192;

  [[nodiscard]] WideDouble operator()(const Enclosure& x) const {
    const double twos = std::floor(x.lower() / 0.6931471805599453);
    const auto k = static_cast<long>(twos);
    const Enclosure rest = exp(x - Enclosure(Rational(Integer(k)), kBits) * log_two_);
    long exponent = 0;
    const double mantissa = mpfr_get_d_2exp(&exponent, rest.lower_end().get(), MPFR_RNDN);
    return WideDouble::of(mantissa, exponent + k);
  }

 private:
  Enclosure log_two_ = log(Enclosure(Rational(2), kBits));
};

Enclosure wide(const Rational& value) { return Enclosure(value, WideExp::kBits); }

// -ln(value (1 +- relative)) / beta.
EntropicValue entropic_of(const WideDouble& value, const Rational& relative, const Rational& beta) {
  const Rational mantissa(value.mantissa);
  const Enclosure power =
      log(Enclosure::between(mantissa * (1 - relative), mantissa * (1 + relative)));
  const Enclosure twos = Enclosure(Rational(Integer(value.exponent))) * log(Enclosure(Rational(2)));
  const Enclosure found = -(power + twos) / Enclosure(beta);
  return {found.lower_exactly(), found.upper_exactly()};
}

class ExponentialPass {
 public:
  ExponentialPass(const ReachableStates& reachable, const Rational& beta)
      : reachable_(reachable), beta_(beta) {
    const NumberTable& rewards = reachable.model().rewards();
    factors_.resize(rewards.size());
    for (const NumberId id : reachable.rewards()) rewards_.push_back(wide(rewards.rational(id)));
  }

  // Of the rewards at this time, whose discount is known.
  void set_factors(const Enclosure& discount) {
    const Enclosure scale = -(wide(beta_) * discount);
    for (std::size_t i = 0; i < rewards_.size(); ++i)
      factors_[index(reachable_.rewards()[i])] = exp_(scale * rewards_[i]);
  }

  [[nodiscard]] WideDouble back_up(Choice c, const MarkovLayer<WideDouble>& next) const {
    const NumberTable& probabilities = reachable_.model().probabilities();
    WideDouble sum;
    for (const Outcome& o : reachable_.model().outcomes(c)) {
      const WideDouble p = WideDouble::of(probabilities.nearest(o.probability), 0);
      sum = sum + p * factors_[index(o.reward)] * next.value[reachable_.position(o.next)];
    }
    return sum;
  }

  [[nodiscard]] MarkovLayer<WideDouble> last(const std::vector<double>& rest,
                                             const Enclosure& discount) const {
    MarkovLayer<WideDouble> layer{std::vector<WideDouble>(reachable_.size(), WideDouble{0.5, 1}),
                                  std::vector<char>(reachable_.size(), 0)};
    const Enclosure scale = -(wide(beta_) * discount);
    for (std::size_t i = 0; i < reachable_.size(); ++i) {
      layer.is_missed[i] = reachable_.is_missed(i) ? 1 : 0;
      if (!rest.empty() && rest[i] != 0) layer.value[i] = exp_(scale * wide(Rational(rest[i])));
    }
    return layer;
  }

 private:
  const ReachableStates& reachable_;
  const Rational& beta_;
  WideExp exp_;
  std::vector<Enclosure> rewards_;
  std::vector<WideDouble> factors_;
};

// gamma^0 .. gamma^steps.
std::vector<Enclosure> discounts(const Rational& gamma, std::uint64_t steps) {
  std::vector<Enclosure> powers(1, wide(1));
  if (gamma == 1) return powers;
  const Enclosure factor = wide(gamma);
  for (std::uint64_t t = 0; t < steps; ++t) powers.push_back(powers.back() * factor);
  return powers;
}

}  // namespace

EntropicValue exponential_pass(const ReachableStates& reachable,
                               const Rational& beta,
                               std::uint64_t steps,
                               const std::vector<double>& rest,
                               MarkovDecisions* decisions,
                               const Limits& limits) {
  ExponentialPass pass(reachable, beta);
  const std::vector<Enclosure> powers = discounts(reachable.setting().discount, steps);
  MarkovLayer<WideDouble> layer = pass.last(rest, powers.back());
  if (powers.size() == 1) pass.set_factors(powers[0]);
  const auto back_up = [&](Choice c, const MarkovLayer<WideDouble>& next) {
    return pass.back_up(c, next);
  };
  for (std::uint64_t t = steps; t-- > 0;) {
    if (limits.ended()) throw MarkovPassEnded{};
    if (powers.size() > 1) pass.set_factors(powers[t]);
    std::vector<Choice>* chosen = decisions != nullptr ? &(*decisions)[t] : nullptr;
    // A small moment is a great value.
    if (reachable.setting().adversarial) {
      step_back(
          reachable, layer, back_up, [](const auto& a, const auto& b) { return b < a; }, chosen);
    } else {
      step_back(
          reachable, layer, back_up, [](const auto& a, const auto& b) { return a < b; }, chosen);
    }
  }
  if (layer.is_missed_from_start(reachable)) return {0, 0, true};
  const Integer each(static_cast<unsigned long>(reachable.most_outcomes() + 5));
  WideDouble start = layer.value[0];
  if (reachable.starts() > 1) {
    start = WideDouble();
    for (std::size_t i = 0; i < reachable.starts(); ++i)
      start = start +
              WideDouble::of(to_nearest_double(reachable.start_probability(i)), 0) * layer.value[i];
  }
  const std::uint64_t sums = steps + (reachable.starts() > 1 ? 1 : 0);
  const Integer roundings = each * Integer(static_cast<unsigned long>(sums)) + 2;
  return entropic_of(start, RoundingBound::after(roundings, 0).relative, beta);
}

}  // namespace quantiplan
