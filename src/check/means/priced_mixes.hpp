// Mixes in which a choice costs something: how the best mean that keeps a promise is bounded.
//
//     M_t(s, y) = max_a  sum p ( gamma^t r + M_{t+1}(s', y') ),   l at the end if the target is met
//     V = ( M - F ) / l :   V_t(s, y) = max_a { sum p V_{t+1}(s', y')  -  price_t(a) / l },   1 where
//                           the target is met whatever is done, 0 where it cannot be
//
// with F and its prices of potential.hpp: a chance of meeting the target, less what it costs, and as
// such between 0 and 1. So a price of more than l is one of l. Where the target must be met surely
// there is no weight, and
//
//     V = M - F :           the same without l,   0 where the target is met whatever is done, -infinity
//                           where it may be missed
//
// Long doubles of unit roundoff u: V errs by at most (b + 8) u a step, as no term exceeds 1; without a
// weight all terms have one sign, and V errs by at most (b + 4) u a step, relatively.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "check/finite/mixes.hpp"
#include "check/means/potential.hpp"

namespace quantiplan::checking {

// What is charged, in which unit; absent: without a weight.
struct Tariff {
  const Potential& potential;
  std::optional<Rational> weight;

  [[nodiscard]] Rational price(std::uint64_t time, Choice c) const {
    const Rational& price = potential.price(time, c);
    if (!weight) return price;
    return price >= *weight ? Rational(1) : Rational(price / *weight);
  }
};

// A price for each choice of one time, when it is first asked for.
template <class Number>
class PriceList {
 public:
  PriceList(const Model& model, const Tariff& tariff)
      : tariff_(tariff), known_at_(model.choice_count(), 0), known_(model.choice_count()) {}
  void move_to(std::uint64_t time) { time_ = time; }
  template <class Convert>
  const Number& of(Choice c, const Convert& convert) {
    if (known_at_[index(c)] != time_ + 1) {
      known_[index(c)] = convert(tariff_.price(time_, c));
      known_at_[index(c)] = time_ + 1;
    }
    return known_[index(c)];
  }

 private:
  Tariff tariff_;
  std::uint64_t time_ = 0;
  std::vector<std::uint64_t> known_at_;  // the time it is of, plus 1
  std::vector<Number> known_;
};

class PricedLongMix : public LongMix {
 public:
  static constexpr bool kCharges = true;
  PricedLongMix(const Model& model, const Tariff& tariff)
      : LongMix(model), prices_(model, tariff) {}
  void move_to(std::uint64_t time) { prices_.move_to(time); }
  void charge(long double& sum, Choice c) { sum -= prices_.of(c, to_long_double); }

 private:
  PriceList<long double> prices_;
};

class PricedRationalMix : public RationalMix {
 public:
  static constexpr bool kCharges = true;
  PricedRationalMix(const Model& model, const Tariff& tariff)
      : RationalMix(model), prices_(model, tariff) {}
  void move_to(std::uint64_t time) { prices_.move_to(time); }
  void charge(Rational& sum, Choice c) {
    sum -= prices_.of(c, [](const Rational& price) { return price; });
  }

 private:
  PriceList<Rational> prices_;
};

// Without a weight: no more than 0.
class SureLongMix : public PricedLongMix {
 public:
  static constexpr bool kZeroMatters = true;
  using PricedLongMix::PricedLongMix;
  [[nodiscard]] static long double zero() { return -HUGE_VALL; }
  [[nodiscard]] static long double one() { return 0; }
  [[nodiscard]] static long double constant(const Rational& p) { return p == 1 ? one() : zero(); }
  // However small p is, 0 among what it rounds to.
  static void add(long double& sum, long double p, long double value) {
    sum = std::isinf(value) ? value : sum + p * value;
  }
};

// What a policy pays itself, whatever its target; no more than 0. Nothing is paid where the outcome is
// decided; what that leaves out is bounded apart (own_mean.cpp).
class OwnPriceMix : public PricedLongMix {
 public:
  using PricedLongMix::PricedLongMix;
  // Of needs that have no rule, as nobody comes there.
  [[nodiscard]] static long double zero() { return -HUGE_VALL; }
  [[nodiscard]] static long double one() { return 0; }
  [[nodiscard]] static long double constant(const Rational&) { return 0; }
};

// Unit roundoff of long doubles.
Rational long_roundoff();
// The sum of prices that a recursion of T steps found in long doubles: between these; nullopt if it is
// none.
std::optional<Bounds> sum_of_prices(long double value,
                                    std::uint64_t horizon,
                                    std::size_t most_outcomes);

// Without a number: -infinity.
struct SureValue {
  std::optional<Rational> number;
  friend bool operator==(const SureValue&, const SureValue&) = default;
  friend bool operator<(const SureValue& a, const SureValue& b) {
    if (!a.number || !b.number) return b.number.has_value() && !a.number;
    return *a.number < *b.number;
  }
};
inline std::uint64_t bytes_beside(const SureValue& value) {
  return value.number ? bytes_beside(*value.number) : 0;
}
inline std::uint64_t nanoseconds_of(const SureValue& value) {
  return value.number ? nanoseconds_of(*value.number) : 5;
}

class SureRationalMix {
 public:
  using Value = SureValue;
  static constexpr bool kZeroMatters = true;
  static constexpr bool kCharges = true;
  SureRationalMix(const Model& model, const Tariff& tariff)
      : model_(model), prices_(model, tariff) {}
  [[nodiscard]] static SureValue zero() { return {}; }
  [[nodiscard]] static SureValue one() { return {Rational(0)}; }
  [[nodiscard]] static SureValue start() { return {Rational(0)}; }
  [[nodiscard]] static SureValue constant(const Rational& p) { return p == 1 ? one() : zero(); }
  [[nodiscard]] Rational weight(const Outcome& o) const { return model_.probability(o); }
  [[nodiscard]] static const Rational& share(const Rational& mu) { return mu; }
  static void add(SureValue& sum, const Rational& p, const SureValue& value) {
    if (!sum.number) return;
    if (value.number)
      *sum.number += p * *value.number;
    else
      sum.number.reset();
  }
  void move_to(std::uint64_t time) { prices_.move_to(time); }
  void charge(SureValue& sum, Choice c) {
    if (sum.number) *sum.number -= prices_.of(c, [](const Rational& price) { return price; });
  }

 private:
  const Model& model_;
  PriceList<Rational> prices_;
};

}  // namespace quantiplan::checking
