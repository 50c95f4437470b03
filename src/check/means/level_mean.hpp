// The mean of a policy that goes by its wealth, backward over arrays: for the many places of which
// the levels fill their intervals (policy_reach.hpp).
//
//     M_t(s, w) = R_t(a) + sum over outcomes of  p * M_{t+1}(s', w + r),    a what is done at (t, s, w)
//     M = 0 where the episode ends,      E W = sum of mu(s) M_0(s, 0)
//
// In doubles of unit roundoff u. With b outcomes at most and |M| <= G = T max |r|, one step adds no
// more than (b + 4) u G to the error, so T steps and the draw stay within 5/4 (T + 1) (b + 5) u G. Levels
// between those that are met have numbers, too, which nobody asks for.
#pragma once

#include <optional>

#include "check/common/check_case.hpp"
#include "check/common/demand.hpp"
#include "check/common/ends.hpp"
#include "check/common/wealth_ledger.hpp"

namespace quantiplan::checking {

// Needs ends that are not cut off. Nullopt if the policy lacks a rule somewhere in its intervals, or
// these hold too many levels; throws LimitMet at a limit.
std::optional<Bounds> mean_by_levels(const CheckCase& task,
                                     const Ends& ends,
                                     IntegerLedger& ledger);

}  // namespace quantiplan::checking
