// The tokens of a text, one after the other, and the messages about the one that does not fit.
//
//     die.prism:7:12: command of module 'die': found ';', expected '->'
//     place           what is read
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/work_watch.hpp"
#include "io/prism/language/prism_lexer.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan::prism {

class Tokens {
 public:
  // With bad_model, a message has the place "source:line:column"; with bad_request, the text is a
  // short one of the user's, the place is "source", and the message begins with the column.
  // `watch`: limits to look at on the way, if there are any.
  Tokens(std::string_view text, std::string source, ErrorCode code, WorkWatch* watch = nullptr)
      : text_(text), source_(std::move(source)), code_(code), watch_(watch), lexer_(text) {}

  // What is read, for messages: "module 'die'".
  void reading(std::string what) { reading_ = std::move(what); }

  // The next token, or one of the two behind it.
  const Token& peek(std::size_t ahead = 0);
  Token take();
  // Whether the next one (or one behind it) is this word or symbol.
  bool at(std::string_view word_or_symbol, std::size_t ahead = 0);
  // Takes it if it is.
  bool accept(std::string_view word_or_symbol);

  // Each takes what is expected, or throws.
  Token expect(std::string_view word_or_symbol);
  Token expect_name(std::string_view what);               // a word that is not reserved
  std::string expect_quoted_name(std::string_view what);  // "done", without the quotation marks

  // "found 'x', expected <expected>" at the next token.
  [[noreturn]] void expected(std::string_view expected);
  [[noreturn]] void fail(Place place, const std::string& message) const;

  // The text from the beginning of a token taken before to the end of the last one taken, in one
  // line: comments and line breaks become blanks.
  [[nodiscard]] std::string text_since(const Token& first) const;

 private:
  std::string_view text_;
  std::string source_;
  ErrorCode code_;
  WorkWatch* watch_;
  Lexer lexer_;
  std::array<Token, 3> ahead_;
  std::size_t ahead_count_ = 0;
  const char* taken_end_ = nullptr;
  std::string reading_;
};

}  // namespace quantiplan::prism
