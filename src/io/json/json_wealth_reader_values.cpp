// Single values of "wealth": names and numbers.
#include "base/quoted.hpp"
#include "io/json/json_wealth_reader.hpp"

namespace quantiplan {
namespace {

constexpr std::int64_t kMostComponents = 1000;

}  // namespace

WealthDraft::Name JsonWealthReader::name(JsonKind kind, std::string_view text) {
  return {is_string(kind) ? std::string(text) : std::string(), line()};
}

void JsonWealthReader::read_kind(JsonKind kind, std::string_view text) {
  draft_.kind = name(kind, text);
}

void JsonWealthReader::read_first(JsonKind kind, std::string_view text) {
  draft_.first = name(kind, text);
}

void JsonWealthReader::read_start(JsonKind kind, std::string_view text) {
  draft_.start = name(kind, text);
}

void JsonWealthReader::read_count(JsonKind kind, std::string_view text) {
  if (kind != JsonKind::number) {
    wrong_kind(kind, "a list or a whole number");
    return;
  }
  const auto found = Number::try_parse(text);
  const Fraction* count = found ? found->small() : nullptr;
  if (count == nullptr || count->denominator != 1 || count->numerator < 1 ||
      count->numerator > kMostComponents) {
    problem(line(),
            "components: found " + in_quotes(text, 40) + ", must be a whole number from 1 to " +
                std::to_string(kMostComponents));
    return;
  }
  draft_.components.resize(static_cast<std::size_t>(count->numerator));
}

bool JsonWealthReader::begin_component() {
  draft_.components.emplace_back();
  return true;
}

void JsonWealthReader::read_component(JsonKind kind, std::string_view text) {
  if (kind != JsonKind::string) {
    wrong_kind(kind, "a string or an object");
  } else {
    draft_.components.emplace_back().name = text;
  }
}

void JsonWealthReader::read_component_name(JsonKind kind, std::string_view text) {
  if (is_string(kind)) draft_.components.back().name = text;
}

void JsonWealthReader::read_better(JsonKind kind, std::string_view text) {
  if (!is_string(kind)) return;
  draft_.components.back().less_is_better = text == "less";
  if (text != "less" && text != "more")
    problem(line(), "better: found " + in_quotes(text) + ", must be 'more' or 'less'");
}

void JsonWealthReader::read_label(JsonKind kind, std::string_view text) {
  draft_.labels.push_back(name(kind, text));
}

bool JsonWealthReader::begin_weight(std::string_view label) {
  draft_.weights.push_back({{std::string(label), line()}, {}});
  return true;
}

void JsonWealthReader::read_weight(JsonKind kind, std::string_view text) {
  WealthDraft::Weight& weight = draft_.weights.back();
  const auto where = [&] { return "weights: " + in_quotes(weight.label.text) + ": "; };
  if (const auto found = number(kind, text, where)) weight.weight = found->rational();
}

void JsonWealthReader::read_state(JsonKind kind, std::string_view text) {
  draft_.states.push_back(name(kind, text));
}

bool JsonWealthReader::begin_transition() {
  draft_.transitions.emplace_back().line = line();
  return true;
}

void JsonWealthReader::read_from(JsonKind kind, std::string_view text) {
  if (is_string(kind)) draft_.transitions.back().from = text;
}

void JsonWealthReader::read_transition_label(JsonKind kind, std::string_view text) {
  if (is_string(kind)) draft_.transitions.back().label = text;
}

void JsonWealthReader::read_to(JsonKind kind, std::string_view text) {
  if (is_string(kind)) draft_.transitions.back().to = text;
}

bool JsonWealthReader::begin_class() {
  draft_.classes.emplace_back().line = line();
  return true;
}

void JsonWealthReader::read_class(JsonKind kind, std::string_view text) {
  if (kind != JsonKind::string) {
    wrong_kind(kind, "a string, a list or an object");
    return;
  }
  begin_class();
  draft_.classes.back().states.push_back(name(kind, text));
  draft_.classes.back().is_one_name = true;
}

void JsonWealthReader::read_class_name(JsonKind kind, std::string_view text) {
  if (is_string(kind)) draft_.classes.back().name = text;
}

void JsonWealthReader::read_state_of_class(JsonKind kind, std::string_view text) {
  draft_.classes.back().states.push_back(name(kind, text));
}

bool JsonWealthReader::begin_row(std::string_view name) {
  row_ = name;
  return true;
}

bool JsonWealthReader::begin_entry(std::string_view label) {
  draft_.transitions.push_back({row_, std::string(label), "", line()});
  return true;
}

}  // namespace quantiplan
