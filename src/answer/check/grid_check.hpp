// Holds a policy on a grid to its claim: by its own index, what it counts it has surely collected.
#pragma once

#include "check_clock.hpp"
#include "demand.hpp"
#include "findings.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

// P(W >= q) meets the demand and is at least what is claimed. Needs: a policy with a grid that is
// not malformed.
void confirm_by_index(const Model& model,
                      const Policy& policy,
                      const PolicyClaim& claim,
                      const Demand& demand,
                      CheckClock& clock,
                      Findings& findings);

}  // namespace quantiplan::checking
