// Floats by their shortest decimal: what std::to_chars writes is the shortest text that reads back.
#include <charconv>
#include <cmath>

#include "numbers/fraction.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {
namespace {

// d.ddde[+-]dd, as std::to_chars writes it.
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
  char text[40];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const char* at = text;
  const bool is_negative = *at == '-';
  if (is_negative) ++at;
  std::uint64_t mantissa = 0;
  int decimals = -1;
  for (; *at != 'e'; ++at) {
    if (*at == '.') {
      decimals = 0;
      continue;
    }
    mantissa = 10 * mantissa + static_cast<std::uint64_t>(*at - '0');
    if (decimals >= 0) ++decimals;
  }
  int exponent = 0;
  const char* digits = at + (at[1] == '+' ? 2 : 1);
  std::from_chars(digits, end, exponent);
  if (const auto small = from_decimal(is_negative, mantissa, exponent - std::max(decimals, 0)))
    return *small;
  return Number::parse(std::string_view(text, static_cast<std::size_t>(end - text)));
}

}  // namespace

Number Number::from_double(double value) { return shortest(value); }
Number Number::from_float(float value) { return shortest(value); }

}  // namespace quantiplan
