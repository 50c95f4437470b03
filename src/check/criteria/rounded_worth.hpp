// What totals are worth where they are too many to list: rewards are rounded to whole steps of a grid.
//
//     U_N(s, j) = u(rest - j H_N)      U_t(s, j) = sum p U_{t+1}( s', (j - k) H_t / H_{t+1} )
//     k = gamma^t r / H_t, rounded down for a policy, which carries that very index, and up for all policies
//
// j H_t is what is left of a target, in units of time 0. With u(x) = slope_above x for x >= 0 and slope_below x for x < 0,
// U is a line beyond the indices from which the sign of x is sure; else all indices that are met are stored.
// Values are doubles, moved outwards by what doubles may err: a lower bound of a policy, an upper one of all.
#pragma once

#include <optional>

#include "check/common/check_limits.hpp"
#include "check/criteria/exponential_value.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/utility.hpp"

namespace quantiplan::checking {

// Of CVaR and its mixture with the mean: weight E W + (1 - weight) CVaR_tau.
struct ShareWorth {
  Rational weight;
  Rational tau;
};

// A lower bound for the policy, whose grid it is. Nullopt: too many places, or a utility that falls somewhere.
std::optional<double> least_worth(const Model& model,
                                  const Policy& policy,
                                  const ShareWorth& worth,
                                  CheckLimits& limits);
std::optional<double> least_worth(const Model& model,
                                  const Policy& policy,
                                  const Utility& worth,
                                  CheckLimits& limits);
// An upper bound for all policies, on the policy's grid and on finer ones until it is within what is claimed.
std::optional<double> most_worth(const Model& model,
                                 const Policy& policy,
                                 const ShareWorth& worth,
                                 const ValueBounds& claimed,
                                 CheckLimits& limits);
std::optional<double> most_worth(const Model& model,
                                 const Policy& policy,
                                 const Utility& worth,
                                 const ValueBounds& claimed,
                                 CheckLimits& limits);

}  // namespace quantiplan::checking
