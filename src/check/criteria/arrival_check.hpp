// Holds a policy to its mean or CVaR of costs to a goal, at the infinite horizon without discount.
//
//     CVaR_tau of the cost = min over b of { b + E (C - b)^+ / tau },   b = 0, 1, 2, .. units of cost;   the mean: b = 0, tau = 1
//
//     own value    the policy's chain on (state, cost so far), at its target; at every b below the claim, if that shows too little
//     optimum      least E (C - b)^+ of all policies (infinite/cost_graph.hpp), for every b below the claim: no b from there on
//                  is better. Once some b is better than claimed that is enough
//     a miss       no policy reaches the goal almost surely: a question about the graph
#pragma once

#include "check/common/check_limits.hpp"
#include "check/common/findings.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

bool is_cost_to_goal(const ResolvedSetting& setting, const Criterion& criterion);
// What the claim says of the policy, and of all policies. Needs is_cost_to_goal.
void check_arrival(const Model& model,
                   const Policy& policy,
                   const PolicyClaim& claim,
                   CheckLimits& limits,
                   Findings& findings);

}  // namespace quantiplan::checking
