// What a horizon, a discount and a reward may be, wherever they come from.
#pragma once

#include <cstdint>
#include <string>

#include "quantiplan/number.hpp"
#include "quantiplan/wealth.hpp"

namespace quantiplan {

constexpr std::uint64_t kMostHorizon = 1000000000;

// "found 0, must be from 1 to 1000000000, or infinite", or empty if it is fine.
std::string wrong_horizon(std::uint64_t steps);
// The same where there must be an end.
std::string wrong_finite_horizon(std::uint64_t steps);
// "found 3/2, must be above 0 and at most 1", or empty if it is fine.
std::string wrong_discount(const Rational& gamma);
// "probabilities sum to 3/4, must be 1", or empty if they do.
std::string wrong_initial_sum(const Rational& sum);
// "probabilities sum to 0.9999999, normalised to 1"
std::string normalised_sum(const Rational& sum);
// "reward is 0, must be above 0 in a product", or empty if the wealth takes it.
std::string wrong_reward(const Wealth& wealth, const Number& reward);

}  // namespace quantiplan
