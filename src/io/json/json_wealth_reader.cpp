#include "io/json/json_wealth_reader.hpp"

#include "base/quoted.hpp"
#include "io/json/wealth_settler.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr std::int64_t kMostComponents = 1000;

}  // namespace

struct JsonWealthReader::Shapes {
  using R = JsonWealthReader;

  static constexpr Place kComponentKeys[] = {
      value("name",
            [](R& r, JsonValue found) { r.read_string(found, r.draft_.components.back().name); }),
      value("better", [](R& r, JsonValue found) { r.read_better(found); }),
  };
  static constexpr Shape kComponent{
      .title = "a component", .keys = kComponentKeys, .begin = first([](R& r) {
                                                        r.draft_.components.emplace_back();
                                                      })};
  static constexpr Shape kComponents{
      .title = "'components'", .items = value("", [](R& r, JsonValue found) {
                                          if (found.kind != JsonKind::string)
                                            r.wrong_kind(found, "a string or an object");
                                          r.draft_.components.emplace_back().name = found.text;
                                        }).or_object(kComponent)};
  static constexpr Shape kLabels{.title = "'labels'", .items = value("", [](R& r, JsonValue found) {
                                                        r.draft_.labels.push_back(r.name(found));
                                                      })};
  static constexpr Shape kWeights{
      .title = "'weights'",
      .items = value("", [](R& r, JsonValue found) { r.read_weight(found); }),
      .name = first([](R& r, std::string_view label) {
        r.draft_.weights.push_back({{std::string(label), r.line()}, {}});
      })};
  static constexpr Shape kStates{.title = "'states'", .items = value("", [](R& r, JsonValue found) {
                                                        r.draft_.states.push_back(r.name(found));
                                                      })};
  static constexpr Place kTransitionKeys[] = {
      value("from",
            [](R& r, JsonValue found) { r.read_string(found, r.draft_.transitions.back().from); })
          .required(),
      value("label",
            [](R& r, JsonValue found) { r.read_string(found, r.draft_.transitions.back().label); })
          .required(),
      value("to",
            [](R& r, JsonValue found) { r.read_string(found, r.draft_.transitions.back().to); })
          .required(),
  };
  static constexpr Shape kTransition{
      .title = "a transition",
      .keys = kTransitionKeys,
      .begin = first([](R& r) { r.draft_.transitions.emplace_back().line = r.line(); })};
  static constexpr Shape kTransitions{.title = "'transitions'", .items = object("", kTransition)};
  static constexpr Place kStateOfClass = value(
      "", [](R& r, JsonValue found) { r.draft_.classes.back().states.push_back(r.name(found)); });
  static constexpr auto kBeginClass =
      first([](R& r) { r.draft_.classes.emplace_back().line = r.line(); });
  static constexpr Shape kStatesOfClass{.title = "'states'", .items = kStateOfClass};
  static constexpr Place kClassKeys[] = {
      value("name",
            [](R& r, JsonValue found) { r.read_string(found, r.draft_.classes.back().name); }),
      list("states", kStatesOfClass).required(),
  };
  static constexpr Shape kClass{.title = "a class", .keys = kClassKeys, .begin = kBeginClass};
  static constexpr Shape kListedClass{
      .title = "a class", .items = kStateOfClass, .begin = kBeginClass};
  static constexpr Shape kClasses{
      .title = "'classes'",
      .items = value("", [](R& r, JsonValue found) { r.read_class(found); })
                   .or_object(kClass)
                   .or_list(kListedClass)};
  static constexpr Shape kRow{
      .title = "a row of 'table'",
      .items = kTransitionKeys[2],
      .name = first([](R& r, std::string_view label) {
        r.draft_.transitions.push_back({r.row_, std::string(label), "", r.line()});
      })};
  static constexpr Shape kTable{.title = "'table'",
                                .items = object("", kRow),
                                .name = first([](R& r, std::string_view row) { r.row_ = row; })};
  static constexpr Place kWealthKeys[] = {
      value("kind", [](R& r, JsonValue found) { r.draft_.kind = r.name(found); }).required(),
      value("components", [](R& r, JsonValue found) { r.read_components(found); })
          .or_list(kComponents),
      list("labels", kLabels),
      value("first", [](R& r, JsonValue found) { r.draft_.first = r.name(found); }),
      object("weights", kWeights),
      list("states", kStates),
      value("start", [](R& r, JsonValue found) { r.draft_.start = r.name(found); }),
      list("transitions", kTransitions),
      list("classes", kClasses),
      object("table", kTable),
  };
  static constexpr Shape kWealth{.title = "the wealth", .keys = kWealthKeys, .end = last([](R& r) {
                                                                               r.draft_.keys =
                                                                                   r.keys_seen();
                                                                               r.is_done_ = true;
                                                                             })};
  static constexpr Shape kModel{
      .title = "the model",
      .items = value("", [](R& r, JsonValue found) { r.read_wealth(found); }).or_object(kWealth),
      .name = first([](R& r, std::string_view name) {
        if (r.is_done_ || name != "wealth") return false;
        r.is_begun_ = true;
        r.draft_.line = r.line();
        return true;
      })};
  // The reader of the rest says what is wrong with a text that is no object.
  static constexpr Place kDocument = value("", [](R&, JsonValue) {}).or_object(kModel);
};

