// A Poisson law cut off to an interval and rounded to a grid, with a sum of exactly 1.
//
//     weight(j) = mean^j / j!  for j = least .. greatest           (e^-mean cancels)
//     share(j)  = grid * weight(j) / sum of weights                exact rationals
//     units(j)  = floor(share(j)), and one more for the largest remainders until the sum is grid
//
// The method of largest remainders: every probability is off by less than 1/grid. Among equal
// remainders the smaller j comes first. Integers throughout: the same result on every platform.
// Without the rounding one such probability at mean 75 would have a denominator of 100 digits.
#pragma once

#include <cstdint>
#include <vector>

namespace quantiplan {

// Entry i is units(least + i); entries can be 0. Needs mean >= 1, least <= greatest, grid >= 1.
std::vector<std::uint64_t> poisson_units(std::uint32_t mean,
                                         std::uint32_t least,
                                         std::uint32_t greatest,
                                         std::uint64_t grid);

}  // namespace quantiplan
