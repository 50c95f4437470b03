// Numbers: text -> value -> text -> value, the nearest double against the C library, and sums.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "agree.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {
namespace {

void check_number(const Number& number) {
  const std::string written = to_text(number.rational());
  if (written.size() <= 1000) {
    must_agree(written, to_text(Number::parse(written).rational()), "number written twice");
    if (!(Number::parse(written) == number)) std::abort();
  }
  if (!(Number(number.rational()) == number)) std::abort();
}

void check_nearest_double(const std::string& text, const Number& number) {
  if (text.find('/') != std::string::npos) return;  // strtod reads no fractions
  const double ours = to_nearest_double(number.rational());
  const double theirs = std::strtod(text.c_str(), nullptr);
  if (ours != theirs) {
    must_agree(std::to_string(ours), std::to_string(theirs), "the nearest double");
    std::abort();
  }
}

void check_sum(const Number& number) {
  const Number sum = number + number;
  if (!(sum == Number(Rational(number.rational() * 2)))) std::abort();
  if (!(sum + Number(Rational(-number.rational())) == number)) std::abort();
}

}  // namespace
}  // namespace quantiplan

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string why;
  const auto number = quantiplan::Number::try_parse(text, &why);
  if (number.has_value() != why.empty()) std::abort();
  if (!number) return 0;
  quantiplan::check_number(*number);
  quantiplan::check_nearest_double(text, *number);
  quantiplan::check_sum(*number);
  return 0;
}
