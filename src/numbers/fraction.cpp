#include "numbers/fraction.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace quantiplan {
namespace {

static_assert(sizeof(long) == sizeof(std::int64_t), "GMP's si functions must take 64 bits");

constexpr Int128 kLeast = std::numeric_limits<std::int64_t>::min();
constexpr Int128 kGreatest = std::numeric_limits<std::int64_t>::max();

constexpr std::array<std::uint64_t, 19> kPowersOfTen = [] {
  std::array<std::uint64_t, 19> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

std::uint64_t magnitude(std::int64_t value) noexcept {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? 0 - bits : bits;
}

// Both parts already without a common factor.
std::optional<Fraction> if_it_fits(Int128 numerator, Int128 denominator) {
  if (numerator < kLeast || numerator > kGreatest || denominator > kGreatest) return std::nullopt;
  return Fraction{static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

}  // namespace

UInt128 greatest_common_divisor(UInt128 a, UInt128 b) noexcept {
  constexpr UInt128 kWord = std::numeric_limits<std::uint64_t>::max();
  while (b != 0) {
    if (a <= kWord && b <= kWord) {
      return std::gcd(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
    }
    const UInt128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

std::optional<Fraction> reduced(Int128 numerator, Int128 denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const auto size = static_cast<UInt128>(numerator < 0 ? -numerator : numerator);
  const auto divisor =
      static_cast<Int128>(greatest_common_divisor(size, static_cast<UInt128>(denominator)));
  return if_it_fits(numerator / divisor, denominator / divisor);
}

std::optional<Fraction> add(const Fraction& a, const Fraction& b) {
  // Knuth, The Art of Computer Programming 2, 4.5.1: with g = gcd of the denominators, what is left
  // to cancel divides g, so that no intermediate value passes 127 bits.
  const std::int64_t g = std::gcd(a.denominator, b.denominator);
  const Int128 sum =
      Int128{a.numerator} * (b.denominator / g) + Int128{b.numerator} * (a.denominator / g);
  const auto rest = static_cast<std::int64_t>(sum % g);
  const std::int64_t h = std::gcd(rest, g);
  return if_it_fits(sum / h, Int128{a.denominator / g} * (b.denominator / h));
}

std::optional<Fraction> from_decimal(bool negative, std::uint64_t mantissa, int exponent10) {
  if (mantissa == 0) return Fraction{};
  while (exponent10 < 0 && mantissa % 10 == 0) {
    mantissa /= 10;
    ++exponent10;
  }
  const int size = exponent10 < 0 ? -exponent10 : exponent10;
  if (size > 18) return std::nullopt;
  std::uint64_t power = kPowersOfTen[static_cast<std::size_t>(size)];
  if (exponent10 >= 0) {
    const UInt128 value = UInt128{mantissa} * power;
    if (value > static_cast<UInt128>(kGreatest) + (negative ? 1U : 0U)) return std::nullopt;
    const auto whole = static_cast<Int128>(value);
    return if_it_fits(negative ? -whole : whole, 1);
  }
  // No factor 10 is left, so the common factor is a power of 2 or a power of 5, not both.
  const int twos = std::min(std::countr_zero(mantissa), size);
  mantissa >>= twos;
  power >>= twos;
  for (int fives = 0; fives < size && mantissa % 5 == 0; ++fives) {
    mantissa /= 5;
    power /= 5;
  }
  const auto whole = static_cast<Int128>(mantissa);
  return if_it_fits(negative ? -whole : whole, static_cast<Int128>(power));
}

double to_nearest_double(const Fraction& value) noexcept {
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53U;
  if (value.denominator == 1) return static_cast<double>(value.numerator);
  std::uint64_t top = magnitude(value.numerator);
  const auto bottom = static_cast<std::uint64_t>(value.denominator);
  if (top <= kExact && bottom <= kExact) {
    return static_cast<double>(value.numerator) / static_cast<double>(value.denominator);
  }
  // A quotient of 62 or 63 bits whose last bit says "and a rest": converting it rounds once, and
  // right.
  const int shift =
      62 - static_cast<int>(std::bit_width(top)) + static_cast<int>(std::bit_width(bottom));
  const UInt128 scaled = UInt128{top} << shift;
  const auto quotient = static_cast<std::uint64_t>(scaled / bottom);
  const bool rest = scaled % bottom != 0;
  const double nearest = std::ldexp(static_cast<double>(quotient | (rest ? 1U : 0U)), -shift);
  return value.numerator < 0 ? -nearest : nearest;
}

Rational to_rational(const Fraction& value) {
  Rational out;
  mpz_set_si(out.get_num_mpz_t(), value.numerator);
  mpz_set_si(out.get_den_mpz_t(), value.denominator);
  return out;
}

std::optional<Fraction> to_fraction(const Rational& value) {
  if (!value.get_num().fits_slong_p() || !value.get_den().fits_slong_p()) return std::nullopt;
  return Fraction{value.get_num().get_si(), value.get_den().get_si()};
}

}  // namespace quantiplan
