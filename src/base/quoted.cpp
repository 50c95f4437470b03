#include "base/quoted.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace quantiplan {
namespace {

bool is_continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

struct Range {
  char32_t first;
  char32_t last;
};
// Ascending; see is_visible. The letter behind each says why: c control, f format, s space or
// separator, i default ignorable, b blank in every font, n no character.
constexpr std::array kHidden = std::to_array<Range>({
    {0x0000, 0x001F},    // c
    {0x007F, 0x00A0},    // c s
    {0x00AD, 0x00AD},    // f
    {0x034F, 0x034F},    // i
    {0x0600, 0x0605},    // f
    {0x061C, 0x061C},    // f
    {0x06DD, 0x06DD},    // f
    {0x070F, 0x070F},    // f
    {0x0890, 0x0891},    // f
    {0x08E2, 0x08E2},    // f
    {0x115F, 0x1160},    // i
    {0x1680, 0x1680},    // s
    {0x17B4, 0x17B5},    // i
    {0x180B, 0x180F},    // i f
    {0x2000, 0x200F},    // s f
    {0x2028, 0x202F},    // s f
    {0x205F, 0x206F},    // s f i
    {0x2800, 0x2800},    // b
    {0x3000, 0x3000},    // s
    {0x3164, 0x3164},    // i
    {0xFDD0, 0xFDEF},    // n
    {0xFE00, 0xFE0F},    // i
    {0xFEFF, 0xFEFF},    // f
    {0xFFA0, 0xFFA0},    // i
    {0xFFF0, 0xFFFB},    // i f
    {0x110BD, 0x110BD},  // f
    {0x110CD, 0x110CD},  // f
    {0x13430, 0x1343F},  // f
    {0x1BCA0, 0x1BCA3},  // f
    {0x1D173, 0x1D17A},  // f
    {0xE0000, 0xE0FFF},  // f i
});

constexpr char kDigits[] = "0123456789abcdef";

void append_byte(std::string& out, unsigned char byte) {
  out += "\\x";
  out += kDigits[byte >> 4U];
  out += kDigits[byte & 15U];
}

void append_code_point(std::string& out, char32_t character) {
  std::string digits;
  for (; character > 0; character >>= 4U) digits.insert(digits.begin(), kDigits[character & 15U]);
  out += "\\u{" + digits + '}';
}

}  // namespace

std::size_t utf8_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2   ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  // The second byte rules out overlong forms, surrogates and what lies above U+10FFFF.
  const auto second = static_cast<unsigned char>(text[1]);
  if (first == 0xE0 && second < 0xA0) return 0;
  if (first == 0xED && second > 0x9F) return 0;
  if (first == 0xF0 && second < 0x90) return 0;
  if (first == 0xF4 && second > 0x8F) return 0;
  return length;
}

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) return false;
    at += length;
  }
  return true;
}

char32_t utf8_character(std::string_view text, std::size_t length) noexcept {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i]));
  };
  if (length == 1) return byte(0);
  // Of the first byte 5, 4 or 3 bits belong to the character, of the others 6.
  char32_t character = byte(0) & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) character = (character << 6U) | (byte(i) & 0x3FU);
  return character;
}

bool is_visible(char32_t character) noexcept {
  constexpr char32_t kPlane = 0xFFFE;  // the last two of each plane are no characters
  if ((character & kPlane) == kPlane) return false;
  const auto after = std::ranges::upper_bound(kHidden, character, {}, &Range::first);
  return after == kHidden.begin() || character > std::prev(after)->last;
}

std::string visible(std::string_view text, std::size_t most) {
  std::string out;
  for (std::size_t shown = 0; !text.empty(); ++shown) {
    if (shown == most) return out + "...";
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (length <= 1 && (length == 0 || first < 0x20 || first == 0x7F)) {
      append_byte(out, first);
    } else if (length > 1 && !is_visible(utf8_character(text, length))) {
      append_code_point(out, utf8_character(text, length));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

std::string in_quotes(std::string_view text, std::size_t most) {
  return '\'' + visible(text, most) + '\'';
}

}  // namespace quantiplan
