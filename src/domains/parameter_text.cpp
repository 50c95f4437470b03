#include "domains/parameter_text.hpp"

#include <fmt/format.h>

#include "base/quoted.hpp"
#include "base/whole_text.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

template <class Whole>
void read_whole(std::string_view name,
                std::string_view text,
                std::string_view expected,
                Whole& into) {
  const auto value = number_in<Whole>(text);
  if (!value) wrong_parameter(name, text, expected);
  into = *value;
}

}  // namespace

void wrong_parameter(std::string_view name, std::string_view text, std::string_view expected) {
  throw Error(ErrorCode::bad_request,
              fmt::format("--{}", name),
              fmt::format("found {}, expected {}", in_quotes(text), expected));
}

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos;
       comma = text.find(',', begin)) {
    parts.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

void read_parameter(std::string_view name, std::string_view text, std::uint32_t& into) {
  read_whole(name, text, "a whole number from 0 to 2^32 - 1", into);
}

void read_parameter(std::string_view name, std::string_view text, std::uint64_t& into) {
  read_whole(name, text, "a whole number from 0 to 2^64 - 1", into);
}

void read_parameter(std::string_view name, std::string_view text, std::int64_t& into) {
  read_whole(name, text, "a whole number from -2^63 to 2^63 - 1", into);
}

void read_parameter(std::string_view name, std::string_view text, Rational& into) {
  std::string why;
  const std::optional<Number> number = Number::try_parse(text, &why);
  if (!number) throw Error(ErrorCode::bad_request, fmt::format("--{}", name), why);
  into = number->rational();
}

void read_parameter(std::string_view name,
                    std::string_view text,
                    std::optional<std::uint32_t>& into) {
  into.reset();
  if (text == "auto") return;
  std::uint32_t value = 0;
  read_whole(name, text, "a whole number from 0 to 2^32 - 1, or auto", value);
  into = value;
}

void read_parameter(std::string_view name, std::string_view text, std::vector<Rational>& into) {
  std::vector<Rational> values;
  for (const std::string_view part : split_at_commas(text)) {
    read_parameter(name, part, values.emplace_back());
  }
  into = std::move(values);
}

}  // namespace quantiplan