JsonWealthReader::JsonWealthReader() : JsonWalk(Shapes::kDocument) {}

WealthDeclaration JsonWealthReader::read(std::string_view text) {
  WealthDeclaration declared;
  const auto fault = read_json(text, *this);
  declared.line = draft_.line;
  if (!is_begun_) return declared;
  declared.is_damaged = true;
  if (is_done_ && faults_.empty()) {
    if (auto wealth = WealthSettler(draft_, faults_).settle()) {
      declared.wealth = *std::move(wealth);
      declared.is_damaged = false;
    }
  }
  // What is wrong with a text that is no JSON is said by the reader of the rest.
  if (!fault) declared.faults = std::move(faults_);
  return declared;
}

// The reader of the rest says so.
void JsonWealthReader::large_number(std::uint64_t /*line*/, std::string /*why*/) {}

// A kind that needs no keys, as a string.
void JsonWealthReader::read_wealth(JsonValue found) {
  is_done_ = true;
  draft_.kind = {std::string(found.text), line()};
  if (found.kind != JsonKind::string)
    problem(line(),
            std::string("found ") + name_of(found.kind) + ", expected a string or an object");
}

void JsonWealthReader::read_components(JsonValue found) {
  if (found.kind != JsonKind::number) {
    wrong_kind(found, "a list or a whole number");
    return;
  }
  const auto number = Number::try_parse(found.text);
  const Fraction* count = number ? number->small() : nullptr;
  if (count == nullptr || count->denominator != 1 || count->numerator < 1 ||
      count->numerator > kMostComponents) {
    problem(line(),
            "components: found " + in_quotes(found.text, 40) +
                ", must be a whole number from 1 to " + std::to_string(kMostComponents));
    return;
  }
  draft_.components.resize(static_cast<std::size_t>(count->numerator));
}

void JsonWealthReader::read_better(JsonValue found) {
  if (!is_string(found)) return;
  draft_.components.back().less_is_better = found.text == "less";
  if (found.text != "less" && found.text != "more")
    problem(line(), "better: found " + in_quotes(found.text) + ", must be 'more' or 'less'");
}

void JsonWealthReader::read_weight(JsonValue found) {
  WealthDraft::Weight& weight = draft_.weights.back();
  const auto where = [&] { return "weights: " + in_quotes(weight.label.text) + ": "; };
  if (const auto value = number(found, where)) weight.weight = value->rational();
}

// A class of one state, or of a table.
void JsonWealthReader::read_class(JsonValue found) {
  if (found.kind != JsonKind::string) wrong_kind(found, "a string, a list or an object");
  draft_.classes.push_back({std::nullopt, {{std::string(found.text), line()}}, line(), true});
}

WealthDraft::Name JsonWealthReader::name(JsonValue found) {
  return {is_string(found) ? std::string(found.text) : std::string(), line()};
}

void JsonWealthReader::problem(std::uint64_t line, std::string message) {
  faults_.push_back({line, "wealth: " + std::move(message)});
}

bool JsonWealthReader::is_enough() const { return is_done_ || faults_.size() > Problems::kMost; }

}  // namespace quantiplan
