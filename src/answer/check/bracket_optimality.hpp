// Does no policy have a quantile above the upper end u of a bracket?
//
//     W <= W^up, counted with rewards rounded up:     greatest P(W^up > u)   misses the demand:
//     proved W >= W^down, counted with rewards rounded down: greatest P(W^down > u) meets the
//     demand:  refuted
//
// The recursion runs on the grid of the policy, or on one of the checker's own if that has none,
// and then on grids twice as fine until one of the two is settled or the next would be too large.
#pragma once

#include "check_clock.hpp"
#include "demand.hpp"
#include "findings.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

// True if it is settled either way, with a finding. Else nothing is said; `ended` of the clock
// tells whether time was what lacked.
bool settle_upper_end(const Model& model,
                      const Policy& policy,
                      const Demand& demand,
                      const Rational& upper,
                      CheckClock& clock,
                      Findings& findings);

}  // namespace quantiplan::checking
