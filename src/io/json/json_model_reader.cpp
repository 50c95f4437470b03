#include "io/json/json_model_reader.hpp"

#include "base/quoted.hpp"
#include "io/json/model_keys.hpp"
#include "io/text/format_words.hpp"
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

JsonModelReader::JsonModelReader(ModelBuilder& builder, const WealthDeclaration& declared)
    : builder_(builder), declared_(declared) {
  if (!declared.is_damaged) builder.wealth(declared.wealth, declared.line);
}

JsonWalk::Shape JsonModelReader::shape(Node node) const {
  switch (node) {
    case kModel:
      return {"the model", kModelKeys};
    case kStates:
      return {"the list of states", {}};
    case kGoal:
      return {"the list of goal states", {}};
    case kLabels:
      return {"'labels'", {}};
    case kLabel:
      return {"the states of a label", {}};
    case kChoices:
      return {"the list of choices", {}};
    case kChoice:
      return {"a choice", kChoiceKeys};
    case kNextMap:
    case kNextList:
      return {"'next'", {}};
    case kOutcome:
      return {"an outcome", kOutcomeKeys};
    case kVectorOfChoice:
    case kVectorOfOutcome:
      return {"'reward'", {}};
    default:
      return {"the text", {}};
  }
}

JsonWalk::Node JsonModelReader::enter(JsonKind kind) {
  const bool object = kind == JsonKind::object;
  list_is_empty_ = false;  // that of the node, if it is one
  switch (node()) {
    case kDocument:
      return object ? Node{kModel} : wrong_kind(kind, "an object");
    case kStates:
    case kGoal:
    case kLabel:
      return wrong_kind(kind, "a string");
    case kLabels:
      return object ? wrong_kind(kind, "a list of states") : Node{kLabel};
    case kChoices:
      if (!object) return wrong_kind(kind, "an object");
      start_choice();
      return kChoice;
    case kNextMap:
      return wrong_kind(kind, "a probability");
    case kNextList:
      if (!object) return wrong_kind(kind, "an object");
      add_outcome();
      return kOutcome;
    case kModel:
      list_is_empty_ = true;
      if (current_key() == kStatesKey && !object) return kStates;
      if (current_key() == kGoalKey && !object) return kGoal;
      if (current_key() == kStateLabelsKey && object) return kLabels;
      if (current_key() == kChoicesKey && !object) return kChoices;
      model_value(kind, "");
      return kSkipped;
    case kChoice:
      if (current_key() == kNextKey) return object ? Node{kNextMap} : Node{kNextList};
      if (current_key() == kRewardKey && !object && has_vectors()) {
        start_vector();
        return kVectorOfChoice;
      }
      choice_value(kind, "");
      return kSkipped;
    case kVectorOfChoice:
    case kVectorOfOutcome:
      vector_value(kind, "");
      return kSkipped;
    default:
      if (current_key() == kOutcomeRewardKey && !object && has_vectors()) {
        start_vector();
        return kVectorOfOutcome;
      }
      outcome_value(kind, "");
      return kSkipped;
  }
}

void JsonModelReader::leave(Node node) {
  if (node == kModel) require({kFormatKey, kChoicesKey});
  if (list_is_empty_ && node == kStates)
    problem(first_line(), "states: the list is empty, must name every state");
  if (list_is_empty_ && node == kChoices)
    problem(first_line(), "choices: the list is empty, must have at least one choice");
  if (node == kVectorOfChoice) finish_vector(draft_.reward);
  if (node == kVectorOfOutcome) finish_vector(draft_.outcomes[draft_.count - 1].reward);
  if (node == kOutcome) finish_outcome();
  if (node == kChoice) finish_choice();
}

