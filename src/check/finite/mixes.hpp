// How the values of a choice's outcomes are put together (index_recursion.hpp).
//
//     real       start 0, add p * v       in doubles, long doubles or rationals
//     possible   start no, add "or v"     is there a way at all?
//     certain    start yes, add "and v"   is there no other way?
//
// In doubles or long doubles with unit roundoff u, a weight errs by 2u, a product by u and a sum of b terms by
// (b - 1) u, relatively, all terms being at least 0; a maximum rounds nothing. After T steps
//
//     truth in [ V (1 - g) - a,  V (1 + 2 g) + a ],   g = n u / (1 - n u),  n = T (b + 3)
//
// where a covers what underflows. Where long double is no wider than double, the bound is wider and
// rationals are asked more often; it holds all the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "check/common/demand.hpp"
#include "check/common/probabilities.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan::checking {

// The greater of two values.
template <class Value>
void keep_larger(Value& best, Value value) {
  if (best < value) best = std::move(value);
}
inline void keep_larger(Interval& best, const Interval& value) { best = larger(best, value); }

// A value of T steps with at most b outcomes, with its rounding.
Bounds bounds_of(long double value, std::uint64_t horizon, std::size_t most_outcomes);
Bounds bounds_of(double value, std::uint64_t horizon, std::size_t most_outcomes);
// Within 2^-(digits - 1) of the value, relatively; 0 only for 0 or what underflows.
long double to_long_double(const Rational& value);
// Exactly; value >= 0 and finite.
Rational to_rational(long double value);

// Choices cost nothing; those that do: priced_mixes.hpp.
class NothingCharged {
 public:
  static constexpr bool kCharges = false;
  static void move_to(std::uint64_t) {}
};

// sum[k] += p * values[k], a product and a sum rounded each, as wide as the processor allows.
void add_scaled(double* sum, double p, const double* values, std::size_t count);

// Half as wide as long doubles and several times as fast.
class DoubleMix : public NothingCharged {
 public:
  using Value = double;
  static constexpr bool kZeroMatters = false;

  explicit DoubleMix(const Model& model) : model_(model) {}
  [[nodiscard]] static double zero() { return 0; }
  [[nodiscard]] static double one() { return 1; }
  [[nodiscard]] static double start() { return 0; }
  [[nodiscard]] static double constant(const Rational& p) { return to_nearest_double(p); }
  [[nodiscard]] double weight(const Outcome& o) const {
    return model_.probabilities().nearest(o.probability);
  }
  [[nodiscard]] static double share(const Rational& mu) { return to_nearest_double(mu); }
  static void add(double& sum, double p, double value) { sum += p * value; }

 private:
  const Model& model_;
};

class LongMix : public NothingCharged {
 public:
  using Value = long double;
  static constexpr bool kZeroMatters = false;

  explicit LongMix(const Model& model) : model_(model), known_(model.probabilities().size(), -1) {}
  [[nodiscard]] static long double zero() { return 0; }
  [[nodiscard]] static long double one() { return 1; }
  [[nodiscard]] static long double start() { return 0; }
  [[nodiscard]] static long double constant(const Rational& p) { return to_long_double(p); }
  [[nodiscard]] long double weight(const Outcome& o) {
    long double& known = known_[index(o.probability)];
    if (known < 0) known = to_long_double(model_.probability(o));
    return known;
  }
  // Of a drawn initial state.
  [[nodiscard]] static long double share(const Rational& mu) { return to_long_double(mu); }
  static void add(long double& sum, long double p, long double value) { sum += p * value; }

 private:
  const Model& model_;
  std::vector<long double> known_;
};

// In intervals that surely hold the value.
class IntervalMix : public NothingCharged {
 public:
  using Value = Interval;
  static constexpr bool kZeroMatters = false;

  explicit IntervalMix(const Model& model) : probabilities_(model) {}
  [[nodiscard]] static Interval zero() { return Interval::zero(); }
  [[nodiscard]] static Interval one() { return Interval::one(); }
  [[nodiscard]] static Interval start() { return Interval::zero(); }
  [[nodiscard]] static Interval constant(const Rational& p) { return enclose(p); }
  [[nodiscard]] Interval weight(const Outcome& o) { return probabilities_.of(o); }
  [[nodiscard]] static Interval share(const Rational& mu) { return enclose(mu); }
  static void add(Interval& sum, const Interval& p, const Interval& value) { sum += p * value; }

 private:
  IntervalProbabilities probabilities_;
};

class RationalMix : public NothingCharged {
 public:
  using Value = Rational;
  static constexpr bool kZeroMatters = false;

  explicit RationalMix(const Model& model) : model_(model) {}
  [[nodiscard]] static Rational zero() { return 0; }
  [[nodiscard]] static Rational one() { return 1; }
  [[nodiscard]] static Rational start() { return 0; }
  [[nodiscard]] static const Rational& constant(const Rational& p) { return p; }
  [[nodiscard]] Rational weight(const Outcome& o) const { return model_.probability(o); }
  [[nodiscard]] static const Rational& share(const Rational& mu) { return mu; }
  static void add(Rational& sum, const Rational& p, const Rational& value) { sum += p * value; }

 private:
  const Model& model_;
};

// Facts as 0 and 1.
template <bool certain>
class FactMix : public NothingCharged {
 public:
  using Value = unsigned char;
  static constexpr bool kZeroMatters = certain;

  [[nodiscard]] static Value zero() { return 0; }
  [[nodiscard]] static Value one() { return 1; }
  [[nodiscard]] static Value start() { return certain ? 1 : 0; }
  // Neither 0 nor 1.
  [[nodiscard]] static Value constant(const Rational&) { return certain ? 0 : 1; }
  [[nodiscard]] static Value weight(const Outcome&) { return 1; }
  [[nodiscard]] static Value share(const Rational&) { return 1; }
  static void add(Value& sum, Value, Value value) {
    sum = certain ? std::min(sum, value) : std::max(sum, value);
  }
};

}  // namespace quantiplan::checking
