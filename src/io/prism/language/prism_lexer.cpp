#include "io/prism/language/prism_lexer.hpp"

#include <algorithm>
#include <array>

#include "base/quoted.hpp"

namespace quantiplan::prism {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool begins_word(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_word(char c) noexcept { return begins_word(c) || is_digit(c); }

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

std::size_t count_digits(std::string_view text, std::size_t from) noexcept {
  std::size_t count = 0;
  while (from + count < text.size() && is_digit(text[from + count])) ++count;
  return count;
}

std::size_t word_length(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), continues_word) -
                                  text.begin());
}

// A point or an 'e' belongs to the number only if digits follow.
std::size_t number_length(std::string_view text) noexcept {
  std::size_t length = count_digits(text, 0);
  if (length < text.size() && text[length] == '.') {
    const std::size_t decimals = count_digits(text, length + 1);
    if (decimals > 0) length += 1 + decimals;
  }
  if (length > 0 && length < text.size() && (text[length] == 'e' || text[length] == 'E')) {
    std::size_t digits_at = length + 1;
    if (digits_at < text.size() && (text[digits_at] == '+' || text[digits_at] == '-')) ++digits_at;
    const std::size_t digits = count_digits(text, digits_at);
    if (digits > 0) length = digits_at + digits;
  }
  return length;
}

// 0: no symbol. The longest comes first.
std::size_t symbol_length(std::string_view text) noexcept {
  constexpr std::array<std::string_view, 7> kLong{"<=>", "->", "=>", "<=", ">=", "!=", ".."};
  for (const std::string_view symbol : kLong) {
    if (text.starts_with(symbol)) return symbol.size();
  }
  constexpr std::string_view kSingle = "()[]{}:;,'?=<>+-*/^!&|";
  return kSingle.find(text[0]) != std::string_view::npos ? 1 : 0;
}

struct Piece {
  Token::Kind kind = Token::Kind::end;
  std::size_t length = 0;
};

Piece first_piece(std::string_view text) {
  using Kind = Token::Kind;
  if (text.empty()) return {Kind::end, 0};
  if (begins_word(text[0])) return {Kind::word, word_length(text)};
  if (const std::size_t length = number_length(text)) return {Kind::number, length};
  if (text[0] == '"') {
    const std::size_t close = text.find_first_of("\"\n\r", 1);
    if (close != std::string_view::npos && text[close] == '"') return {Kind::text, close + 1};
    return {Kind::unclosed, std::min(close, text.size())};
  }
  if (const std::size_t length = symbol_length(text)) return {Kind::symbol, length};
  return {Kind::unknown, std::max(utf8_length(text), std::size_t{1})};
}

}  // namespace

void Lexer::advance(std::size_t bytes) noexcept {
  for (; bytes > 0; --bytes, ++at_) {
    const char c = text_[at_];
    if (c == '\n') {
      ++place_.line;
      place_.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++place_.column;  // a byte 10xxxxxx goes on with the character before it
    }
  }
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    if (is_blank(text_[at_])) {
      advance(1);
    } else if (text_.substr(at_).starts_with("//")) {
      advance(std::min(text_.find('\n', at_), text_.size()) - at_);
    } else {
      return;
    }
  }
}

Token Lexer::next() {
  skip_blanks();
  const Piece piece = first_piece(text_.substr(at_));
  const Token token{piece.kind, text_.substr(at_, piece.length), place_};
  advance(piece.length);
  return token;
}

bool is_reserved(std::string_view word) noexcept {
  constexpr auto kSorted = std::to_array<std::string_view>({"A",
                                                            "C",
                                                            "E",
                                                            "F",
                                                            "G",
                                                            "I",
                                                            "P",
                                                            "Pmax",
                                                            "Pmin",
                                                            "R",
                                                            "Rmax",
                                                            "Rmin",
                                                            "S",
                                                            "U",
                                                            "W",
                                                            "X",
                                                            "bool",
                                                            "clock",
                                                            "const",
                                                            "ctmc",
                                                            "double",
                                                            "dtmc",
                                                            "endinit",
                                                            "endinvariant",
                                                            "endmodule",
                                                            "endobservables",
                                                            "endrewards",
                                                            "endsystem",
                                                            "false",
                                                            "filter",
                                                            "formula",
                                                            "func",
                                                            "global",
                                                            "init",
                                                            "int",
                                                            "invariant",
                                                            "label",
                                                            "max",
                                                            "mdp",
                                                            "min",
                                                            "module",
                                                            "nondeterministic",
                                                            "observable",
                                                            "observables",
                                                            "of",
                                                            "pomdp",
                                                            "popta",
                                                            "prob",
                                                            "probabilistic",
                                                            "pta",
                                                            "rate",
                                                            "rewards",
                                                            "stochastic",
                                                            "system",
                                                            "true"});
  return std::binary_search(kSorted.begin(), kSorted.end(), word);
}

bool is_word(std::string_view text) noexcept {
  return !text.empty() && begins_word(text[0]) && word_length(text) == text.size();
}

}  // namespace quantiplan::prism