void JsonModelReader::value(JsonKind kind, std::string_view text) {
  list_is_empty_ = false;
  switch (node()) {
    case kModel:
      model_value(kind, text);
      break;
    case kStates:
      if (kind == JsonKind::string) {
        builder_.declare_state(text, line());
      } else {
        wrong_kind(kind, "a string");
      }
      break;
    case kGoal:
      if (kind == JsonKind::string) {
        builder_.goal(std::string(text), line());
      } else {
        wrong_kind(kind, "a string");
      }
      break;
    case kLabels:
      wrong_kind(kind, "a list of states");
      break;
    case kLabel:
      if (kind == JsonKind::string) {
        builder_.labelled(std::string(text), line());
      } else {
        wrong_kind(kind, "a string");
      }
      break;
    case kChoice:
      choice_value(kind, text);
      break;
    case kNextMap: {
      OutcomeDraft& outcome = draft_.outcomes[draft_.count - 1];
      outcome.probability = number(kind, text, "probability");
      outcome.is_complete = outcome.probability.has_value();
      break;
    }
    case kOutcome:
      outcome_value(kind, text);
      break;
    case kVectorOfChoice:
    case kVectorOfOutcome:
      vector_value(kind, text);
      break;
    default:
      wrong_kind(kind, "an object");
  }
}

void JsonModelReader::model_value(JsonKind kind, std::string_view text) {
  std::string name;
  switch (current_key()) {
    case kFormatKey:
      if (string(kind, text, name) && name != kModelFormat) {
        is_foreign_ = true;
        problem(
            line(),
            "format: found " + in_quotes(name) + ", must be '" + std::string(kModelFormat) + "'");
      }
      break;
    case kNameKey:
      if (string(kind, text, name)) builder_.name(std::move(name));
      break;
    case kInitialKey:
      if (string(kind, text, name)) builder_.initial(std::move(name), line());
      break;
    case kHorizonKey:
      read_horizon(kind, text);
      break;
    case kDiscountKey:
      if (const auto gamma = number(kind, text, "discount")) builder_.discount(*gamma, line());
      break;
    case kRewardsKey:
      read_rewards(kind, text);
      break;
    case kWealthKey:
      report_wealth();
      break;
    case kStateLabelsKey:
      wrong_kind(kind, "an object");
      break;
    default:
      wrong_kind(kind, "a list");
  }
}

void JsonModelReader::read_horizon(JsonKind kind, std::string_view text) {
  if (kind == JsonKind::string && text == kInfinite) {
    builder_.horizon(kInfiniteHorizon, line());
    return;
  }
  if (kind != JsonKind::number && kind != JsonKind::string) {
    wrong_kind(kind, "a number or 'infinite'");
    return;
  }
  const auto found = Number::try_parse(text);
  const Fraction* steps = found ? found->small() : nullptr;
  if (steps == nullptr || steps->denominator != 1 || steps->numerator < 0) {
    problem(line(),
            "horizon: found " + in_quotes(text, 40) + ", must be a whole number from 1 to " +
                std::to_string(kMostHorizon) + ", or 'infinite'");
    return;
  }
  builder_.horizon(static_cast<std::uint64_t>(steps->numerator), line());
}

void JsonModelReader::read_rewards(JsonKind kind, std::string_view text) {
  std::string meaning;
  if (!string(kind, text, meaning)) return;
  if (meaning == kCost || meaning == kReward) {
    builder_.rewards_are_costs(meaning == kCost);
  } else {
    problem(line(), "rewards: found " + in_quotes(meaning) + ", must be 'reward' or 'cost'");
  }
}

// The wealth was read before; what was wrong with it is said where it stands.
void JsonModelReader::report_wealth() {
  for (const TextFault& fault : declared_.faults) problem(fault.line, fault.message);
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
  return is_foreign_ || draft_.faults.size() > Problems::kMost || builder_.has_enough_problems();
}

std::optional<Number> JsonModelReader::number(JsonKind kind,
                                              std::string_view text,
                                              const char* label) {
  if (kind != JsonKind::number && kind != JsonKind::string) {
    wrong_kind(kind, "a number, or a string with a number");
    return std::nullopt;
  }
  std::string why;
  auto found = Number::try_parse(text, &why);
  if (!found) {
    const bool in_map = node() == kNextMap;
    const std::string which = in_map ? in_quotes(draft_.outcomes[draft_.count - 1].to) + ": " : "";
    problem(line(), which + label + ": " + why);
  }
  return found;
}

bool JsonModelReader::string(JsonKind kind, std::string_view text, std::string& into) {
  if (kind != JsonKind::string) {
    wrong_kind(kind, "a string");
    return false;
  }
  into = text;
  return true;
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
