// Runs a strategy forward: the exact set of (time, state, wealth) it meets, and their
// probabilities.
//
//     P_0(s, 0) = mu(s)
//     P_{t+1}(s', w + R) += p * P_t(s, w)      for the outcomes of the choice at (t, s, w)
//
// Gives the distribution of the final wealth, in double or Rational (MassWalk).
#pragma once

#include <optional>

#include "base/limits.hpp"
#include "finite/stages.hpp"
#include "finite/strategy.hpp"
#include "quantiplan/distribution.hpp"

namespace quantiplan {

// Exact if that is affordable or asked for, else in doubles. Nullopt if the limits ended it, or if
// stages rounded to a grid have more nodes than anybody waits for: then *too_many is set, if given.
// Throws Error(refused) if the nodes do not fit the memory limit.
std::optional<Distribution> distribution_of(const Stages& stages,
                                            const Strategy& strategy,
                                            Arithmetic arithmetic,
                                            Limits& limits,
                                            bool* too_many = nullptr);

}  // namespace quantiplan
