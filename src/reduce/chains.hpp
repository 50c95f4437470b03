// At the infinite horizon without discount time does not count: states with one way on are passed
// over.
//
//     s has one choice with one outcome (s', r):    D(s, y) = D(s', y - r)
//     so outcomes (s, r0) of other states become (s', r0 + r), and s goes
//
// A way on that leads back to itself has no end: a zero-reward one is a component to stay in, another
// one collects without bound. Its states are kept, and so are initial ones. Rewards that add up are
// multiples of the unit they were multiples of; where rewards are rounded, sums of rounded ones are
// not the rounded sums, so this is for exact levels only. Cost: O(outcomes).
#pragma once

#include "reduce/reduced_model.hpp"

namespace quantiplan {

// Nullopt where there is nothing to pass over, the rewards have no unit that fits 64-bit integers,
// or the limits ended it. Needs an infinite horizon without discount.
std::optional<ReducedModel> without_chains(const Model& model,
                                           const ResolvedSetting& setting,
                                           Limits& limits);

// The smaller model of a smaller model.
ReducedModel composed(const ReducedModel& first, ReducedModel second);

}  // namespace quantiplan
