#include "io/prism/language/prism_tokens.hpp"

#include <algorithm>

#include "base/quoted.hpp"

namespace quantiplan::prism {
namespace {

std::string what_is(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the text";
  if (token.kind == Token::Kind::unclosed)
    return in_quotes(token.text, 40) + " without closing quotation mark";
  return in_quotes(token.text, 40);
}

}  // namespace

const Token& Tokens::peek(std::size_t ahead) {
  while (ahead_count_ <= ahead) ahead_[ahead_count_++] = lexer_.next();
  return ahead_[ahead];
}

Token Tokens::take() {
  if (watch_ != nullptr) watch_->step();
  const Token token = peek();
  std::shift_left(ahead_.begin(), ahead_.end(), 1);
  --ahead_count_;
  taken_end_ = token.text.data() + token.text.size();
  return token;
}

bool Tokens::at(std::string_view word_or_symbol, std::size_t ahead) {
  const Token& token = peek(ahead);
  return (token.kind == Token::Kind::word || token.kind == Token::Kind::symbol) &&
         token.text == word_or_symbol;
}

bool Tokens::accept(std::string_view word_or_symbol) {
  const bool is_next = at(word_or_symbol);
  if (is_next) take();
  return is_next;
}

Token Tokens::expect(std::string_view word_or_symbol) {
  if (!at(word_or_symbol)) expected(in_quotes(word_or_symbol));
  return take();
}

Token Tokens::expect_name(std::string_view what) {
  if (peek().kind != Token::Kind::word) expected(what);
  if (is_reserved(peek().text)) {
    fail(peek().place,
         "found " + what_is(peek()) + ", a reserved word of the PRISM language, expected " +
             std::string(what));
  }
  return take();
}

std::string Tokens::expect_quoted_name(std::string_view what) {
  const Token& token = peek();
  const bool is_text = token.kind == Token::Kind::text;
  if (!is_text || !is_word(token.text.substr(1, token.text.size() - 2))) expected(what);
  const std::string_view text = take().text;
  return std::string(text.substr(1, text.size() - 2));
}

void Tokens::expected(std::string_view expected) {
  fail(peek().place, "found " + what_is(peek()) + ", expected " + std::string(expected));
}

void Tokens::fail(Place place, const std::string& message) const {
  const std::string line = std::to_string(place.line);
  const std::string column = std::to_string(place.column);
  const std::string full = reading_.empty() ? message : reading_ + ": " + message;
  if (code_ == ErrorCode::bad_model) throw Error(code_, source_ + ":" + line + ":" + column, full);
  const std::string where = place.line == 1 ? "" : "line " + line + ", ";
  throw Error(code_, source_, where + "column " + column + ": " + full);
}

std::string Tokens::text_since(const Token& first) const {
  std::string_view rest(first.text.data(),
                        static_cast<std::size_t>(taken_end_ - first.text.data()));
  std::string line;
  bool is_quoted = false;
  while (!rest.empty()) {
    std::size_t length = 1;
    if (!is_quoted && rest.starts_with("//")) {
      length = std::min(rest.find('\n'), rest.size());
      line += ' ';
    } else {
      if (rest[0] == '"') is_quoted = !is_quoted;
      const bool is_control = static_cast<unsigned char>(rest[0]) < ' ';
      line += is_control ? ' ' : rest[0];
    }
    rest.remove_prefix(length);
  }
  return line;
}

}  // namespace quantiplan::prism
