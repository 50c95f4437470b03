// Sums of products of probabilities over many steps, without a common denominator for each sum.
//
//     probabilities n / D, one D for all;  k steps before the end every value is  N / D^k
//
// Only whole numbers are multiplied and added. A fraction is brought to its lowest terms once, when it
// is done: what N and D^k have in common consists of factors of D, which is short.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quantiplan/number.hpp"

namespace quantiplan {

struct WholeNumerators {
  std::vector<Integer> numerators;
  Integer denominator;
};
// Null where D^steps would be longer than it is worth: rationals may be short all the same.
std::optional<WholeNumerators> whole_numerators(const std::vector<Rational>& probabilities,
                                                std::uint64_t steps);

// numerator / power in its lowest terms; `power` is one of `denominator`.
Rational fraction(const Integer& numerator, const Integer& power, const Integer& denominator);
// Rationals are what they are.
inline const Rational& fraction(const Rational& value, const Rational&, const Rational&) {
  return value;
}

}  // namespace quantiplan
