// Is the greatest probability of any policy within what a bracket claims?
//
//     W' <= W^up,   rewards rounded up:    the greatest P(W^up > u) misses the demand:  proved
//     W' >= W^down, rewards rounded down:  the greatest P(W^down > u) meets it:         refuted
//
// The recursion runs on the grid of the policy, or on one of the checker's own if that has none,
// and then on finer grids until one of the two is settled or the next would be too large.
#pragma once

#include "check/common/check_case.hpp"
#include "check/common/ends.hpp"

namespace quantiplan::checking {

// True if it is settled either way, with a finding. Else nothing is said; `ended` of the limits
// tells whether time was what lacked. The ends bound what follows a cut, for the best of all
// policies.
bool settle_upper_end(const CheckCase& task, const Ends& low, const Ends& high);

// The checker's own grid: a thousand steps over the rewards of one time, halved as they shrink.
PolicyGrid own_grid(const Model& model, const ResolvedSetting& setting);

}  // namespace quantiplan::checking
