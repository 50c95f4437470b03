// Mean and second moment of a policy's totals where these are too many to list: forwards, by the index that it carries.
//
//     of a place (state, index)    mass, E[W so far; place], E[W^2 so far; place], of true rewards
//
//     low       high
//     ---|-------|--> index        below `low` the first run decides from here on, above `high` the last one: there the
//        | listed |                index no longer matters, and all of it is one place
//
// In long doubles: every moment errs by no more than a part of its absolute one. Beyond the steps of the grid the policy goes
// by states alone, until what follows is nothing beside that.
#pragma once

#include <optional>

#include "check/common/check_limits.hpp"
#include "check/criteria/exponential_value.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

struct PolicyMoments {
  ValueBounds mean;
  ValueBounds square;
};
// Nullopt: too many places, no grid, or no rule.
std::optional<PolicyMoments> moments_of(const Model& model,
                                        const Policy& policy,
                                        CheckLimits& limits);
// Mean minus lambda times variance: no less than that.
std::optional<double> least_mean_variance(const Model& model,
                                          const Policy& policy,
                                          const Rational& lambda,
                                          CheckLimits& limits);

}  // namespace quantiplan::checking
