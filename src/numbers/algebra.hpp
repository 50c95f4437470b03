// The four arithmetics of a level: in doubles, in rationals, and on the graph alone.
//
//     Real      P as a double, its error bounded elsewhere
//     Exact     P as a rational
//     Sure      [P = 1]        a mixture is sure if all of its parts are
//     Possible  [P > 0]        a mixture is possible if one of its parts is
//
// Each says what a mixture sum_i p_i v_i is made of, so that one pass serves all. Sure and Possible
// never look at a probability: tau = 0 and tau = 1 are questions about the graph.
#pragma once

#include <cstdint>

#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

struct Real {
  using Value = double;
  using Probability = double;
  using Factor = double;
  static Value zero() { return 0; }
  static Value one() { return 1; }
  static Value start() { return 0; }
  static void add(Value& sum, Probability p, Value v) { sum += p * v; }
  static void scale(Value& sum, Factor f) { sum *= f; }
  static Probability probability(const NumberTable& numbers, NumberId id) {
    return numbers.nearest(id);
  }
  static Factor factor(const Rational& f) { return to_nearest_double(f); }
};

struct Exact {
  using Value = Rational;
  using Probability = Rational;
  using Factor = Rational;
  static Value zero() { return 0; }
  static Value one() { return 1; }
  static Value start() { return 0; }
  static void add(Value& sum, const Probability& p, const Value& v) {
    if (v != 0) sum += p * v;
  }
  static void scale(Value& sum, const Factor& f) { sum *= f; }
  static Probability probability(const NumberTable& numbers, NumberId id) {
    return numbers.rational(id);
  }
  static Factor factor(const Rational& f) { return f; }
};

// std::vector<bool> is no array of values that threads may write side by side.
struct OnGraph {
  using Value = std::uint8_t;
  struct Nothing {};
  using Probability = Nothing;
  using Factor = Nothing;
  static Value zero() { return 0; }
  static Value one() { return 1; }
  static void scale(Value& /*sum*/, Factor /*f*/) {}
  static Probability probability(const NumberTable& /*numbers*/, NumberId /*id*/) { return {}; }
  static Factor factor(const Rational& /*f*/) { return {}; }
};

struct Sure : OnGraph {
  static Value start() { return 1; }
  static void add(Value& sum, Probability /*p*/, Value v) { sum &= v; }
};

struct Possible : OnGraph {
  static Value start() { return 0; }
  static void add(Value& sum, Probability /*p*/, Value v) { sum |= v; }
};

}  // namespace quantiplan
