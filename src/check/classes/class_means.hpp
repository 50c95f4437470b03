// The mean of a policy that goes by wealth, where wealth is a number, and the bound of those that keep
// its promise.
//
//     E W    = sum over ends of  mass * number                     (masses as in forward_pass.hpp)
//     bound:   E W  <=  M - l theta,     M = max { E W + l P(W >= q) }        with the claimed weight l
//
//     M(t, s, w) = number(w) + l [w >= q]  where the episode ends,     max_a sum p M(t+1, s', w o r)
//
// Without a weight theta is 1, and M is the best mean of whoever has w >= q at every end. In rationals
// throughout; what would be too large is left out, and said to be.
#pragma once

#include "check/classes/wealth_level.hpp"
#include "check/common/check_case.hpp"
#include "check/common/ends.hpp"

namespace quantiplan::checking {

// Need a claimed mean, or bound; a policy with a rule wherever it comes; wealths that are numbers.
void confirm_class_mean(const CheckCase& task, const Ends& ends, Structure& structure);
void confirm_class_mean_bound(const CheckCase& task,
                              const Ends& ends,
                              Structure& structure,
                              const WealthLevel& level);

}  // namespace quantiplan::checking
