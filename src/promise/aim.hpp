// What a policy maximises at every node of the residual problem, and what it attains.
//
//     weighted            E + l P       the mean, with a prize l for keeping the promise
//     probability first   P, then E among those that maximise P
//
// P = P(W >= q) is the chance of keeping the promise, E the mean of the total. Every l >= 0 gives a
// policy on the upper hull of all attainable (P, E), and a bound for every theta:
//
//     E of whoever has P >= theta  <=  max over policies of { E + l P }  -  l theta
//
// Source: criteria, section 2 (docs/mathematics.md, the price of a promise).
#pragma once

#include <optional>

#include "quantiplan/number.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan {

struct Aim {
  std::optional<Rational> weight;  // l; absent: the probability first

  static Aim weighted(const Rational& l) { return {l}; }
  static Aim probability_first() { return {std::nullopt}; }
  friend bool operator==(const Aim&, const Aim&) = default;
};

// Of the policy found for one target; means in keys of time 0.
struct Prospect {
  Value probability;        // its own P
  Rational chance;          // the same as it was computed, for the geometry of the hull
  Rational mean;            // its own E, as computed
  Rational mean_error = 0;  // by at most
  std::optional<Rational> optimum =
      std::nullopt;  // no policy has more of E + l P; absent: probability first
};

}  // namespace quantiplan
