// Whether a discounted policy of infinite horizon goes on after the steps that it is evaluated over.
//
//     R_0 = initial states,   R_{t+1} = all that some rule of (t, s), s in R_t, can lead to
//     every state of R_T, and all that the rules of time T lead to from there, has a rule of T
//
// By any run of the rules: a policy that passes has a rule wherever it comes; one that does not may
// still have all that its residuals let it meet.
// Cost: linear in the outcomes of the rules.
#pragma once

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// Needs truncated_at. Goals, where there are any, and terminal states need no rule.
bool surely_has_last_rules(const Model& model, const Policy& policy);

}  // namespace quantiplan
