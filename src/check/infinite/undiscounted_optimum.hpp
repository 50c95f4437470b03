// The greatest probability of an event over all policies, at an infinite horizon without discount.
//
//     gains     wealth that is enough stays enough: worth 1, with a goal the way to it goes on
//     losses    wealth that is not enough never will be: worth 0; an adversary may still avoid the
//               goal
//     staying   for ever without deciding: worth 0 where something is to be reached (gains; a goal),
//               1 where something is to be avoided (losses; the goal, for an adversary)
//
// So it is a reach graph of places (state, wealth). Where staying is worth 1, whoever is within the
// event in the end either reaches a worth or a set he can stay in: the greatest such set gets the
// worth 1. "W' > -inf" without a goal is to reach a set one can stay in for free.
#pragma once

#include <optional>

#include "check/common/check_limits.hpp"
#include "check/common/counted.hpp"
#include "check/common/demand.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::checking {

// Bounds that settle the demand, or are exact, or are what could be proved. Nullopt if there are
// too many places, time is up, or rewards of both signs can come round.
std::optional<Bounds> greatest_undiscounted_chance(const Model& model,
                                                   const ResolvedSetting& setting,
                                                   const Event& event,
                                                   const Demand& demand,
                                                   CheckLimits& limits);

// If somebody keeps the event's greatest chance with losses that are bounded at all, then so he
// does within this total: the number of states times the largest loss.
Rational losses_that_suffice(const Model& model);

}  // namespace quantiplan::checking
