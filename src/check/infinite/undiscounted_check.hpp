// Holds a stationary policy to its claim at the infinite horizon without discount: by its own
// chain, and against the greatest chance of any policy.
#pragma once

#include "check/common/check_case.hpp"
#include "check/infinite/stationary_walk.hpp"

namespace quantiplan::checking {

// What the claim says of the policy, and of all policies.
void confirm_stationary_policy(const CheckCase& task);
void confirm_undiscounted_optimum(const CheckCase& task);

// What it says of a policy that was followed; `asks_level`: whether it comes to the level matters.
void confirm_walk(const CheckCase& task, const StationaryWalk& walk, bool asks_level);

}  // namespace quantiplan::checking
