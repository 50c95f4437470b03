#include "io/json/json_wealth_reader.hpp"

#include "quantiplan/error.hpp"

namespace quantiplan {

struct JsonWealthReader::Shapes {
  using R = JsonWealthReader;

  static constexpr Place kComponentKeys[] = {
      value<&R::read_component_name>("name"),
      value<&R::read_better>("better"),
  };
  static constexpr Shape kComponent{
      .title = "a component", .keys = kComponentKeys, .begin = call<&R::begin_component>};
  static constexpr Shape kComponents{.title = "'components'",
                                     .items = value<&R::read_component>().or_object(kComponent)};
  static constexpr Shape kLabels{.title = "'labels'", .items = value<&R::read_label>()};
  static constexpr Shape kWeights{
      .title = "'weights'", .items = value<&R::read_weight>(), .name = call<&R::begin_weight>};
  static constexpr Shape kStates{.title = "'states'", .items = value<&R::read_state>()};
  static constexpr Place kTransitionKeys[] = {
      value<&R::read_from>("from").required(),
      value<&R::read_transition_label>("label").required(),
      value<&R::read_to>("to").required(),
  };
  static constexpr Shape kTransition{
      .title = "a transition", .keys = kTransitionKeys, .begin = call<&R::begin_transition>};
  static constexpr Shape kTransitions{.title = "'transitions'", .items = object("", kTransition)};
  static constexpr Shape kStatesOfClass{.title = "'states'",
                                        .items = value<&R::read_state_of_class>()};
  static constexpr Place kClassKeys[] = {
      value<&R::read_class_name>("name"),
      list("states", kStatesOfClass).required(),
  };
  static constexpr Shape kClass{
      .title = "a class", .keys = kClassKeys, .begin = call<&R::begin_class>};
  static constexpr Shape kListedClass{.title = "a class",
                                      .items = value<&R::read_state_of_class>(),
                                      .begin = call<&R::begin_class>};
  static constexpr Shape kClasses{
      .title = "'classes'",
      .items = value<&R::read_class>().or_object(kClass).or_list(kListedClass)};
  static constexpr Shape kRow{
      .title = "a row of 'table'", .items = value<&R::read_to>(), .name = call<&R::begin_entry>};
  static constexpr Shape kTable{
      .title = "'table'", .items = object("", kRow), .name = call<&R::begin_row>};
  static constexpr Place kWealthKeys[] = {
      value<&R::read_kind>("kind").required(),
      value<&R::read_count>("components").or_list(kComponents),
      list("labels", kLabels),
      value<&R::read_first>("first"),
      object("weights", kWeights),
      list("states", kStates),
      value<&R::read_start>("start"),
      list("transitions", kTransitions),
      list("classes", kClasses),
      object("table", kTable),
  };
  static constexpr Shape kWealth{
      .title = "the wealth", .keys = kWealthKeys, .end = call<&R::finish_wealth>};
  static constexpr Shape kModel{.title = "the model",
                                .items = value<&R::read_wealth>().or_object(kWealth),
                                .name = call<&R::find_wealth>};
  static constexpr Place kDocument = value<&R::pass_over>().or_object(kModel);
};

JsonWealthReader::JsonWealthReader() : JsonWalk(Shapes::kDocument) {}

WealthDeclaration JsonWealthReader::read(std::string_view text) {
  WealthDeclaration declared;
  const auto fault = read_json(text, *this);
  declared.line = draft_.line;
  if (!is_begun_) return declared;
  declared.is_damaged = true;
  if (is_done_ && faults_.empty()) {
    if (auto wealth = settled_wealth(draft_, faults_)) {
      declared.wealth = *std::move(wealth);
      declared.is_damaged = false;
    }
  }
  // What is wrong with a text that is no JSON is said by the reader of the rest.
  if (!fault) declared.faults = std::move(faults_);
  return declared;
}

// The reader of the rest says what is wrong with a text that is no object, or a number too large.
void JsonWealthReader::pass_over(JsonKind /*kind*/, std::string_view /*text*/) {}
void JsonWealthReader::large_number(std::uint64_t /*line*/, std::string /*why*/) {}

bool JsonWealthReader::find_wealth(std::string_view name) {
  if (is_done_ || name != "wealth") return false;
  is_begun_ = true;
  draft_.line = line();
  return true;
}

// A kind that needs no keys, as a string.
void JsonWealthReader::read_wealth(JsonKind kind, std::string_view text) {
  is_done_ = true;
  if (kind == JsonKind::string) {
    draft_.kind = {std::string(text), line()};
  } else {
    problem(line(), std::string("found ") + name_of(kind) + ", expected a string or an object");
  }
}

void JsonWealthReader::finish_wealth() {
  draft_.keys = keys_seen();
  is_done_ = true;
}

void JsonWealthReader::problem(std::uint64_t line, std::string message) {
  faults_.push_back({line, "wealth: " + std::move(message)});
}

bool JsonWealthReader::is_enough() const { return is_done_ || faults_.size() > Problems::kMost; }

}  // namespace quantiplan
