// Values of parameters, from text and to text; the text of any value reads back as the same value.
//
//     whole numbers   7        exact numbers  0.1, 1/3      several of either  1,3,5
//     names           choice   what may be left to the domain: auto
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "quantiplan/number.hpp"

namespace quantiplan {

// Each throws Error(bad_request, "--name", "found 'text', expected ...").
void read_parameter(std::string_view name, std::string_view text, std::uint32_t& into);
void read_parameter(std::string_view name, std::string_view text, std::uint64_t& into);
void read_parameter(std::string_view name, std::string_view text, std::int64_t& into);
void read_parameter(std::string_view name, std::string_view text, Rational& into);
void read_parameter(std::string_view name,
                    std::string_view text,
                    std::optional<std::uint32_t>& into);
void read_parameter(std::string_view name, std::string_view text, std::vector<Rational>& into);

inline std::string parameter_text(std::uint32_t value) { return std::to_string(value); }
inline std::string parameter_text(std::uint64_t value) { return std::to_string(value); }
inline std::string parameter_text(std::int64_t value) { return std::to_string(value); }
inline std::string parameter_text(const Rational& value) { return to_text(value); }
inline std::string parameter_text(const std::optional<std::uint32_t>& value) {
  return value ? std::to_string(*value) : "auto";
}
template <class List>
requires requires(const List& list) { list.begin(); }
std::string parameter_text(const List& list) {
  std::string text;
  for (const auto& value : list) text += (text.empty() ? "" : ",") + parameter_text(value);
  return text;
}

// Throws Error(bad_request, "--name", "found 'text', expected `expected`").
[[noreturn]] void wrong_parameter(std::string_view name,
                                  std::string_view text,
                                  std::string_view expected);
// "1,3,5" as {"1", "3", "5"}; blanks are kept.
std::vector<std::string_view> split_at_commas(std::string_view text);

template <std::size_t Size>
void read_parameter(std::string_view name,
                    std::string_view text,
                    std::array<std::uint32_t, Size>& into) {
  const std::vector<std::string_view> parts = split_at_commas(text);
  if (parts.size() != Size) {
    wrong_parameter(name, text, std::to_string(Size) + " whole numbers with commas between");
  }
  for (std::size_t i = 0; i < Size; ++i) read_parameter(name, parts[i], into[i]);
}

// kNames: the names of the values of an enumeration, in their order; specialised for each.
template <class Enumeration>
struct NamesOf;

template <class Enumeration>
requires std::is_enum_v<Enumeration> std::string parameter_text(Enumeration value) {
  return std::string(NamesOf<Enumeration>::kNames[static_cast<std::size_t>(value)]);
}

template <class Enumeration>
requires std::is_enum_v<Enumeration>
void read_parameter(std::string_view name, std::string_view text, Enumeration& into) {
  std::string expected;
  std::size_t value = 0;
  for (const std::string_view each : NamesOf<Enumeration>::kNames) {
    if (each == text) {
      into = static_cast<Enumeration>(value);
      return;
    }
    ++value;
    expected += (expected.empty() ? "" : " or ") + std::string(each);
  }
  wrong_parameter(name, text, expected);
}

}  // namespace quantiplan
