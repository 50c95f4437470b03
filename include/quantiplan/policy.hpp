// A policy as a table: which action to take, by time, state and residual target. run.hpp runs it.
//
//     y_0 = target,   y_{t+1} = (y_t - r_t) / gamma
//     rule (t, s): the first run with y_t <= upto decides; the last has no upto and takes the rest
//
// A policy of a rounded pass carries that pass's own index instead of the real residual, which is
// what keeps its guarantee (semantics of rounding: docs/mathematics.md). With steps H_t that shrink
// over time (PolicyGrid), in time-0 units:
//
//     i_0 = target / H_0,   i_{t+1} = ( i_t - floor(gamma^t r_t / H_t) ) * H_t / H_{t+1}
//
// and `upto` bounds the index i_t. Then W >= target whenever the last index is at most 0.
//
// An expectation-optimal policy needs no target: each rule has a single run. Rules exist for the
// (time, state) pairs the policy can reach. File form: docs/policy-format.md.
//
// At the infinite horizon without discount a policy is stationary: every rule has time 0 and holds
// at all times. With a discount it is a policy of `truncated_at` steps; the rules of that time hold
// from then on.
//
// A policy of another wealth structure than the sum goes by the wealth so far, named by its text:
// rule (t, s) lists wealths with their actions, and every other wealth takes the last run.
//
// A mixture has no rules of its own: one of its parts, each a policy in the same setting, is drawn
// before the start by its weight, and followed to the end.
//
// Wealth is counted as the setting says: with `cost`, a reward r counts as -r. The policy of an
// adversarial setting is the adversary's, and counts the negative of that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantiplan/criterion.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/total.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan {

struct PolicyRun {
  std::optional<Rational> upto;
  Choice choice{};
  // Positions in Policy::wealths, ascending; empty in a last run, and where there is an order by
  // residuals.
  std::vector<std::uint32_t> wealths = {};
};

struct PolicyRule {
  std::uint64_t time = 0;
  State state{};
  std::vector<PolicyRun> runs;  // ascending upto; only the last has none
};

// H_t = unit / 2^(number of entries of halved_at that are <= t).
struct PolicyGrid {
  Rational unit;
  std::vector<std::uint64_t> halved_at;  // ascending times >= 1, repeated where a step is quartered
};

// What the solver says of the policy, so that a checker can hold it to its word.
//
// A claim about a quantile says that no policy has a greater one at this tau and side; one about a
// threshold, that none has a greater P(W >= quantile). In an adversarial setting both speak of the
// least: `quantile` is guaranteed whatever is done, and the policy shows that no more is.
//
// A claim about another criterion says that the policy attains `quantile` at least, in the units of the
// criterion, and that no policy attains more, or more than `upper`.
struct PolicyClaim {
  enum class Kind { quantile, threshold, criterion };
  Rational tau;
  Side side = Side::lower;
  Total quantile;  // of a threshold: its target
  // P(W >= quantile): the nearest double where it is known exactly, else one that is not above it;
  // with `upper`, a lower bound. An adversary's claim of a quantile: P(W <= quantile), or with
  // `upper` P(W <= upper), misses among them.
  double probability = 0;
  std::optional<Rational> exact_probability;  // where it is known
  // No policy has a greater quantile than this; absent: than `quantile` itself.
  std::optional<Total> upper = std::nullopt;
  Kind kind = Kind::quantile;
  std::optional<Criterion> criterion = std::nullopt;
  // The class of final wealths, where that is no total: `quantile` and `upper` are not used then.
  std::optional<std::string> level = std::nullopt;
  // Threshold: no policy has a greater probability than this; absent: than `probability` itself.
  std::optional<double> most_probability = std::nullopt;
  // Of a quantile of sums, without a goal or an adversary: the policy's own mean, exactly or as a
  // double; where its horizon is infinite, a lower bound.
  std::optional<Value> mean = std::nullopt;
  // No policy with P(W >= quantile) as tau and side demand, randomised or not, has a greater mean;
  // exactly, or as a double that is not below it. The weight l >= 0 proves it:
  //     E W  <=  max over policies of { E W + l P(W >= quantile) }  -  l (1 - tau)
  // Absent: tau is 0, and the bound is that of the policies that keep the promise surely.
  std::optional<Value> mean_bound = std::nullopt;
  std::optional<Rational> weight = std::nullopt;

  void set_probability(const Value& value) {
    probability = value.nearest;
    exact_probability = value.exact;
  }
};

struct MixturePart;

struct Policy {
  ResolvedSetting setting;
  // Texts of the wealths that rules go by, ascending; empty if they go by none.
  std::vector<std::string> wealths = {};
  std::optional<Rational> target;  // y_0; absent for a policy that ignores it
  std::optional<PolicyGrid> grid;  // present: rules go by index
  // Discounted, infinite horizon: the rules of this time hold from then on.
  std::optional<std::uint64_t> truncated_at = std::nullopt;
  std::vector<PolicyRule> rules;     // ascending by (time, state)
  std::optional<PolicyClaim> claim;  // absent for a policy written by hand
  // Empty, or the policy is a coin between these.
  std::vector<MixturePart> mixture;
};

// The weights of a mixture are positive and sum to 1.
struct MixturePart {
  Rational weight;
  Policy policy;
};

}  // namespace quantiplan
