// The mean of a policy, followed wealth by wealth, or index by index on a grid.
//
//     mass_0(s0, start) = 1      mass_{t+1}(s', after) += mass_t(s, key) * p     for the action taken
//     E W = sum over t and places of  mass_t(s, key) * sum p gamma^t r,   and what follows a cut,
//                                                                         bounded from both sides
//
// On a grid the index is rounded, the rewards are not. First in outward-rounded intervals, and in
// rationals where these are asked for. Rules apply wherever the policy comes, decided or not, so no
// place is left out: where there are too many, the mean is not recomputed, and that is said. On a grid
// that would often be so; where the target is decided a sensible policy takes the greatest mean, and
// then E W is F_0(s0) less the prices (potential.hpp) that it pays while the target is open.
#pragma once

#include "check/common/check_case.hpp"
#include "check/finite/cut_ends.hpp"

namespace quantiplan::checking {

// Says whether it is as claimed. Needs a policy with a rule wherever it comes, and a claimed mean.
void confirm_mean(const CheckCase& task, const EndsPair& ends);

}  // namespace quantiplan::checking
