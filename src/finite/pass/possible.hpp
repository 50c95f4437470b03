// The greatest total that is possible at all, and a policy that attains it with some probability.
//
//     at (t, s), residual possible_t(s):  choices with an outcome  R + possible_{t+1}(s') = possible_t(s)
//     P(t, s) = max over such choices of  sum over these outcomes of  p * P(t+1, s')
//
// For tau = 1, a question about the graph: probabilities may be too small for doubles, or for the
// levels they were rounded to, so the policy comes from the windows. Nodes: one for each time and
// state at most. The probability is a lower bound of what the policy attains; 0 where even that is
// too small. Cost: O(T * outcomes).
#pragma once

#include "finite/pass/settle.hpp"

namespace quantiplan {

// Nullopt if the limits ended it.
std::optional<Settled> settle_possible(const Stages& stages,
                                       const Windows& windows,
                                       const Limits& limits);

}  // namespace quantiplan
