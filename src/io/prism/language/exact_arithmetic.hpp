// Exact arithmetic of expressions: small fractions without the heap, rationals where they must be.
//
// Guarantees: the exact value, or a Fault; no result of more than kMostBits bits, so that a hostile
// text cannot make us compute 2^(10^9).
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "io/prism/language/prism_syntax.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan::prism {

constexpr std::size_t kMostBits = 65536;

// An expression has no value: where, and why.
struct Fault {
  Place place;
  std::string message;
};

Number product(const Number& a, const Number& b, Place place);
Number sum(const Number& a, const Number& b, Place place);
Number quotient(const Number& a, const Number& b, Place place);
Number negative(const Number& a);
// base^exponent for a whole exponent; any other is irrational in general, and a Fault.
Number power(const Number& base, const Number& exponent, Place place);
std::strong_ordering compare(const Number& a, const Number& b);

// The greatest whole number of at most a; of a + 1/2 it rounds, halves upward.
std::int64_t floor(const Number& a, Place place);
std::int64_t ceiling(const Number& a, Place place);
std::int64_t round(const Number& a, Place place);

// Whole numbers have 64 bits.
std::int64_t sum(std::int64_t a, std::int64_t b, Place place);
std::int64_t difference(std::int64_t a, std::int64_t b, Place place);
std::int64_t product(std::int64_t a, std::int64_t b, Place place);
// The exponent must not be negative: 2^-1 is no whole number.
std::int64_t power(std::int64_t base, std::int64_t exponent, Place place);
// In 0 .. b-1; b must be positive.
std::int64_t modulo(std::int64_t a, std::int64_t b, Place place);

}  // namespace quantiplan::prism
