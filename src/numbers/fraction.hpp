// Arithmetic on small fractions without the heap: the path nearly every number of a model takes.
//
// Needs: reduced fractions with denominators >= 1. Guarantees: reduced results, or nothing where a
// part would not fit 64 bits; never a rounded or wrapped value.
#pragma once

#include <cstdint>
#include <optional>

#include "quantiplan/number.hpp"

namespace quantiplan {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

// A reduced fraction from 0 on whose parts fit 127 bits: what is left of floats whose row had to be
// normalised. It needs no heap either.
struct LongFraction {
  UInt128 numerator = 0;
  UInt128 denominator = 1;
  friend bool operator==(const LongFraction&, const LongFraction&) = default;
};

UInt128 greatest_common_divisor(UInt128 a, UInt128 b) noexcept;
// numerator / denominator reduced; the denominator must not be 0, both below 2^127 in size.
std::optional<Fraction> reduced(Int128 numerator, Int128 denominator);
std::optional<Fraction> add(const Fraction& a, const Fraction& b);
// mantissa * 10^exponent10.
std::optional<Fraction> from_decimal(bool negative, std::uint64_t mantissa, int exponent10);
// Correctly rounded, ties to even.
double to_nearest_double(const Fraction& value) noexcept;
double to_nearest_double(const LongFraction& value) noexcept;

Rational to_rational(const Fraction& value);
// The small form of a canonical rational, if both parts fit.
std::optional<Fraction> to_fraction(const Rational& value);
std::optional<Fraction> to_fraction(const LongFraction& value);
Rational to_rational(const LongFraction& value);
std::optional<LongFraction> to_long_fraction(const Rational& value);

}  // namespace quantiplan
