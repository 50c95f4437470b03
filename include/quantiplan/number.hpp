// Exact numbers: read from text as decimals or fractions, never through a double.
//
//     text = [+-] digits [. digits] [e [+-] digits]      0.1   -40   1e-3   .5
//          | [+-] digits / digits                        9/10  -1/3
//
// Needs: at most 1000 characters and an exponent within +-1000 (a hostile file must not make us
// compute 10^999999999). Guarantees: the value of the text, exactly. Floats mean their shortest text.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace quantiplan {

using Rational = mpq_class;
using Integer = mpz_class;

// A reduced fraction whose parts fit 64 bits; denominator >= 1. Nearly every number of a real model
// is one, and a model of 10^7 outcomes cannot afford a heap-allocated rational for each.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  friend bool operator==(const Fraction&, const Fraction&) = default;
};

// An exact number: small if it can be, wide if it must. Value semantics; equal values compare
// equal.
class Number {
 public:
  Number() = default;
  Number(int value) : Number(std::int64_t{value}) {}          // NOLINT(google-explicit-constructor)
  Number(std::int64_t value) : value_(Fraction{value, 1}) {}  // NOLINT(google-explicit-constructor)
  Number(const Fraction& value);  // NOLINT(google-explicit-constructor): reduced here
  Number(const Rational& value);  // NOLINT(google-explicit-constructor): reduced here
  Number(const char* text);       // NOLINT(google-explicit-constructor): as parse(text)
  // Silently, a double would be one of two things: write Number("0.1") or from_double(0.1).
  Number(double) = delete;

  // What a float is taken to mean: the shortest decimal that reads back as it, so that 0.1 is one
  // tenth and not the binary fraction beside it. Throws Error(bad_number) if it is not finite.
  static Number from_double(double value);
  static Number from_float(float value);

  // Throws Error(bad_number) that shows the text and what was expected.
  static Number parse(std::string_view text);
  // The same without exceptions: nullopt if the text is no number, and why() says what is wrong.
  static std::optional<Number> try_parse(std::string_view text, std::string* why = nullptr);

  // The small form, or nullptr if a part needs more than 64 bits.
  [[nodiscard]] const Fraction* small() const noexcept { return std::get_if<Fraction>(&value_); }
  [[nodiscard]] Rational rational() const;
  [[nodiscard]] int sign() const;
  friend bool operator==(const Number&, const Number&) = default;
  friend Number operator+(const Number& a, const Number& b);

 private:
  std::variant<Fraction, Rational> value_;
};

// The shortest exact text: a finite decimal ("-31.89") where there is one, else a fraction ("1/3").
std::string to_text(const Rational& value);
// True if value has a finite decimal expansion (its denominator has no prime factor but 2 and 5).
bool is_finite_decimal(const Rational& value);
// The nearest double, ties to even; relative error at most 2^-53 unless it underflows.
double to_nearest_double(const Rational& value);

// GMP, which these numbers stand on, ends the process when the system gives it no memory. After
// this call it throws std::bad_alloc instead. For a program's main, before the first number is
// made: GMP knows one set of functions in a process, so the library never calls this by itself.
// After a refusal the memory of numbers is not given back any more, for GMP may hold pointers that
// it has freed already; a program that goes on should soon end.
void let_numbers_throw_bad_alloc();

}  // namespace quantiplan
