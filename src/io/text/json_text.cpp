#include "io/text/json_text.hpp"

#include <fmt/format.h>

#include <charconv>

#include "io/text/format_words.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kMostCharacters = 1000;  // of a number, for any reader
// Well within what JSON readers that go through a double accept.
constexpr std::size_t kMostBareCharacters = 100;
constexpr int kMostBareExponent = 200;

bool can_be_bare(std::string_view number) {
  if (number.size() > kMostBareCharacters || number.find('/') != std::string_view::npos)
    return false;
  const std::size_t e = number.find('e');
  if (e == std::string_view::npos) return true;
  int exponent = 0;
  std::from_chars(number.data() + e + 1, number.data() + number.size(), exponent);
  return exponent >= -kMostBareExponent && exponent <= kMostBareExponent;
}

}  // namespace

bool is_readable(const Rational& value) { return to_text(value).size() <= kMostCharacters; }

std::string readable_text(const Rational& value) {
  std::string text = to_text(value);
  if (text.size() > kMostCharacters) {
    throw Error(ErrorCode::refused,
                "",
                fmt::format("a number has {} characters, can be written with at most {}",
                            text.size(),
                            kMostCharacters));
  }
  return text;
}

NumberTexts::NumberTexts(const Model& model,
                         const std::function<std::string(const Rational&)>& text) {
  const auto texts_of = [&](const NumberTable& numbers) {
    std::vector<std::string> texts;
    texts.reserve(numbers.size());
    for (std::uint32_t id = 0; id < numbers.size(); ++id)
      texts.push_back(text(numbers.rational(NumberId{id})));
    return texts;
  };
  probabilities_ = texts_of(model.probabilities());
  if (&model.rewards() != &model.probabilities()) rewards_ = texts_of(model.rewards());
}

void require_numbers(const Model& model, const char* format) {
  if (model.wealth().has_numbers()) return;
  throw Error(ErrorCode::refused,
              "",
              std::string(format) + " holds numbers as rewards, the model has " +
                  (model.wealth().has_vectors() ? "vectors" : "labels") +
                  ": it can be written as JSON only");
}

void append_json_number(std::string& out, const Rational& value) {
  const std::string text = readable_text(value);
  if (can_be_bare(text)) {
    out += text;
  } else {
    append_json_string(out, text);
  }
}

void append_json_total(std::string& out, const Total& value) {
  if (value.is_finite()) {
    append_json_number(out, value.value());
  } else {
    append_json_string(out, to_text(value));
  }
}

void append_json_horizon(std::string& out, std::uint64_t horizon) {
  if (horizon == kInfiniteHorizon) {
    append_json_string(out, kInfinite);
  } else {
    out += std::to_string(horizon);
  }
}

void append_json_initial(std::string& out, const Model& model, const InitialStates& initial) {
  out += ",\n  \"initial\": ";
  if (initial.is_certain()) {
    append_json_string(out, model.state_name(initial[0].state));
    return;
  }
  append_json_items(out, "{", initial, "}", [&](const InitialStates::Drawn& drawn) {
    append_json_string(out, model.state_name(drawn.state));
    out += ": ";
    append_json_number(out, drawn.probability);
  });
}

void append_json_states(std::string& out,
                        std::string_view key,
                        const Model& model,
                        const std::vector<State>& states) {
  out.append(",\n  \"").append(key).append("\": ");
  append_json_state_list(out, model, states);
}

void append_json_state_list(std::string& out,
                            const Model& model,
                            const std::vector<State>& states) {
  constexpr std::size_t kColumns = 100;
  out += "[";
  std::size_t line_begin = out.size();
  const char* separator = "";
  for (const State s : states) {
    out += separator;
    if (out.size() - line_begin + model.state_name(s).size() > kColumns - 15) {
      if (*separator != '\0') out.pop_back();
      out += "\n    ";
      line_begin = out.size();
    }
    append_json_string(out, model.state_name(s));
    separator = ", ";
  }
  out += "]";
}

}  // namespace quantiplan
