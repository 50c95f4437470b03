// The law of a policy's totals in rationals, followed by the book; and what a law is worth by a criterion.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "check/common/check_limits.hpp"
#include "check/criteria/exponential_value.hpp"
#include "quantiplan/criterion.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

// Over a finite horizon. Nullopt if there are more places than `most_places`; `lost` says where there is no rule, if so.
std::optional<TotalsLaw> law_of_policy(const Model& model,
                                       const Policy& policy,
                                       std::size_t most_places,
                                       CheckLimits& limits,
                                       std::string& lost);

// Nullopt for criteria that are not of the law alone, and utilities beyond doubles.
std::optional<ValueBounds> value_of_law(const TotalsLaw& law,
                                        const Criterion& criterion,
                                        const Rational& tau);

// u(total); nullopt where it is infinite or beyond doubles.
std::optional<ValueBounds> utility_bounds(const Utility& utility, const Rational& total);

// What an outcome adds to the total.
Rational counted_reward(const Model& model, const ResolvedSetting& setting, const Outcome& o);
bool is_end_of_episode(const Model& model, const ResolvedSetting& setting, State s);

}  // namespace quantiplan::checking
