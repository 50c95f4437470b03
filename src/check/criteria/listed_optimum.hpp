// The greatest worth of all policies, place by place (best_worth.hpp).
//
//     utility            one recursion; by the utility's bounds where it is not rational
//     CVaR, mean-CVaR    a recursion for every total y, and the greatest y + F
#pragma once

#include <optional>

#include "check/criteria/best_worth.hpp"
#include "check/criteria/exponential_value.hpp"
#include "check/criteria/rounded_worth.hpp"
#include "quantiplan/utility.hpp"

namespace quantiplan::checking {

// Nullopt: the utility of some total is infinite, or beyond doubles.
std::optional<ValueBounds> greatest_utility(BestWorth& best, const Utility& utility);
// Throws TooLarge.
Rational greatest_share(BestWorth& best, const ShareWorth& worth);

}  // namespace quantiplan::checking
