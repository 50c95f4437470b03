// A stationary policy followed for ever: its chain on (state, wealth), and what it comes to.
//
//     an end, or a block of places that is never left      total
//     counted end; block without rewards                   its wealth
//     block with gains, with losses                        +inf, -inf
//     with a goal: all but the goal                        a miss
//
// Needs: no discount; rewards of one sign where the policy can go, or no way to come round with
// rewards of both. The rest is said not to be followed.
#pragma once

#include <optional>
#include <string>

#include "check/common/check_limits.hpp"
#include "check/common/counted.hpp"
#include "check/infinite/reach_graph.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

struct StationaryWalk {
  ReachGraph chain;  // node 0 is the start; worth 1 within the event, 0 outside
  // Facts: a history of positive probability within the event, outside, at its level.
  bool some_within = false;
  bool some_outside = false;
  bool some_at = false;
  // The policy has no rule where it needs one: refuted.
  std::optional<std::string> fault = std::nullopt;
  // Why it was not followed.
  std::optional<std::string> obstacle = std::nullopt;
};

StationaryWalk walk_stationary(const Model& model,
                               const Policy& policy,
                               const Event& event,
                               CheckLimits& limits);

}  // namespace quantiplan::checking
