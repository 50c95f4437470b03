#include "io/json/json_model_reader.hpp"

#include "base/quoted.hpp"
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

std::string horizon_expected() {
  return "a whole number from 1 to " + std::to_string(kMostHorizon) + ", or 'infinite'";
}

}  // namespace

struct JsonModelReader::Shapes {
  using R = JsonModelReader;

  static constexpr Shape kVector{
      .title = "'reward'",
      .items = value("", [](R& r, JsonValue found) { r.read_component(found); }),
      .begin = first([](R& r) { return r.begin_vector(); }),
      .end = last([](R& r) { r.finish_vector(); })};
  static constexpr Place kReward =
      value("reward", [](R& r, JsonValue found) { r.read_reward(found); }).or_list(kVector);
  static constexpr Place kOutcomeKeys[] = {
      value("to",
            [](R& r, JsonValue found) {
              r.outcome().has_name = r.is_string(found);
              if (r.outcome().has_name) r.outcome().to = found.text;
            })
          .required(),
      value("probability", [](R& r, JsonValue found) { r.outcome().probability = r.number(found); })
          .required(),
      kReward,
  };
  static constexpr Shape kOutcome{.title = "an outcome",
                                  .keys = kOutcomeKeys,
                                  .begin = first([](R& r) {
                                    r.in_outcome_ = true;
                                    r.add_outcome();
                                  }),
                                  .end = last([](R& r) { r.finish_outcome(); })};
  static constexpr Shape kNextList{.title = "'next'", .items = object("", kOutcome)};
  static constexpr Shape kNextMap{
      .title = "'next'",
      .items = value("", [](R& r, JsonValue found) { r.read_mapped_probability(found); }),
      .name = first([](R& r, std::string_view name) { return r.begin_mapped_outcome(name); })};
  static constexpr Place kChoiceKeys[] = {
      value("state", [](R& r, JsonValue found) { r.read_string(found, r.draft_.state); })
          .required(),
      value("action", [](R& r, JsonValue found) { r.read_string(found, r.draft_.action); })
          .required(),
      kReward,
      object("next", kNextMap, "an object or a list").or_list(kNextList).required(),
  };
  static constexpr Shape kChoice{.title = "a choice",
                                 .keys = kChoiceKeys,
                                 .begin = first([](R& r) { r.begin_choice(); }),
                                 .end = last([](R& r) { r.finish_choice(); })};
  static constexpr Shape kChoices{
      .title = "the list of choices",
      .items = object("", kChoice),
      .end = last([](R& r) {
        if (r.is_empty())
          r.problem(r.first_line(), "choices: the list is empty, must have at least one choice");
      })};
  static constexpr Shape kStates{.title = "the list of states",
                                 .items = value("",
                                                [](R& r, JsonValue found) {
                                                  if (r.is_string(found))
                                                    r.builder_.declare_state(found.text, r.line());
                                                }),
                                 .end = last([](R& r) {
                                   if (r.is_empty())
                                     r.problem(r.first_line(),
                                               "states: the list is empty, must name every state");
                                 })};
  static constexpr Shape kGoal{.title = "the list of goal states",
                               .items = value("", [](R& r, JsonValue found) {
                                 if (r.is_string(found))
                                   r.builder_.goal(std::string(found.text), r.line());
                               })};
  static constexpr Shape kLabel{.title = "the states of a label",
                                .items = value("", [](R& r, JsonValue found) {
                                  if (r.is_string(found))
                                    r.builder_.labelled(std::string(found.text), r.line());
                                })};
  static constexpr Shape kLabels{.title = "'labels'",
                                 .items = list("", kLabel, "a list of states"),
                                 .name = first([](R& r, std::string_view name) {
                                   r.builder_.label(std::string(name), r.line());
                                 })};
  static constexpr Shape kInitial{
      .title = "'initial'",
      .items = value("", [](R& r, JsonValue found) { r.read_initial_probability(found); }),
      .end = last([](R& r) {
        if (r.is_empty())
          r.problem(r.first_line(), "initial: the object is empty, must have at least one state");
      }),
      .name = first([](R& r, std::string_view name) { r.initial_name_ = name; })};
  static constexpr Shape kPossibleInitial{
      .title = "the list of initial states",
      .items = value("",
                     [](R& r, JsonValue found) {
                       if (r.is_string(found))
                         r.builder_.may_begin(std::string(found.text), r.line());
                     }),
      .end = last([](R& r) {
        if (r.is_empty())
          r.problem(r.first_line(), "initial: the list is empty, must have at least one state");
      })};
  static constexpr Place kModelKeys[] = {
      value("format", [](R& r, JsonValue found) { r.read_format(found, kModelFormat); }).required(),
      value("name",
            [](R& r, JsonValue found) {
              if (r.is_string(found)) r.builder_.name(std::string(found.text));
            }),
      value("horizon",
            [](R& r, JsonValue found) {
              if (const auto steps = r.horizon(found, horizon_expected()))
                r.builder_.horizon(*steps, r.line());
            }),
      value("discount",
            [](R& r, JsonValue found) {
              if (const auto gamma = r.number(found)) r.builder_.discount(*gamma, r.line());
            }),
      value("initial",
            [](R& r, JsonValue found) {
              if (r.is_string(found)) r.builder_.initial(std::string(found.text), r.line());
            })
          .or_object(kInitial)
          .or_list(kPossibleInitial),
      value("kind",
            [](R& r, JsonValue found) {
              if (!r.is_string(found)) return;
              if (found.text != "mdp" && found.text != "dtmc")
                r.problem(r.line(),
                          "kind: found " + in_quotes(found.text) + ", must be mdp or dtmc");
              r.builder_.is_chain(found.text == "dtmc");
            }),
      list("goal", kGoal),
      object("labels", kLabels),
      value("rewards",
            [](R& r, JsonValue found) {
              if (const auto costs = r.has_costs(found)) r.builder_.rewards_are_costs(*costs);
            }),
      // It was read before; what was wrong with it is said where it stands.
      value("wealth",
            [](R& r, JsonValue) {
              for (const TextFault& fault : r.declared_.faults)
                r.problem(fault.line, fault.message);
            }),
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

void JsonModelReader::read_initial_probability(JsonValue found) {
  if (found.kind == JsonKind::object || found.kind == JsonKind::list) {
    wrong_kind(found, "a probability");
    return;
  }
  const auto probability =
      number(found, [&] { return "initial: " + in_quotes(initial_name_) + ": probability: "; });
  if (probability) builder_.add_initial(initial_name_, *probability, line());
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
