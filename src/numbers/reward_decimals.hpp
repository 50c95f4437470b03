// Decimals of rewards: which have so many that no unit of wealth is left, and how they are rounded.
//
//     0.1 + 0.2 = 0.30000000000000004     a unit of 1e-17, and levels of wealth beyond 64 bits
#pragma once

#include <cstddef>
#include <cstdint>

#include "quantiplan/number.hpp"

namespace quantiplan {

constexpr std::uint32_t kMostDecimals = 18;
constexpr std::size_t kMostFine = 1000;

// A denominator beyond 10^9.
bool is_fine(const Number& reward);
bool is_fine(const Fraction& reward);
// The nearest multiple of 10^-decimals; ties away from 0. Needs decimals <= kMostDecimals.
Number rounded_to(const Number& reward, std::uint32_t decimals);

}  // namespace quantiplan
