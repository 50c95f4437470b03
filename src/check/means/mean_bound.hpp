// No policy that keeps the promise has a greater mean: proved by one recursion with the claimed weight.
//
//     E W  =  E W + l P(W >= q) - l P(W >= q)  <=  M - l theta,     M = max { E W + l P(W >= q) }
//
// since whoever keeps the promise has P(W >= q) >= theta. M comes as F_0(s0) + l V (priced_mixes.hpp):
//
//     wealth a matter of integers    on the places that can be reached, in long doubles, then rationals
//     on grids                       rewards rounded up prove the bound; rounded down they show that the
//                                    weight does not
//     in rationals                   short horizons
//
// A weight that proves less than is claimed, wherever rewards are counted as finely as the policy counts
// them and finer, is refused: whether the bound holds all the same nobody has shown.
//
// Without a weight theta is 1, and the bound is that of whoever meets the target surely.
#pragma once

#include "check/common/check_case.hpp"

namespace quantiplan::checking {

// Needs a claim that bounds the mean, with a weight unless theta is 1.
void confirm_mean_bound(const CheckCase& task);

}  // namespace quantiplan::checking
