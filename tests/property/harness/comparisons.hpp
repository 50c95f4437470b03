// Computed values against exact ones, with the certified error and never a round tolerance.
#pragma once

#include <string>

#include "harness/harness.hpp"
#include "oracles/brute_force.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/distribution.hpp"

namespace quantiplan::testing {

// 2 T (b + 2) 2^-53: twice the bound eta of the semantics, section 3.
Rational certified_error(const Case& c);

// A value by its label: exact, equal, and its double the nearest; a bound, on its side of the
// truth. Answers never show a probability that is merely rounded; distributions do, with their
// error.
void require_label(const Value& found, const Rational& expected, const std::string& what);
// A probability by its label, if it has one, and within the certified error.
void require_probability(const Case& c,
                         const Value& found,
                         const Rational& expected,
                         const std::string& what);
// A mean: equal if it is exact, else within the certified error of the sum of |p w|.
void require_mean(const Case& c, const Value& found, const Law& law, const std::string& what);
// The same levels with the same probabilities.
void require_law(const Case& c, const Distribution& found, const Law& law, const std::string& what);

// "steps exact sparse auto 1 threads, tau 1/2 lower: "
std::string place(const std::string& configuration, const Rational& tau, Side side);

// The checker's report on several lines.
std::string verdict(const CheckReport& report);

}  // namespace quantiplan::testing
