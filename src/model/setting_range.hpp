// What a horizon and a discount may be, whether they come from a file or from a command line.
#pragma once

#include <cstdint>
#include <string>

#include "quantiplan/number.hpp"

namespace quantiplan {

constexpr std::uint64_t kMostHorizon = 1000000000;

// "found 0, must be from 1 to 1000000000, or infinite", or empty if it is fine.
std::string wrong_horizon(std::uint64_t steps);
// The same where there must be an end.
std::string wrong_finite_horizon(std::uint64_t steps);
// "found 3/2, must be above 0 and at most 1", or empty if it is fine.
std::string wrong_discount(const Rational& gamma);

}  // namespace quantiplan
