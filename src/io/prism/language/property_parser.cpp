#include "io/prism/language/property_parser.hpp"

#include <algorithm>
#include <array>

#include "base/quoted.hpp"
#include "io/prism/language/expression_parser.hpp"
#include "io/prism/language/prism_tokens.hpp"

namespace quantiplan::prism {
namespace {

using Direction = Property::Direction;

struct OutOfScope {
  std::string_view word;
  std::string_view meaning;
};
constexpr auto kOutOfScope = std::to_array<OutOfScope>({
    {"S", "a steady-state question"},
    {"LRA", "a long-run average"},
    {"LRAmax", "a long-run average"},
    {"LRAmin", "a long-run average"},
    {"T", "an expected time"},
    {"Tmax", "an expected time"},
    {"Tmin", "an expected time"},
    {"E", "a question about some path"},
    {"A", "a question about all paths"},
    {"multi", "a question with several objectives"},
    {"filter", "a filter over states"},
    {"G", "a path that always satisfies something (G)"},
    {"X", "a next step (X)"},
    {"W", "a weak until (W)"},
    {"U", "an until (U) behind another condition than true"},
    {"I", "an instantaneous reward (I=k)"},
});

class PropertyParser {
 public:
  PropertyParser(std::string_view text, const std::string& source)
      : tokens_(text, source, ErrorCode::bad_request) {}

  PropertyList read() {
    while (tokens_.peek().kind != Token::Kind::end) {
      if (tokens_.accept(";")) continue;
      if (tokens_.at("const")) {
        constant();
      } else {
        property();
      }
      if (tokens_.peek().kind != Token::Kind::end && !tokens_.at(";"))
        tokens_.expected("';' or the end of the text");
    }
    return std::move(list_);
  }

 private:
  void refuse_if_out_of_scope() {
    const Token& next = tokens_.peek();
    const auto* found = std::ranges::find_if(kOutOfScope, [&](const OutOfScope& one) {
      return next.kind == Token::Kind::word && one.word == next.text;
    });
    if (found != kOutOfScope.end())
      tokens_.fail(next.place,
                   "found " + in_quotes(found->word) + ", " + std::string(found->meaning) +
                       ", which is out of scope; expected P, R or quantile of F or C<=k");
  }

  void constant() {
    tokens_.take();
    for (const char* type : {"int", "double", "bool"})
      if (tokens_.accept(type)) break;
    const std::string name(tokens_.expect_name("the name of a constant").text);
    if (!tokens_.accept("=")) {
      list_.undefined.push_back(name);
      return;
    }
    list_.constants.push_back({name, "(" + expression() + ")"});
  }

  // One expression, as its text.
  std::string expression() {
    const Token first = tokens_.peek();
    read_expression(tokens_);
    return tokens_.text_since(first);
  }

  void property() {
    Property out;
    const Token first = tokens_.peek();
    if (tokens_.peek().kind == Token::Kind::text && tokens_.at(":", 1)) {
      out.name = tokens_.expect_quoted_name("a name in quotation marks");
      tokens_.take();
    }
    const Token body = tokens_.peek();
    refuse_if_out_of_scope();
    if (tokens_.accept("quantile")) {
      quantile(out);
    } else {
      operation(out);
    }
    out.text = tokens_.text_since(body);
    static_cast<void>(first);
    list_.properties.push_back(std::move(out));
  }

  void quantile(Property& out) {
    tokens_.expect("(");
    // Whichever makes sense, where nothing is said.
    out.sought = tokens_.accept("min")   ? Direction::min
                 : tokens_.accept("max") ? Direction::max
                                         : Direction::none;
    const std::string variable(tokens_.expect_name("the variable of the quantile").text);
    if (tokens_.accept(",") && (tokens_.at("min") || tokens_.at("max")))
      tokens_.expected("a probability; quantiles of several variables are out of scope");
    operation(out);
    tokens_.expect(")");
    if (out.kind != Property::Kind::probability || out.comparison.empty())
      tokens_.expected("another question; a quantile has a probability with a bound, as Pmax>0.9");
    if (out.is_strict)
      tokens_.expected("another question; strict bounds in quantiles are out of scope");
    if (out.bound != variable)
      tokens_.expected("another question; " + in_quotes(variable) +
                       " must be the bound of the reward, as in F{\"time\"}<=" + variable);
    out.kind = Property::Kind::quantile;
  }

