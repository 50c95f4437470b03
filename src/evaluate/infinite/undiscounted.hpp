// The distribution of a stationary policy's total at the infinite horizon, without discount.
//
//     mass at (state, count k), level after level of |k|:
//
//         [ level k ] --moves that count--> [ level k' ]
//              |
//              +--> total, miss, infinite (Verdicts)
//
// 1. While rules still depend on k, levels are followed one by one (Flow, moves that count nothing).
// 2. What has come to settled counts goes once through the settled chain by all moves: that gives
//    the mass of misses and of infinite totals, and the mean, in the limit.
// 3. The levels go on, for the finite totals only, until less than 1e-12 is left, or a limit is met;
//    what is left is the distribution's rest.
//
// In rationals all this is exact. In doubles every probability and every sum of them errs by no
// more than relative_error and absolute_error say (MassError).
//
// Needs: what the policy can reach counts in one direction only, or, in both, pays on no cycle.
// Throws Error(bad_policy) where a rule is missing, Error(refused) for counts beyond 2^62.
#pragma once

#include <optional>

#include "base/limits.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// The mean is exact where the atoms are; an infinity where infinite totals are possible, NaN
// where misses are, or where a limit left open what becomes of the rest. Nullopt if the limits
// ended it. Needs: an infinite horizon, discount 1.
std::optional<Distribution> undiscounted_distribution(const Model& model,
                                                      const Policy& policy,
                                                      const Options& options,
                                                      Limits& limits);

}  // namespace quantiplan
