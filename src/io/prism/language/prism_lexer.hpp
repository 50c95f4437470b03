// The tokens of the PRISM language: words, numbers, quoted texts and symbols.
//
//     word    [A-Za-z_][A-Za-z0-9_]*         number  digits [. digits] [e [+-] digits], or .5
//     text    "any characters of one line"   symbol  -> => <=> <= >= != .. and single characters
//
// "0..5" is 0, "..", 5. White space and comments (// to the end of the line) part tokens.
// Whether "<-" is an arrow or a comparison with a negative number ("x<-1") depends on where it
// stands, as does "||": both come as single characters. Nothing here fails: what is no token comes
// as one of the kinds `unknown` and `unclosed`, and whoever meets it knows what was expected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/prism/language/prism_syntax.hpp"

namespace quantiplan::prism {

struct Token {
  enum class Kind : std::uint8_t {
    word,
    number,
    text,  // with its quotation marks
    symbol,
    unknown,   // a character of no token
    unclosed,  // a quotation mark without another on its line
    end,
  };
  Kind kind = Kind::end;
  std::string_view text;  // part of the text that is read; at the end, empty and behind it
  Place place;
};

class Lexer {
 public:
  // The text must outlive the lexer and its tokens.
  explicit Lexer(std::string_view text) : text_(text) {}

  // At the end, and whenever asked again: a token of kind end.
  Token next();

 private:
  void skip_blanks();
  void advance(std::size_t bytes) noexcept;

  std::string_view text_;
  std::size_t at_ = 0;
  Place place_{1, 1};
};

// True if the word means something in the language (PRISM's list) and cannot be a name.
bool is_reserved(std::string_view word) noexcept;
// True if a word, and nothing else, could be written so.
bool is_word(std::string_view text) noexcept;

}  // namespace quantiplan::prism
