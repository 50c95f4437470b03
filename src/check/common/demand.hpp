// What a quantile demands of a probability, and how a probability is shown to a person.
//
//     upper side: P >= theta        lower side: P > theta        theta = 1 - tau
//
// For an adversary, theta = tau and the sides are exchanged (counted_claim.hpp).
#pragma once

#include <string>
#include <vector>

#include "check/common/outward_interval.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/total.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan::checking {

enum class Verdict { yes, no, open };

// A probability that surely lies in [low, high], exact ends.
struct Bounds {
  Rational low;
  Rational high;

  static Bounds of(const Rational& exact) { return {exact, exact}; }
  static Bounds of(const Interval& interval) {
    return {Rational(interval.low), Rational(interval.high)};
  }
  [[nodiscard]] bool is_exact() const { return low == high; }
};

// Of a drawn initial state, by what holds of each.
inline Bounds drawn(const InitialStates& initial, const std::vector<Bounds>& of_each) {
  if (initial.is_certain()) return of_each.front();
  Bounds sum{0, 0};
  for (std::size_t i = 0; i < initial.size(); ++i) {
    sum.low += initial[i].probability * of_each[i].low;
    sum.high += initial[i].probability * of_each[i].high;
  }
  return sum;
}

struct Demand {
  Rational theta;
  Side side;

  [[nodiscard]] Verdict met_by(const Rational& probability) const;
  // Open if the bounds do not settle it.
  [[nodiscard]] Verdict met_by(const Bounds& probability) const;
  [[nodiscard]] bool is_settled_by(const Bounds& probability) const {
    return met_by(probability) != Verdict::open;
  }
  // "at least 0.9" or "more than 0.9".
  [[nodiscard]] std::string text() const;
};

// How far a claimed double may be from the truth.
struct Tolerance {
  double relative = 0;
  double absolute = 0;

  // What the solver certifies for T steps of at most b outcomes: 2 T (b + 2) 2^-53 relatively, and
  // as many least doubles.
  static Tolerance of_steps(std::uint64_t horizon, std::size_t most_outcomes);
  // At the infinite horizon the solver settles comparisons, not digits: nine of them are asked for.
  static Tolerance of_no_end() { return {0, 1e-9}; }
};
// True if the claimed double lies within the interval, widened by the tolerance.
bool agrees(double claimed, const Interval& probability, const Tolerance& tolerance);

// A total: exact if that is short, else its first digits, cut: "5.027965500...".
std::string level_text(const Rational& level);
std::string level_text(const Total& level);

// "is 0.802" or "lies in [0.80199999999999994, 0.80200000000000005]"; long fractions are shortened.
std::string shown(const Rational& probability);
std::string shown(const Interval& probability);
std::string shown(const Bounds& probability);
// "is at least 0.72", rounded down if it must be rounded; "is at most 0.72", rounded up.
std::string shown_at_least(const Bounds& probability);
std::string shown_at_most(const Bounds& probability);
std::string shown(double value);
// A mean: exact as a level, else the shortest text of the double.
std::string mean_text(const Value& mean);

}  // namespace quantiplan::checking
