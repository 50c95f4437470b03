#include "quantiplan/number.hpp"

#include "numbers/fraction.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void denominator_is_zero() {
  throw Error(ErrorCode::bad_number, "", "a fraction has the denominator 0");
}

}  // namespace

Number::Number(const Fraction& value) {
  if (value.denominator == 0) denominator_is_zero();
  if (value.denominator == 1) {
    value_ = value;
  } else if (const auto small = reduced(value.numerator, value.denominator)) {
    value_ = *small;
  } else {  // -2^63 / -1 and the like
    *this = Number(Rational(Integer(value.numerator), Integer(value.denominator)));
  }
}

Number::Number(const Rational& value) {
  if (value.get_den() == 0) denominator_is_zero();
  Rational canonical = value;  // a caller may have written Rational(2, 4)
  canonical.canonicalize();
  if (const auto small = to_fraction(canonical)) {
    value_ = *small;
  } else {
    value_ = std::move(canonical);
  }
}

Number::Number(const char* text) : Number(parse(text)) {}

Number Number::parse(std::string_view text) {
  std::string why;
  if (auto number = try_parse(text, &why)) return *std::move(number);
  throw Error(ErrorCode::bad_number, "", why);
}

Rational Number::rational() const {
  if (const Fraction* fraction = small()) return to_rational(*fraction);
  return std::get<Rational>(value_);
}

int Number::sign() const {
  if (const Fraction* fraction = small()) {
    return fraction->numerator > 0 ? 1 : fraction->numerator < 0 ? -1 : 0;
  }
  return sgn(std::get<Rational>(value_));
}

Number operator+(const Number& a, const Number& b) {
  if (a.small() != nullptr && b.small() != nullptr) {
    if (const auto sum = add(*a.small(), *b.small())) {
      Number out;
      out.value_ = *sum;
      return out;
    }
  }
  return Number(Rational(a.rational() + b.rational()));
}

}  // namespace quantiplan
