// Values that one time step makes of the next: V_k(s) = max_a rho( r + gamma V_{k-1}(s') ).
//
//     mean    rho the expectation: the greatest E W
//     worst   rho the least of the outcomes: the best worst case
//     tail    rho the CVaR_tau of one step: nested CVaR                                 [Rus]
//
// Each rho moves by at most d if every value moves by at most d. So rounding errors add up, e a step, to
// e (1 + gamma + ...), and at an infinite horizon a V that one step changes by at most c is within
// c / (1 - gamma) of the fixed point, and so is the value of the policy that this step chose.
#pragma once

#include <optional>

#include "base/limits.hpp"
#include "markov/reachable_states.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

struct StepMeasure {
  enum class Kind { mean, worst, tail };
  Kind kind = Kind::mean;
  Rational tau = 1;  // of tail, in (0, 1)

  // CVaR_tau, whatever tau in [0, 1] is.
  static StepMeasure cvar(const Rational& tau);
};

struct RecursiveValue {
  std::vector<double> values;  // at time 0, by position, where is_missed is not set
  double start = 0;            // rho of these, where the initial state is drawn
  bool is_missed = false;      // from some initial state
  // The truth is within this of each value, and so is what the policy has.
  double error = 0;
  std::optional<Rational> exact = std::nullopt;  // at the start, where it is known
  MarkovDecisions decisions = {};

  // At the start.
  [[nodiscard]] Rational lower() const;
  [[nodiscard]] Rational upper() const;
};

// `wanted`: at an infinite horizon, the error that is small enough. In rationals where `exact` (finite
// horizons only). Throws MarkovPassEnded at a limit.
RecursiveValue recursive_value(const ReachableStates& reachable,
                               const StepMeasure& measure,
                               const Rational& wanted,
                               bool exact,
                               const Limits& limits);
// That of the policy that is worst instead: no total lies below.
Rational least_total(const ReachableStates& reachable, const Limits& limits);

}  // namespace quantiplan