  void operation(Property& out) {
    refuse_if_out_of_scope();
    const Token head = tokens_.peek();
    const bool is_reward = head.text.starts_with("R");
    const bool is_known = head.text == "P" || head.text == "Pmax" || head.text == "Pmin" ||
                          head.text == "R" || head.text == "Rmax" || head.text == "Rmin";
    if (!is_known) tokens_.expected("P, Pmax, Pmin, R, Rmax, Rmin or quantile");
    tokens_.take();
    std::string_view word = head.text;
    if (is_reward) {
      out.kind = Property::Kind::expectation;
      out.reward.emplace();
      if (tokens_.at("{")) out.reward = structure();
      if (tokens_.at("max") || tokens_.at("min")) word = tokens_.take().text;
    }
    out.direction = word.ends_with("max")   ? Direction::max
                    : word.ends_with("min") ? Direction::min
                                            : Direction::none;
    comparison(out);
    tokens_.expect("[");
    path(out, is_reward);
    tokens_.expect("]");
  }

  void comparison(Property& out) {
    if (tokens_.at("=") && tokens_.at("?", 1)) {
      tokens_.take();
      tokens_.take();
      return;
    }
    for (const char* sign : {">=", "<=", ">", "<"}) {
      if (!tokens_.accept(sign)) continue;
      out.comparison = sign;
      out.probability = arithmetic();
      return;
    }
    tokens_.expected("=?, or a comparison such as >0.9");
  }

  // 100, k, 2*k+1: what follows such a number belongs to something else.
  std::string arithmetic() {
    const Token first = tokens_.peek();
    read_arithmetic(tokens_);
    return tokens_.text_since(first);
  }

  // By name, or by number as PRISM has it.
  std::string structure() {
    tokens_.expect("{");
    const bool is_number = tokens_.peek().kind == Token::Kind::number;
    std::string name = is_number ? std::string(tokens_.take().text)
                                 : tokens_.expect_quoted_name("the name of a reward structure");
    tokens_.expect("}");
    return name;
  }

  void path(Property& out, bool is_reward) {
    if (tokens_.accept("(")) {
      path(out, is_reward);
      tokens_.expect(")");
      return;
    }
    if (is_reward && tokens_.accept("C")) {
      if (!tokens_.at("<=") && !tokens_.at("<"))
        tokens_.expected("'<='; totals over an infinite horizon (C) are out of scope, C<=k is not");
      steps(out);
      return;
    }
    refuse_if_out_of_scope();
    if (tokens_.at("true") && tokens_.at("U", 1)) {
      tokens_.take();
      tokens_.take();
    } else if (!tokens_.accept("F")) {
      // A condition before an until.
      const Place place = tokens_.peek().place;
      read_expression(tokens_);
      if (tokens_.at("U")) refuse_if_out_of_scope();
      tokens_.fail(place, "found no path, expected F, as in F \"done\"");
    }
    bounds(out, is_reward);
    refuse_if_out_of_scope();
    out.goal = expression();
  }

  // <=k, or <k.
  void steps(Property& out) {
    if (tokens_.accept("<="))
      out.steps = arithmetic();
    else if (tokens_.accept("<"))
      out.steps = "(" + arithmetic() + ")-1";
  }

  void bounds(Property& out, bool is_reward) {
    if (tokens_.at("{")) {
      if (is_reward) tokens_.expected("a condition; rewards with a bound are out of scope");
      out.reward = structure();
      out.is_strict = tokens_.at("<") || tokens_.at(">");
      out.at_least = tokens_.at(">=") || tokens_.at(">");
      if (!out.is_strict && !out.at_least && !tokens_.at("<=")) tokens_.expected("'<=' or '>='");
      tokens_.take();
      out.bound = arithmetic();
      if (tokens_.at(","))
        tokens_.expected("a condition; bounds of several rewards are out of scope");
      return;
    }
    if (tokens_.at(">=") || tokens_.at(">") || tokens_.at("[") || tokens_.at("="))
      tokens_.expected("'<='; other bounds of steps are out of scope");
    steps(out);
    if (!out.steps.empty() && is_reward)
      tokens_.expected("a condition; rewards within a number of steps are asked as C<=k");
  }

  Tokens tokens_;
  PropertyList list_;
};

}  // namespace

PropertyList parse_property_list(std::string_view text, const std::string& source) {
  return PropertyParser(text, source).read();
}

}  // namespace quantiplan::prism
