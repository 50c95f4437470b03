// The ends of a discounted problem that is cut off after T steps, bounded from both sides.
//
//     of a policy          tails of its last rules, and the chance of a goal by them
//     of the best policy   tails of all choices, and the greatest chance of the goal, or of missing
//                          it
//
// Tails and chances are bounded one by one, so a bound holds whatever they have to do with each
// other.
#pragma once

#include "check/common/check_limits.hpp"
#include "check/common/ends.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

// Two sides of the truth; the same at a finite horizon.
struct EndsPair {
  Ends low;
  Ends high;
};

// T, or the horizon; of a stationary policy, as many steps as leave little.
std::uint64_t steps_before_cut(const Policy& policy);

EndsPair ends_of_policy(const Model& model,
                        const Policy& policy,
                        const Event& event,
                        CheckLimits& limits);
// The same ends, their tails in the mean: what follows is worth between these.
EndsPair in_the_mean(const Model& model,
                     const Policy& policy,
                     const EndsPair& ends,
                     CheckLimits& limits);
EndsPair ends_of_best(const Model& model,
                      const Policy& policy,
                      const Event& event,
                      CheckLimits& limits);

}  // namespace quantiplan::checking
