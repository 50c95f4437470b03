// What a float is taken to mean: the shortest decimal that reads back as it.
//
//     value = +- digits 10^exponent,   digits < 10^17, not a multiple of 10 unless it is 0
//
// Needs: a finite value. Cost: one std::to_chars.
#pragma once

#include <cstdint>

namespace quantiplan {

struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
  bool negative = false;
};

Decimal shortest_decimal(double value) noexcept;
Decimal shortest_decimal(float value) noexcept;

}  // namespace quantiplan
