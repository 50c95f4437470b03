#include "io/prism/language/exact_arithmetic.hpp"

#include <cstdlib>

#include "model/shown.hpp"
#include "numbers/fraction.hpp"

namespace quantiplan::prism {
namespace {

std::size_t bits(const Rational& value) {
  return mpz_sizeinbase(value.get_num_mpz_t(), 2) + mpz_sizeinbase(value.get_den_mpz_t(), 2);
}

[[noreturn]] void too_long(Place place) {
  throw Fault{
      place,
      "the value has more than " + std::to_string(kMostBits) + " bits, expected a shorter number"};
}

Number if_short(const Rational& value, Place place) {
  if (bits(value) > kMostBits) too_long(place);
  return Number(value);
}

[[noreturn]] void beyond_64_bits(Place place) {
  throw Fault{place, "the value does not fit a whole number of 64 bits"};
}

std::int64_t whole_of(const Integer& value, Place place) {
  if (!value.fits_slong_p()) beyond_64_bits(place);
  return value.get_si();
}

Integer floor_of(const Rational& value) {
  Integer out;
  mpz_fdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return out;
}

}  // namespace

Number product(const Number& a, const Number& b, Place place) {
  if (a.small() != nullptr && b.small() != nullptr) {
    if (const auto small = reduced(Int128{a.small()->numerator} * b.small()->numerator,
                                   Int128{a.small()->denominator} * b.small()->denominator))
      return Number(*small);
  }
  return if_short(a.rational() * b.rational(), place);
}

Number sum(const Number& a, const Number& b, Place place) {
  Number out = a + b;
  if (out.small() == nullptr && bits(out.rational()) > kMostBits) too_long(place);
  return out;
}

Number quotient(const Number& a, const Number& b, Place place) {
  if (b.sign() == 0) throw Fault{place, "division by zero"};
  if (a.small() != nullptr && b.small() != nullptr) {
    if (const auto small = reduced(Int128{a.small()->numerator} * b.small()->denominator,
                                   Int128{a.small()->denominator} * b.small()->numerator))
      return Number(*small);
  }
  return if_short(a.rational() / b.rational(), place);
}

Number negative(const Number& a) { return Number(Rational(-a.rational())); }

Number power(const Number& base, const Number& exponent, Place place) {
  const Fraction* small = exponent.small();
  if (small != nullptr && small->denominator != 1) {
    throw Fault{place,
                "pow with the exponent " + shown(exponent.rational()) +
                    " is irrational in general, expected a whole exponent"};
  }
  const Rational b = base.rational();
  if (exponent.sign() == 0 || b == 1) return Number(1);
  if (b == 0 && exponent.sign() > 0) return Number(0);
  if (b == 0) throw Fault{place, "division by zero: pow of 0 with a negative exponent"};
  const bool is_odd = small != nullptr && small->numerator % 2 != 0;
  if (b == -1) return Number(is_odd ? -1 : 1);
  constexpr auto kMostTimes = static_cast<std::int64_t>(kMostBits);
  if (small == nullptr || small->numerator > kMostTimes || small->numerator < -kMostTimes)
    too_long(place);
  const auto times = static_cast<unsigned long>(std::abs(small->numerator));
  if (times * (bits(b) - 1) > 2 * kMostBits) too_long(place);
  Rational out;
  mpz_pow_ui(out.get_num_mpz_t(), b.get_num_mpz_t(), times);
  mpz_pow_ui(out.get_den_mpz_t(), b.get_den_mpz_t(), times);
  if (exponent.sign() < 0) out = 1 / out;
  return if_short(out, place);
}

std::strong_ordering compare(const Number& a, const Number& b) {
  if (a.small() != nullptr && b.small() != nullptr) {
    return Int128{a.small()->numerator} * b.small()->denominator <=>
           Int128{b.small()->numerator} * a.small()->denominator;
  }
  return cmp(a.rational(), b.rational()) <=> 0;
}

std::int64_t floor(const Number& a, Place place) { return whole_of(floor_of(a.rational()), place); }

std::int64_t ceiling(const Number& a, Place place) {
  return whole_of(-floor_of(-a.rational()), place);
}

std::int64_t round(const Number& a, Place place) {
  return whole_of(floor_of(a.rational() + Rational(1, 2)), place);
}

std::int64_t sum(std::int64_t a, std::int64_t b, Place place) {
  std::int64_t out = 0;
  if (__builtin_add_overflow(a, b, &out)) beyond_64_bits(place);
  return out;
}

std::int64_t difference(std::int64_t a, std::int64_t b, Place place) {
  std::int64_t out = 0;
  if (__builtin_sub_overflow(a, b, &out)) beyond_64_bits(place);
  return out;
}

std::int64_t product(std::int64_t a, std::int64_t b, Place place) {
  std::int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) beyond_64_bits(place);
  return out;
}

std::int64_t power(std::int64_t base, std::int64_t exponent, Place place) {
  if (exponent < 0) {
    throw Fault{place,
                "pow of whole numbers with the negative exponent " + std::to_string(exponent) +
                    ", expected one of at least 0 (or pow(1.0*x, y) for a fraction)"};
  }
  std::int64_t out = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) out = product(out, base, place);
    if (exponent > 1) base = product(base, base, place);
  }
  return out;
}

std::int64_t modulo(std::int64_t a, std::int64_t b, Place place) {
  if (b <= 0)
    throw Fault{place, "mod by " + std::to_string(b) + ", expected a whole number above 0"};
  const std::int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

}  // namespace quantiplan::prism
