// The rules of a policy that goes by residual targets, read as they stand (policy.hpp).
//
//     y_0 = target                 y_{t+1} = (y_t - r_t) / gamma
//     i_0 = target / H_0           i_{t+1} = ( i_t - floor(gamma^t r_t / H_t) ) * H_t / H_{t+1}
//
// In exact fractions, which need nothing and are slow: IndexPolicy and StationaryRules do the same
// in integers, where these fit.
#pragma once

#include <algorithm>
#include <cstdint>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// The time whose rules hold at a time.
inline std::uint64_t rule_time(const Policy& policy, std::uint64_t time) {
  return policy.setting.is_infinite() ? std::min(time, policy.truncated_at.value_or(0)) : time;
}

// The action at a time and state, with this residual (with a grid: index). Throws Error(bad_policy)
// if there is no rule for them.
Choice choose_by_residual(const Model& model,
                          const Policy& policy,
                          std::uint64_t time,
                          State state,
                          const Rational& residual);

// Residual (with a grid: index) at time 0, and after a reward at `time`.
Rational first_residual(const Policy& policy);
Rational next_residual(const Policy& policy,
                       std::uint64_t time,
                       const Rational& residual,
                       const Rational& reward);

// H_t / gamma^t: the step of a policy's grid in units of the time itself.
Rational grid_step(const Policy& policy, std::uint64_t time);
// How often the step of a grid was halved until a time, that time included.
unsigned long halvings_until(const PolicyGrid& grid, std::uint64_t time);

}  // namespace quantiplan
