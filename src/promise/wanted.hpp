// Whether a policy is searched for that is better at something else than its promise, and how large
// a problem may be for that.
#pragma once

#include <cstdint>
#include <string>

#include "problem/quantile_problem.hpp"

namespace quantiplan {

// True if some other policy than that with the greatest probability, ties apart, may be wanted.
bool wants_better_policies(const Wishes& wishes);

// What a report says of it; nothing if nothing was left out.
std::string best_mean_left_out(const std::string& why);

// A pass is small enough to be made unasked: multiply-adds in doubles, products in rationals.
constexpr double kSmallPass = 1e8;
constexpr std::uint64_t kSmallExactPass = 200'000;
constexpr std::uint64_t kMostExactProducts = 50'000'000;

}  // namespace quantiplan
