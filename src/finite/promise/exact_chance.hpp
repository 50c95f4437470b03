// P(W >= target) of one policy in rationals, on the nodes that it meets.
//
//     P(t, s, y) = sum over outcomes of the policy's choice of  p * P(t+1, s', y - R);   1 for
//     y <= least, 0 for y > possible
//
// Settles whether a policy keeps its promise where doubles cannot tell.
#pragma once

#include <cstdint>
#include <optional>

#include "base/limits.hpp"
#include "finite/strategy.hpp"

namespace quantiplan {

// Nullopt if more than `most_nodes` are met, memory is short or the limits ended it.
std::optional<Rational> exact_chance(const Groundwork& ground,
                                     const ResidualRule& rule,
                                     std::int64_t target,
                                     std::uint64_t most_nodes,
                                     const Limits& limits);

}  // namespace quantiplan
