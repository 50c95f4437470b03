// The first look at a file: no byte order mark, no NUL, valid UTF-8.
//
// Names end up in messages, JSON and HTML, so broken bytes are stopped here, with their line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quantiplan {

// A problem of a text, on a line counted from 1.
struct TextFault {
  std::uint64_t line = 0;
  std::string message;
};

// Removes a byte order mark from `text`; says what is wrong with the rest, if anything.
std::optional<TextFault> check_text(std::string_view& text);

}  // namespace quantiplan
