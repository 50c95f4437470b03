// Holds a stationary policy to its claim at the infinite horizon without discount: by its own
// chain, and against the greatest chance of any policy.
#pragma once

#include "check/common/check_limits.hpp"
#include "check/common/counted_claim.hpp"
#include "check/common/findings.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

// What the claim says of the policy.
void confirm_endless_policy(const Model& model,
                            const Policy& policy,
                            const CountedClaim& claim,
                            CheckLimits& limits,
                            Findings& findings);
// What it says of all policies.
void confirm_endless_optimum(const Model& model,
                             const ResolvedSetting& setting,
                             const CountedClaim& claim,
                             CheckLimits& limits,
                             Findings& findings);

}  // namespace quantiplan::checking
