// A policy one can run: which action to take, by time, state and residual target.
//
//     y_0 = target,   y_{t+1} = (y_t - r_t) / gamma
//     rule (t, s): the first run with y_t <= upto decides; the last run has no upto and takes the
//     rest
//
// An expectation-optimal policy needs no target: each rule has a single run. Rules exist for the
// (time, state) pairs the policy can reach. File form: docs/policy-format.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

struct PolicyRun {
  std::optional<Rational> upto;
  Choice choice;
};

struct PolicyRule {
  std::uint64_t time = 0;
  State state{};
  std::vector<PolicyRun> runs;  // ascending upto; only the last has none
};

// What the solver says of the policy, so that a checker can hold it to its word.
struct PolicyClaim {
  Rational tau;
  Side side = Side::lower;
  Rational quantile;
  double probability = 0;                     // P(W >= quantile), nearest double
  std::optional<Rational> exact_probability;  // where it is known
};

struct Policy {
  ResolvedSetting setting;
  std::optional<Rational> target;    // y_0; absent for a policy that ignores it
  std::vector<PolicyRule> rules;     // ascending by (time, state)
  std::optional<PolicyClaim> claim;  // absent for a policy written by hand

  // The action at a time and state, with this residual target; throws Error(bad_policy) if there is
  // no rule for them.
  [[nodiscard]] Choice choose(const Model& model,
                              std::uint64_t time,
                              State state,
                              const Rational& residual) const;
};

}  // namespace quantiplan
