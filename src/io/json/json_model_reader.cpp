#include "io/json/json_model_reader.hpp"

#include "io/text/model_formats.hpp"
#include "model/setting_range.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kModelFormat = "quantiplan-model/1";

// A text without it need not be read twice; a key may be written with escapes, too.
bool may_declare_wealth(std::string_view text) {
  return text.find("\"wealth\"") != std::string_view::npos ||
         text.find("\\u") != std::string_view::npos;
}

}  // namespace

struct JsonModelReader::Shapes {
  using R = JsonModelReader;

  static constexpr Shape kVector{.title = "'reward'",
                                 .items = value<&R::read_component>(),
                                 .begin = call<&R::begin_vector>,
                                 .end = call<&R::finish_vector>};
  static constexpr Place kOutcomeKeys[] = {
      value<&R::read_to>("to").required(),
      value<&R::read_probability>("probability").required(),
      value<&R::read_reward>("reward").or_list(kVector),
  };
  static constexpr Shape kOutcome{.title = "an outcome",
                                  .keys = kOutcomeKeys,
                                  .begin = call<&R::begin_outcome>,
                                  .end = call<&R::finish_outcome>};
  static constexpr Shape kNextList{.title = "'next'", .items = object("", kOutcome)};
  static constexpr Shape kNextMap{.title = "'next'",
                                  .items = value<&R::read_mapped_probability>(),
                                  .name = call<&R::begin_mapped_outcome>};
  static constexpr Place kChoiceKeys[] = {
      value<&R::read_state>("state").required(),
      value<&R::read_action>("action").required(),
      value<&R::read_reward>("reward").or_list(kVector),
      object("next", kNextMap, "an object or a list").or_list(kNextList).required(),
  };
  static constexpr Shape kChoice{.title = "a choice",
                                 .keys = kChoiceKeys,
                                 .begin = call<&R::begin_choice>,
                                 .end = call<&R::finish_choice>};
  static constexpr Shape kChoices{.title = "the list of choices",
                                  .items = object("", kChoice),
                                  .end = call<&R::finish_choices>};
  static constexpr Shape kStates{.title = "the list of states",
                                 .items = value<&R::read_declared_state>(),
                                 .end = call<&R::finish_states>};
  static constexpr Shape kGoal{.title = "the list of goal states", .items = value<&R::read_goal>()};
  static constexpr Shape kLabel{.title = "the states of a label",
                                .items = value<&R::read_labelled>()};
  static constexpr Shape kLabels{.title = "'labels'",
                                 .items = list("", kLabel, "a list of states"),
                                 .name = call<&R::begin_label>};
  static constexpr Place kModelKeys[] = {
      value<&R::read_format_name>("format").required(),
      value<&R::read_name>("name"),
      value<&R::read_horizon>("horizon"),
      value<&R::read_discount>("discount"),
      value<&R::read_initial>("initial"),
      list("goal", kGoal),
      object("labels", kLabels),
      value<&R::read_rewards>("rewards"),
      value<&R::report_wealth>("wealth"),
      list("states", kStates),
      list("choices", kChoices).required(),
  };
  static constexpr Shape kModel{.title = "the model", .keys = kModelKeys};
  static constexpr Place kDocument = object("", kModel);
};

JsonModelReader::JsonModelReader(ModelBuilder& builder, const WealthDeclaration& declared)
    : JsonWalk(Shapes::kDocument), builder_(builder), declared_(declared) {
  if (!declared.is_damaged) builder.wealth(declared.wealth, declared.line);
}

bool JsonModelReader::is_in_states() const { return is_in(Shapes::kStates); }

void JsonModelReader::read_format_name(JsonKind kind, std::string_view text) {
  read_format(kind, text, kModelFormat);
}

void JsonModelReader::read_name(JsonKind kind, std::string_view text) {
  if (is_string(kind)) builder_.name(std::string(text));
}

void JsonModelReader::read_horizon(JsonKind kind, std::string_view text) {
  const std::string expected =
      "a whole number from 1 to " + std::to_string(kMostHorizon) + ", or 'infinite'";
  if (const auto steps = horizon(kind, text, expected)) builder_.horizon(*steps, line());
}

void JsonModelReader::read_discount(JsonKind kind, std::string_view text) {
  if (const auto gamma = number(kind, text, [&] { return label(); }))
    builder_.discount(*gamma, line());
}

void JsonModelReader::read_initial(JsonKind kind, std::string_view text) {
  if (is_string(kind)) builder_.initial(std::string(text), line());
}

void JsonModelReader::read_goal(JsonKind kind, std::string_view text) {
  if (is_string(kind)) builder_.goal(std::string(text), line());
}

bool JsonModelReader::begin_label(std::string_view name) {
  builder_.label(std::string(name), line());
  return true;
}

void JsonModelReader::read_labelled(JsonKind kind, std::string_view text) {
  if (is_string(kind)) builder_.labelled(std::string(text), line());
}

void JsonModelReader::read_rewards(JsonKind kind, std::string_view text) {
  if (const auto costs = has_costs(kind, text)) builder_.rewards_are_costs(*costs);
}

// The wealth was read before; what was wrong with it is said where it stands.
void JsonModelReader::report_wealth(JsonKind /*kind*/, std::string_view /*text*/) {
  for (const TextFault& fault : declared_.faults) problem(fault.line, fault.message);
}

void JsonModelReader::read_declared_state(JsonKind kind, std::string_view text) {
  if (is_string(kind)) builder_.declare_state(text, line());
}

void JsonModelReader::finish_states() {
  if (is_empty()) problem(first_line(), "states: the list is empty, must name every state");
}

void JsonModelReader::finish_choices() {
  if (is_empty())
    problem(first_line(), "choices: the list is empty, must have at least one choice");
}

void JsonModelReader::finish() {
  if (in_choice_) report_faults();  // the text ended in the middle of a choice
}

void JsonModelReader::problem(std::uint64_t line, std::string message) {
  if (in_choice_) {
    draft_.faults.push_back({line, std::move(message)});
  } else {
    builder_.problem(line, std::move(message));
  }
}

bool JsonModelReader::is_enough() const {
  return draft_.faults.size() > Problems::kMost || builder_.has_enough_problems();
}

std::optional<TextFault> read_json_model(std::string_view text, ModelBuilder& builder) {
  WealthDeclaration declared;
  if (may_declare_wealth(text)) declared = JsonWealthReader().read(text);
  JsonModelReader reader(builder, declared);
  auto fault = read_json(text, reader);
  if (fault && reader.is_in_states()) return fault;
  reader.finish();
  if (fault) builder.problem(fault->line, fault->message);
  return std::nullopt;
}

}  // namespace quantiplan
