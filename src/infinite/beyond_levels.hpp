// Where the greatest P(W >= y) and P(W > y) are read off for a y that is on no level, counted.
//
//                              gains                          losses
//     y = miss   best   >=     limit                          base              the goal avoided
//                       >      0                              0
//                else   >=     1                              1
//                       >      base                           limit             no miss
//     y = -inf          >=     base                           worst: limit, else 1
//                       >      base                           limit
//     y = +inf          >=     limit                          base
//                       >      best: limit, else 0            base
//
// A miss is the best of all, or the least (event.hpp); base and limit are those of whole.hpp.
#pragma once

#include "infinite/levels/event.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan {

enum class BeyondLevels { zero, one, base, limit };

// Needs a target that is not finite.
BeyondLevels beyond_levels(const Event& event, const Total& target, bool strictly);

}  // namespace quantiplan
