// Numbers as decimals, for programs that read no fractions, and what is lost by that.
//
//     1/4 -> 0.25, exactly        1/3 -> 0.3333333333333333, the shortest text of the nearest double
//
// Guarantees: a number that is no finite decimal, or a long one, changes by at most 2^-53 of itself;
// how many changed and by how much at most is counted.
#pragma once

#include <cstdint>
#include <string>

#include "quantiplan/number.hpp"

namespace quantiplan {

class DecimalTexts {
 public:
  std::string text(const Rational& value);
  // "the exact values of 3 numbers, rounded by at most 1.9e-17", or nothing.
  [[nodiscard]] std::string rounded() const;

 private:
  std::uint64_t count_ = 0;
  Rational most_ = 0;
};

}  // namespace quantiplan
