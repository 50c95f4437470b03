// Fractions of 127 bits: conversions, and the nearest double by long division.
#include <bit>
#include <cmath>
#include <limits>

#include "numbers/fraction.hpp"

namespace quantiplan {
namespace {

constexpr int kMostLongBits = 127;

int width(UInt128 value) noexcept {
  const auto high = static_cast<std::uint64_t>(value >> 64U);
  if (high != 0) return 64 + static_cast<int>(std::bit_width(high));
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
}

Integer to_integer(UInt128 value) {
  Integer out(static_cast<unsigned long>(value >> 64U));
  out <<= 64;
  out += Integer(static_cast<unsigned long>(value & std::numeric_limits<std::uint64_t>::max()));
  return out;
}

UInt128 to_long(const Integer& value) {
  const mpz_srcptr bits = value.get_mpz_t();
  return UInt128{mpz_getlimbn(bits, 1)} << 64U | mpz_getlimbn(bits, 0);
}

}  // namespace

double to_nearest_double(const LongFraction& value) noexcept {
  if (value.numerator == 0) return 0;
  // A quotient of 62 or 63 bits whose last bit says "and a rest": converting it rounds once, and
  // right. Its bits come in as many steps as there is room above the denominator.
  int exponent = width(value.denominator) - width(value.numerator);
  UInt128 rest = value.numerator;
  UInt128 divisor = value.denominator;
  if (exponent > 0) rest <<= static_cast<unsigned>(exponent);
  if (exponent < 0) {
    // A numerator above the denominator: both below 2^127, so that this shift has room as well.
    divisor <<= static_cast<unsigned>(-exponent);
  }
  const int room = 128 - width(divisor);
  std::uint64_t quotient = rest >= divisor ? 1 : 0;
  if (quotient != 0) rest -= divisor;
  for (int bits = 62; bits > 0;) {
    const int step = std::min(room, bits);
    rest <<= static_cast<unsigned>(step);
    quotient = quotient << static_cast<unsigned>(step) | static_cast<std::uint64_t>(rest / divisor);
    rest %= divisor;
    bits -= step;
    exponent += step;
  }
  return std::ldexp(static_cast<double>(quotient | (rest != 0 ? 1U : 0U)), -exponent);
}

std::optional<Fraction> to_fraction(const LongFraction& value) {
  constexpr UInt128 kMostOfFraction = std::numeric_limits<std::int64_t>::max();
  if (value.numerator > kMostOfFraction || value.denominator > kMostOfFraction) return std::nullopt;
  return Fraction{static_cast<std::int64_t>(value.numerator),
                  static_cast<std::int64_t>(value.denominator)};
}

Rational to_rational(const LongFraction& value) {
  return {to_integer(value.numerator), to_integer(value.denominator)};
}

std::optional<LongFraction> to_long_fraction(const Rational& value) {
  if (sgn(value) < 0 || mpz_sizeinbase(value.get_num_mpz_t(), 2) > kMostLongBits ||
      mpz_sizeinbase(value.get_den_mpz_t(), 2) > kMostLongBits)
    return std::nullopt;
  return LongFraction{to_long(value.get_num()), to_long(value.get_den())};
}

}  // namespace quantiplan
