#include "base/json_string.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quoted.hpp"

namespace quantiplan {
namespace {

// Beyond U+FFFF as a pair of surrogates.
void append_escaped(std::string& out, char32_t character) {
  auto code = static_cast<unsigned>(character);
  if (code > 0xFFFF) {
    code -= 0x10000;
    out += fmt::format("\\u{:04x}", 0xD800 + (code >> 10U));
    code = 0xDC00 + (code & 0x3FFU);
  }
  out += fmt::format("\\u{:04x}", code);
}

// The short form of an ASCII character that must be escaped; nullptr if it has none.
const char* short_form(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return nullptr;
  }
}

bool is_plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  // Nearly all of them need no escape.
  const auto plain =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
  out += text.substr(0, plain);
  text.remove_prefix(plain);
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text));
    const bool is_character = length > 1 || static_cast<unsigned char>(text[0]) < 0x80;
    if (const char* escape = short_form(text[0])) {
      out += escape;
    } else if (is_character && !is_visible(utf8_character(text, length))) {
      append_escaped(out, utf8_character(text, length));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  out += '"';
}

}  // namespace quantiplan
