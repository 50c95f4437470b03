#include <gtest/gtest.h>

#include <string>

#include "io/prism/language/prism_lexer.hpp"

namespace quantiplan::prism {
namespace {

// The tokens with blanks between them; those that are none in angle brackets.
std::string tokens_of(const std::string& text) {
  Lexer lexer(text);
  std::string all;
  for (Token token = lexer.next(); token.kind != Token::Kind::end; token = lexer.next()) {
    const bool is_none = token.kind == Token::Kind::unknown || token.kind == Token::Kind::unclosed;
    if (!all.empty()) all += ' ';
    all += is_none ? "<" + std::string(token.text) + ">" : std::string(token.text);
  }
  return all;
}

// line:column of each token, and of the end.
std::string places_of(const std::string& text) {
  Lexer lexer(text);
  std::string all;
  for (;;) {
    const Token token = lexer.next();
    all += std::to_string(token.place.line) + ":" + std::to_string(token.place.column);
    if (token.kind == Token::Kind::end) return all;
    all += ' ';
  }
}

TEST(PrismLexer, TakesTheLongestSymbol) {
  EXPECT_EQ(tokens_of("a<=>b<=c=>d>=e->f!=g!h..i"), "a <=> b <= c => d >= e -> f != g ! h .. i");
  EXPECT_EQ(tokens_of("(x'=1)&(b'=!b)|[a]|{a<-b}/*?:;,+"),
            "( x ' = 1 ) & ( b ' = ! b ) | [ a ] | { a < - b } / * ? : ; , +");
}

TEST(PrismLexer, LeavesBarsAndArrowsOfRenamingToTheParser) {
  EXPECT_EQ(tokens_of("x<-1"), "x < - 1");
  EXPECT_EQ(tokens_of("A|||B||C"), "A | | | B | | C");
}

TEST(PrismLexer, ReadsNumbersAndRanges) {
  EXPECT_EQ(tokens_of("0..5"), "0 .. 5");
  EXPECT_EQ(tokens_of("0.5...5"), "0.5 .. .5");
  EXPECT_EQ(tokens_of("1e-3 2E+4 3e5 .5e1"), "1e-3 2E+4 3e5 .5e1");
  EXPECT_EQ(tokens_of("1e x 2e+ 3."), "1 e x 2 e + 3 <.>");
  EXPECT_EQ(tokens_of("2x_1 _y 1.2.3"), "2 x_1 _y 1.2 .3");
}

TEST(PrismLexer, SkipsCommentsToTheEndOfTheLine) {
  EXPECT_EQ(tokens_of("a // b \"c\n+ d//"), "a + d");
  EXPECT_EQ(tokens_of("a/b///c"), "a / b");
  EXPECT_EQ(tokens_of("// nothing"), "");
}

TEST(PrismLexer, TextsEndOnTheirLine) {
  EXPECT_EQ(tokens_of("\"a // b\" c"), "\"a // b\" c");
  EXPECT_EQ(tokens_of("\"a\nb"), "<\"a> b");
  EXPECT_EQ(tokens_of("\"a"), "<\"a>");
  EXPECT_EQ(tokens_of("\"\""), "\"\"");
}

TEST(PrismLexer, ShowsCharactersOfNoToken) {
  EXPECT_EQ(tokens_of("x^2 % # \xC3\xA9y"), "x ^ 2 <%> <#> <\xC3\xA9> y");
  EXPECT_EQ(tokens_of(std::string("a\0b", 3)), std::string("a <\0> b", 7));
  EXPECT_EQ(tokens_of("\xFFz"), "<\xFF> z");
}

TEST(PrismLexer, CountsLinesAndCharacters) {
  EXPECT_EQ(places_of("ab c\n\n\td // e\r\n f"), "1:1 1:4 3:2 4:2 4:3");
  EXPECT_EQ(places_of("\"\xC3\xA9\xE2\x82\xAC\" x // \xC3\xA9\n"), "1:1 1:6 2:1");
  EXPECT_EQ(places_of(""), "1:1");
}

TEST(PrismLexer, TheEndComesAgain) {
  Lexer lexer("x");
  lexer.next();
  EXPECT_EQ(lexer.next().kind, Token::Kind::end);
  EXPECT_EQ(lexer.next().kind, Token::Kind::end);
}

TEST(PrismLexer, KnowsTheReservedWords) {
  for (const char* word : {"A", "C", "mdp", "min", "max", "endobservables", "true", "W", "of"})
    EXPECT_TRUE(is_reserved(word)) << word;
  for (const char* word : {"a", "floor", "player", "mod", "B", "modul", "x", "", "Z", "zz"})
    EXPECT_FALSE(is_reserved(word)) << word;
  EXPECT_TRUE(is_word("_a1"));
  for (const char* text : {"", "1a", "a b", "a-b"}) EXPECT_FALSE(is_word(text)) << text;
}

}  // namespace
}  // namespace quantiplan::prism
