// A text that is a number and nothing else.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace quantiplan {

// nullopt if the text is empty, if anything stands before or behind the number, and beyond its type.
template <class Value>
std::optional<Value> number_in(std::string_view text) {
  Value value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

}  // namespace quantiplan
