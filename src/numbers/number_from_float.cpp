// Floats by their shortest decimal: what std::to_chars writes is the shortest text that reads back.
#include <charconv>
#include <cmath>

#include "numbers/fraction.hpp"
#include "numbers/shortest_decimal.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {
namespace {

// d.ddde[+-]dd, as std::to_chars writes it.
template <class Float>
Decimal decimal_of(Float value) noexcept {
  char text[40];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  Decimal decimal;
  const char* at = text;
  decimal.negative = *at == '-';
  if (decimal.negative) ++at;
  int decimals = -1;
  for (; *at != 'e'; ++at) {
    if (*at == '.') {
      decimals = 0;
      continue;
    }
    decimal.digits = 10 * decimal.digits + static_cast<std::uint64_t>(*at - '0');
    if (decimals >= 0) ++decimals;
  }
  std::from_chars(at + (at[1] == '+' ? 2 : 1), end, decimal.exponent);
  decimal.exponent -= std::max(decimals, 0);
  return decimal;
}

template <class Float>
Number shortest(Float value) {
  if (!std::isfinite(value)) {
    throw Error(ErrorCode::bad_number,
                "",
                std::isnan(value) ? "found nan, expected a number"
                                  : "found an infinity, expected a finite number");
  }
  // Most numbers of real models; and their digits need not be made.
  if (value == std::trunc(value) && std::abs(value) < Float(1 << 24))
    return static_cast<std::int64_t>(value);
  const Decimal decimal = decimal_of(value);
  if (const auto small = from_decimal(decimal.negative, decimal.digits, decimal.exponent))
    return *small;
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(decimal.exponent)));
  const Integer digits(static_cast<unsigned long>(decimal.digits));
  const Integer whole = decimal.negative ? Integer(-digits) : digits;
  return decimal.exponent < 0 ? Number(Rational(whole, power)) : Number(Rational(whole * power));
}

}  // namespace

Decimal shortest_decimal(double value) noexcept { return decimal_of(value); }
Decimal shortest_decimal(float value) noexcept { return decimal_of(value); }

Number Number::from_double(double value) { return shortest(value); }
Number Number::from_float(float value) { return shortest(value); }

}  // namespace quantiplan
