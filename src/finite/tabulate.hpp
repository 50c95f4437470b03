// A residual policy as a table one can write down: rules for every (time, state) it can meet.
//
// From the target forward, the residuals that can be met at (t, s) are cut into stretches of one
// choice. What no play meets breaks none: it takes the choice of the next greater residual that is
// met (met_levels.hpp): far fewer stretches, the same plays. (And whoever comes to such a residual by
// another way keeps it with no less than the chance of that next greater one, where the policy is the
// one with the greatest probability: its chances fall as residuals grow.) Where too many residuals are met to be
// followed one by one, all between the least and the greatest count as met; then the cost is that of
// the runs of decisions, not of the levels they span. Choices settled in exact arithmetic replace
// the pass's at their points.
#pragma once

#include <optional>

#include "base/limits.hpp"
#include "finite/strategy.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// `decisions` may be null if the target is at most sure at s0; `points` may be null. Nullopt if the
// limits ended it. Throws Error(refused) if the table does not fit the memory limit.
std::optional<Policy> tabulate(const Groundwork& ground,
                               const Decisions* decisions,
                               const SettledPoints* points,
                               WealthKey target,
                               Limits& limits);

// The same for every residual, whether or not this target leads there: a table that serves every
// target, and whoever went another way. Needs a pass that was not narrowed to some targets.
std::optional<Policy> tabulate_everywhere(const Groundwork& ground,
                                          const Decisions& decisions,
                                          WealthKey target,
                                          Limits& limits);

// A policy of (time, state): one rule for each that it meets, whatever the wealth.
// Throws as above.
Policy tabulate(const Stages& stages,
                const std::vector<std::vector<Choice>>& choices,
                Limits& limits);

}  // namespace quantiplan
