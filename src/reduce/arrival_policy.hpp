// Over a finite horizon: the policy that reaches the goal most probably, and then has the best
// expected total of the episodes that do.
//
//     P_T = [goal],  K_T = 0;   at a goal (1, 0), at another end (0, 0), at all times
//     (P_t, K_t)(s) = lexicographic max over choices of
//                     ( sum p P_{t+1}(s'),  sum p ( r P_{t+1}(s') + gamma K_{t+1}(s') ) )
//
// In rationals where that is cheap. In doubles, choices whose P differs by no more than rounding can
// count as equal, and K decides: what such a policy attains is to be evaluated. Costs count as
// negative rewards. Cost: O(T * outcomes).
#pragma once

#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/shared.hpp"

namespace quantiplan {

// Needs a finite horizon and a goal. Throws Error(refused) for an adversary, or if a limit ends it.
Policy arrival_policy(const Model& model, const ResolvedSetting& setting, const Options& options);
// The same, made when it is asked for after a solve with these options.
Later<Policy> arrival_policy_later(const Model& model,
                                   const ResolvedSetting& setting,
                                   const Options& options);

}  // namespace quantiplan
