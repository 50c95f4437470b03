// Criteria that go step by step, over (time, state): the value of a policy, or the best of all.
//
//     nested CVaR   V_t(s) = CVaR_tau( r + gamma V_{t+1}(s') )                     in rationals
//     entropic      U_t(s) = sum p exp(-beta gamma^t r) U_{t+1}(s')                with directed rounding
//                   value  = -ln(U) / beta
//
// of the choice that the policy makes, or of the best one. A draw of the initial state is one more mean of the same kind.
// Finite horizons, without goals.
#pragma once

#include <optional>

#include "check/common/check_limits.hpp"
#include "check/criteria/exponential_value.hpp"
#include "quantiplan/criterion.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

// Of times and states, for these recursions.
bool has_too_many_pairs(const Model& model, const ResolvedSetting& setting);

// `best`: of all policies, else of this one, which must go by time and state alone. Nullopt if there are too many
// pairs (time, state); `lost` says where there is no rule, if so.
std::optional<ValueBounds> nested_value(const Model& model,
                                        const Policy& policy,
                                        bool best,
                                        const Rational& tau,
                                        CheckLimits& limits,
                                        std::string& lost);
std::optional<ValueBounds> best_entropic(const Model& model,
                                         const ResolvedSetting& setting,
                                         const Rational& beta,
                                         CheckLimits& limits);

}  // namespace quantiplan::checking
