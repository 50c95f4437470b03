// The criteria that need no wealth, each with its best value and a policy of (time, state).
//
//     entropic      max over policies of -(1/beta) ln E exp(-beta W)
//     EVaR          max over policies, sup over beta > 0, of entropic(beta) + ln(tau) / beta
//     nested CVaR   V_k(s) = max_a CVaR_tau( r + gamma V_{k-1}(s') ): another criterion than CVaR of W, neither
//                   above nor below it
//
// For finite horizons, and infinite ones with a discount below 1; undiscounted ones are refused. With a
// goal, a finite horizon: a miss is worse than every value, so the goal has to be reached surely, and the
// value is "miss" where it cannot.
#pragma once

#include <cstdint>
#include <optional>

#include "quantiplan/answer.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan {

struct MarkovOptimum {
  Status status = Status::not_called;
  // The best value lies in [lower, upper], in wealth, and the policy has at least `lower`; of an adversary,
  // at most `upper`.
  Total lower;
  Total upper;
  // Made when it is called; none if the call ended before there was one.
  Later<Policy> policy = {};
  std::optional<Rational> beta =
      std::nullopt;  // of EVaR: where it was attained; absent at its limits
  std::uint64_t passes = 0;
  Rational epsilon = 0;  // the width at which a bracket counts as solved
};

// The bracket is at most `epsilon` wide unless a limit was met or doubles cannot tell more (Status). Absent: a
// thousandth of the range that totals can have. Throw Error(refused) where a criterion is not defined,
// Error(bad_request) for a parameter out of range.
MarkovOptimum entropic_optimum(const Model& model,
                               const ResolvedSetting& setting,
                               const Rational& beta,
                               const std::optional<Rational>& epsilon,
                               const Options& options);
// tau in [0, 1]; 0 is the best worst case, 1 the expectation. No adversary: the least of a greatest is
// another problem.
MarkovOptimum evar_optimum(const Model& model,
                           const ResolvedSetting& setting,
                           const Rational& tau,
                           const std::optional<Rational>& epsilon,
                           const Options& options);
// Exact at finite horizons in rationals, which are taken where they are asked for or cheap.
MarkovOptimum nested_cvar_optimum(const Model& model,
                                  const ResolvedSetting& setting,
                                  const Rational& tau,
                                  const std::optional<Rational>& epsilon,
                                  const Options& options);

}  // namespace quantiplan
