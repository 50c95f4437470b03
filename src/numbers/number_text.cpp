// Exact numbers as text, and as the nearest double.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "numbers/fraction.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kMostRead = 1000;  // what the parser reads
constexpr long kMostPlain = 24;          // longer decimals may use an exponent
constexpr long kMostExponentRead = 1000;

// digits * 10^-decimals in plain notation: "-31.89", "0.05", "1200".
std::string plain(std::string_view digits, long decimals) {
  std::string out(digits);
  if (decimals <= 0) return out.append(static_cast<std::size_t>(-decimals), '0');
  const auto places = static_cast<std::size_t>(decimals);
  if (out.size() <= places) out.insert(0, places + 1 - out.size(), '0');
  return out.insert(out.size() - places, 1, '.');
}

// The same with one digit before the point and an exponent the parser accepts.
std::string scientific(std::string_view digits, long decimals) {
  long exponent = static_cast<long>(digits.size()) - 1 - decimals;
  exponent = std::min(std::max(exponent, -kMostExponentRead), kMostExponentRead);
  return plain(digits, decimals + exponent) + "e" + std::to_string(exponent);
}

// digits * 10^-decimals, digits without a sign; trailing zeros are moved into the exponent first.
std::string decimal_text(std::string digits, long decimals) {
  while (digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    --decimals;
  }
  const auto count = static_cast<long>(digits.size());
  const long plain_size = decimals <= 0 ? count - decimals : std::max(count, decimals + 1) + 1;
  if (plain_size <= kMostPlain) return plain(digits, decimals);
  std::string text = scientific(digits, decimals);
  return static_cast<long>(text.size()) < plain_size ? text : plain(digits, decimals);
}

// How often `factor` divides value, which is divided by it.
long take_factor(Integer& value, unsigned long factor) {
  const Integer base(factor);
  return static_cast<long>(mpz_remove(value.get_mpz_t(), value.get_mpz_t(), base.get_mpz_t()));
}

// The double nearest to bits * 2^-shift, ties to even, for 62 or 63 bits of which the last is
// sticky.
double scaled_down(std::uint64_t bits, long shift) {
  const bool subnormal = static_cast<long>(std::bit_width(bits)) - 1 - shift < -1022;
  if (!subnormal) {
    // Converting rounds once; ldexp is exact, or gives the infinity that rounding would.
    return std::ldexp(static_cast<double>(bits), static_cast<int>(std::min(-shift, 2000L)));
  }
  // A subnormal counts in units of 2^-1074. Round to those directly: by way of 53 bits it would be
  // rounded twice.
  const long lost = shift - 1074;
  if (lost >= 64) return 0;
  const std::uint64_t half = std::uint64_t{1} << static_cast<unsigned>(lost - 1);
  const std::uint64_t below = bits & (half | (half - 1));
  std::uint64_t units = bits >> static_cast<unsigned>(lost);
  if (below > half || (below == half && (units & 1U) != 0)) ++units;
  return std::ldexp(static_cast<double>(units), -1074);
}

}  // namespace

bool is_finite_decimal(const Rational& value) {
  Integer rest = value.get_den();
  take_factor(rest, 2);
  take_factor(rest, 5);
  return rest == 1;
}

std::string to_text(const Rational& value) {
  Integer rest = value.get_den();
  if (rest == 1 && value.get_num().fits_slong_p()) return std::to_string(value.get_num().get_si());
  const long twos = take_factor(rest, 2);
  const long fives = take_factor(rest, 5);
  if (rest != 1) return value.get_str();
  // n / (2^a 5^b) = n * 2^(d-a) * 5^(d-b) / 10^d with d = max(a, b)
  const long decimals = std::max(twos, fives);
  Integer digits = abs(value.get_num());
  digits <<= static_cast<unsigned long>(decimals - twos);
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 5, static_cast<unsigned long>(decimals - fives));
  digits *= power;
  std::string text = decimal_text(digits.get_str(), decimals);
  if (sgn(value) < 0) text.insert(0, 1, '-');
  if (text.size() <= kMostRead) return text;
  std::string fraction = value.get_str();
  return fraction.size() < text.size() ? fraction : text;
}

double to_nearest_double(const Rational& value) {
  if (const auto small = to_fraction(value)) return to_nearest_double(*small);
  // A quotient of 62 or 63 bits, its last bit set if there is a rest: |value| ~ quotient *
  // 2^-shift.
  Integer top = abs(value.get_num());
  Integer bottom = value.get_den();
  const auto top_bits = static_cast<long>(mpz_sizeinbase(top.get_mpz_t(), 2));
  const auto bottom_bits = static_cast<long>(mpz_sizeinbase(bottom.get_mpz_t(), 2));
  const long shift = 62 - top_bits + bottom_bits;
  (shift >= 0 ? top : bottom) <<= static_cast<unsigned long>(std::labs(shift));
  Integer quotient;
  Integer rest;
  mpz_tdiv_qr(quotient.get_mpz_t(), rest.get_mpz_t(), top.get_mpz_t(), bottom.get_mpz_t());
  const double nearest = scaled_down(quotient.get_ui() | (rest != 0 ? 1U : 0U), shift);
  return sgn(value) < 0 ? -nearest : nearest;
}

}  // namespace quantiplan
