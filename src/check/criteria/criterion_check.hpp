// Holds a policy to what it claims of another criterion than the quantile, by the definitions: in rationals, and with
// directed rounding where exp and log are needed.
//
//     own value    the policy followed history by history, by its rules and what they carry; the value of the law
//                  that comes out is no less than claimed. Nested CVaR has no law: a recursion over (time, state)
//     optimum      the greatest value of all policies, by a recursion over (time, state, total so far), is no more:
//
//         expectation   F(t, s) = max_a sum p (r + F)
//         utility       F(t, s, w) = max_a sum p F(t + 1, s', w + r),   u(w) at an end
//         cvar          the same of u(w) = min(w - y, 0), for every total y above the claimed value: y + F / tau
//         mean-cvar     the same of u(w) = l (w - y) + (1 - l) / tau min(w - y, 0), for every total y: y + F
//         entropic, nested-cvar   over (time, state) (step_recursions.hpp)
//         mean-variance, evar     by such recursions at some points, and bounds between them (optimum_searches.hpp)
//
// Where totals are too many to list, also at discounted infinite horizons: by an index, and with rewards rounded
// (rounded_worth.hpp); mean-variance by the moments of the policy and by chords (policy_moments.hpp, variance_bound.hpp).
// Costs to a goal at the infinite horizon: arrival_check.hpp. What is too large is said to be: the policy was not followed, or the optimum
// not rechecked.
#pragma once

#include "quantiplan/answer.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

// Needs a policy that is not malformed.
CheckReport check_criterion(const Model& model,
                            const Policy& policy,
                            const PolicyClaim& claim,
                            const Options& options);

}  // namespace quantiplan::checking
