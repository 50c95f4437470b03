// How far means in doubles may err, of any policy.
//
//     M_t = sum p (R + M_{t+1})    |M_t| <= A_t = max |R_t| + .. + max |R_{T-1}|
//     a time adds at most (b + 6) 2^-53 A_t, b terms a sum;  sum_t A_t = sum_t (t + 1) max |R_t|
//
// Four times that, which covers what is of second order and the rounding of this very sum.
#pragma once

#include "finite/stages.hpp"

namespace quantiplan {

// Of the mean from the start, in keys of time 0. Cost: O(T * different rewards).
double error_of_means(const Stages& stages);

}  // namespace quantiplan
