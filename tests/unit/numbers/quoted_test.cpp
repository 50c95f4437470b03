#include "quoted.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

TEST(Quoted, KeepsPlainTextAndForeignLetters) {
  EXPECT_EQ(quoted("home"), "'home'");
  EXPECT_EQ(quoted("B\xC3\xBCro \xE2\x82\xAC"), "'B\xC3\xBCro \xE2\x82\xAC'");
}

TEST(Quoted, EscapesControlCharactersAndBrokenBytes) {
  EXPECT_EQ(quoted("a\nb\x1b[31m"), "'a\\x0ab\\x1b[31m'");
  EXPECT_EQ(quoted(std::string_view("\0\x7f", 2)), "'\\x00\\x7f'");
  EXPECT_EQ(quoted("\xFF\xC3"), "'\\xff\\xc3'");
  EXPECT_EQ(quoted("\xC0\x80 \xED\xA0\x80"), "'\\xc0\\x80 \\xed\\xa0\\x80'");
}

TEST(Quoted, ShortensByCharactersNotBytes) {
  EXPECT_EQ(quoted("abcdef", 3), "'abc...'");
  EXPECT_EQ(quoted("\xC3\xBC\xC3\xBC\xC3\xBC", 2), "'\xC3\xBC\xC3\xBC...'");
  EXPECT_EQ(quoted("abc", 3), "'abc'");
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
    EXPECT_FALSE(is_utf8(broken)) << quoted(broken);
  }
}

}  // namespace
}  // namespace quantiplan
