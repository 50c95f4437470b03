#include "base/quoted.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/json_string.hpp"

namespace quantiplan {
namespace {

TEST(Quoted, KeepsPlainTextAndForeignLetters) {
  EXPECT_EQ(in_quotes("home"), "'home'");
  EXPECT_EQ(in_quotes("B\xC3\xBCro \xE2\x82\xAC"), "'B\xC3\xBCro \xE2\x82\xAC'");
}

TEST(Quoted, EscapesControlCharactersAndBrokenBytes) {
  EXPECT_EQ(in_quotes("a\nb\x1b[31m"), "'a\\x0ab\\x1b[31m'");
  EXPECT_EQ(in_quotes(std::string_view("\0\x7f", 2)), "'\\x00\\x7f'");
  EXPECT_EQ(in_quotes("\xFF\xC3"), "'\\xff\\xc3'");
  EXPECT_EQ(in_quotes("\xC0\x80 \xED\xA0\x80"), "'\\xc0\\x80 \\xed\\xa0\\x80'");
}

std::string utf8(char32_t c) {
  const auto tail = [&](unsigned shift) {
    return static_cast<char>(0x80U | ((c >> shift) & 0x3FU));
  };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0U | (c >> 6U)), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xE0U | (c >> 12U)), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | (c >> 18U)), tail(12), tail(6), tail(0)};
}

TEST(Visible, SpellsOutEveryCharacterWithoutAGlyph) {
  // By category, of Unicode 15: not the table that the function has.
  const std::vector<std::pair<char32_t, char32_t>> hidden = {
      // Cc
      {0x0, 0x1F},
      {0x7F, 0x9F},
      // Cf
      {0xAD, 0xAD},
      {0x600, 0x605},
      {0x61C, 0x61C},
      {0x6DD, 0x6DD},
      {0x70F, 0x70F},
      {0x890, 0x891},
      {0x8E2, 0x8E2},
      {0x180E, 0x180E},
      {0x200B, 0x200F},
      {0x202A, 0x202E},
      {0x2060, 0x2064},
      {0x2066, 0x206F},
      {0xFEFF, 0xFEFF},
      {0xFFF9, 0xFFFB},
      {0x110BD, 0x110BD},
      {0x110CD, 0x110CD},
      {0x13430, 0x1343F},
      {0x1BCA0, 0x1BCA3},
      {0x1D173, 0x1D17A},
      {0xE0001, 0xE0001},
      {0xE0020, 0xE007F},
      // Zl, Zp, Zs but for the blank
      {0x2028, 0x2029},
      {0xA0, 0xA0},
      {0x1680, 0x1680},
      {0x2000, 0x200A},
      {0x202F, 0x202F},
      {0x205F, 0x205F},
      {0x3000, 0x3000},
      // Default ignorable: joiners, fillers, variation selectors, tags, reserved
      {0x34F, 0x34F},
      {0x115F, 0x1160},
      {0x17B4, 0x17B5},
      {0x180B, 0x180F},
      {0x2065, 0x2065},
      {0x3164, 0x3164},
      {0xFE00, 0xFE0F},
      {0xFFA0, 0xFFA0},
      {0xFFF0, 0xFFF8},
      {0xE0000, 0xE0FFF},
      // The blank of Braille
      {0x2800, 0x2800},
      // Noncharacters, with the last two of each plane
      {0xFDD0, 0xFDEF}};
  std::vector<bool> is_hidden(0x110000, false);
  for (const auto& [first, last] : hidden) {
    for (char32_t c = first; c <= last; ++c) is_hidden[c] = true;
  }
  for (char32_t plane = 0; plane < 0x110000; plane += 0x10000)
    is_hidden[plane + 0xFFFE] = is_hidden[plane + 0xFFFF] = true;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;  // half a pair is no character
    const std::string text = utf8(c);
    ASSERT_EQ(utf8_length(text), text.size());
    ASSERT_EQ(utf8_character(text, text.size()), c);
    const std::string shown = visible(text);
    ASSERT_EQ(shown == text, !is_hidden[c]) << shown;
    ASSERT_EQ(is_visible(c), !is_hidden[c]) << shown;
    if (is_hidden[c]) {
      ASSERT_TRUE(shown.starts_with(c < 0x80 ? "\\x" : "\\u{")) << shown;
      ASSERT_EQ(visible(shown), shown);
    }
  }
}

TEST(Visible, NamesCodePoints) {
  EXPECT_EQ(visible("a\xC2\x9B\xE2\x80\xAE b\xF3\xA0\x81\x81\x1b"),
            "a\\u{9b}\\u{202e} b\\u{e0041}\\x1b");
  EXPECT_EQ(visible("\xE2\x80\xAE\xE2\x80\xAEx", 2), "\\u{202e}\\u{202e}...");
}

TEST(JsonString, KeepsTheTextAndEscapesWhatIsHidden) {
  std::string out;
  append_json_string(out, "a\"\\\n\x1b\x7f\xC2\x9B\xE2\x82\xAC\xF3\xA0\x81\x81");
  EXPECT_EQ(out, "\"a\\\"\\\\\\n\\u001b\\u007f\\u009b\xE2\x82\xAC\\udb40\\udc41\"");
}

TEST(Quoted, ShortensByCharactersNotBytes) {
  EXPECT_EQ(in_quotes("abcdef", 3), "'abc...'");
  EXPECT_EQ(in_quotes("\xC3\xBC\xC3\xBC\xC3\xBC", 2), "'\xC3\xBC\xC3\xBC...'");
  EXPECT_EQ(in_quotes("abc", 3), "'abc'");
}

TEST(Utf8, RefusesOverlongFormsSurrogatesAndWhatIsTooHigh) {
  EXPECT_TRUE(is_utf8("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x9A\xB2"));
  EXPECT_TRUE(is_utf8("\xF4\x8F\xBF\xBF"));
  for (const char* broken : {"\xC0\xAF",
                             "\xE0\x80\x80",
                             "\xED\xBF\xBF",
                             "\xF0\x80\x80\x80",
                             "\xF4\x90\x80\x80",
                             "\xF5\x80\x80\x80",
                             "\x80",
                             "\xE2\x82",
                             "\xC3("}) {
    EXPECT_FALSE(is_utf8(broken)) << in_quotes(broken);
  }
}

}  // namespace
}  // namespace quantiplan
