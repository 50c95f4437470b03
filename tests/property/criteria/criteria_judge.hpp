// What a law is worth by each criterion, by definition, in rationals; and the best of all laws.
#pragma once

#include <vector>

#include "oracles/brute_force.hpp"
#include "quantiplan/criterion.hpp"

namespace quantiplan::testing {

// Of laws of numbers, and of criteria that are rational: no entropic ones, and utilities that are exact.
Rational worth(const Law& law, const Criterion& criterion, const Rational& tau);
Rational best_worth(const std::vector<Law>& laws, const Criterion& criterion, const Rational& tau);

}  // namespace quantiplan::testing
