#include "json_model_reader.hpp"

#include <algorithm>
#include <array>

#include "format_words.hpp"
#include "model_formats.hpp"
#include "quoted.hpp"
#include "setting_range.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kFormat = "quantiplan-model/1";
constexpr std::size_t kFewNames = 16;

enum ModelKey {
  kFormatKey,
  kNameKey,
  kHorizonKey,
  kDiscountKey,
  kInitialKey,
  kGoalKey,
  kRewardsKey,
  kStatesKey,
  kChoicesKey
};
constexpr std::array<std::string_view, 9> kModelKeys{
    "format", "name", "horizon", "discount", "initial", "goal", "rewards", "states", "choices"};
enum ChoiceKey { kStateKey, kActionKey, kRewardKey, kNextKey };
constexpr std::array<std::string_view, 4> kChoiceKeys{"state", "action", "reward", "next"};
enum OutcomeKey { kToKey, kProbabilityKey, kOutcomeRewardKey };
constexpr std::array<std::string_view, 3> kOutcomeKeys{"to", "probability", "reward"};

}  // namespace

JsonWalk::Shape JsonModelReader::shape(Node node) const {
  switch (node) {
    case kModel:
      return {"the model", kModelKeys};
    case kStates:
      return {"the list of states", {}};
    case kGoal:
      return {"the list of goal states", {}};
    case kChoices:
      return {"the list of choices", {}};
    case kChoice:
      return {"a choice", kChoiceKeys};
    case kNextMap:
    case kNextList:
      return {"'next'", {}};
    case kOutcome:
      return {"an outcome", kOutcomeKeys};
    default:
      return {"the text", {}};
  }
}

JsonWalk::Node JsonModelReader::enter(JsonKind kind) {
  const bool object = kind == JsonKind::object;
  switch (node()) {
    case kDocument:
      return object ? Node{kModel} : wrong_kind(kind, "an object");
    case kStates:
    case kGoal:
      return wrong_kind(kind, "a string");
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
      if (current_key() == kStatesKey && !object) {
        builder_.states_are_declared();
        return kStates;
      }
      if (current_key() == kGoalKey && !object) return kGoal;
      if (current_key() == kChoicesKey && !object) return kChoices;
      model_value(kind, "");
      return kSkipped;
    case kChoice:
      if (current_key() == kNextKey) return object ? Node{kNextMap} : Node{kNextList};
      choice_value(kind, "");
      return kSkipped;
    default:
      outcome_value(kind, "");
      return kSkipped;
  }
}

void JsonModelReader::leave(Node node) {
  if (node == kModel) require({kFormatKey, kChoicesKey});
  if (node == kOutcome) finish_outcome();
  if (node == kChoice) finish_choice();
}

void JsonModelReader::value(JsonKind kind, std::string_view text) {
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
    default:
      wrong_kind(kind, "an object");
  }
}

void JsonModelReader::model_value(JsonKind kind, std::string_view text) {
  std::string name;
  switch (current_key()) {
    case kFormatKey:
      if (string(kind, text, name) && name != kFormat) {
        is_foreign_ = true;
        problem(line(),
                "format: found " + quoted(name) + ", must be '" + std::string(kFormat) + "'");
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
            "horizon: found " + quoted(text, 40) + ", must be a whole number from 1 to " +
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
    problem(line(), "rewards: found " + quoted(meaning) + ", must be 'reward' or 'cost'");
  }
}

void JsonModelReader::choice_value(JsonKind kind, std::string_view text) {
  switch (current_key()) {
    case kStateKey:
      string(kind, text, draft_.state);
      break;
    case kActionKey:
      string(kind, text, draft_.action);
      break;
    case kRewardKey:
      if (auto reward = number(kind, text, "reward")) draft_.reward = *std::move(reward);
      break;
    default:
      wrong_kind(kind, "an object or a list");
  }
}

void JsonModelReader::outcome_value(JsonKind kind, std::string_view text) {
  OutcomeDraft& outcome = draft_.outcomes[draft_.count - 1];
  switch (current_key()) {
    case kToKey:
      outcome.has_name = string(kind, text, outcome.to);
      break;
    case kProbabilityKey:
      outcome.probability = number(kind, text, "probability");
      break;
    default:
      if (auto reward = number(kind, text, "reward")) outcome.reward = *std::move(reward);
  }
}

bool JsonModelReader::map_key(std::string_view name) {
  if (node() != kNextMap) return true;
  if (is_repeated(name)) {
    problem(line(), "next state " + quoted(name) + " is given twice in 'next', must be given once");
    return false;
  }
  add_outcome().to = name;
  return true;
}

// A short map is searched, a long one has a set: a million names must not take 10^12 steps.
bool JsonModelReader::is_repeated(std::string_view name) {
  if (draft_.count < kFewNames) {
    return std::any_of(draft_.outcomes.begin(),
                       draft_.outcomes.begin() + static_cast<std::ptrdiff_t>(draft_.count),
                       [&](const OutcomeDraft& o) { return o.to == name; });
  }
  if (draft_.many_names.empty()) {
    for (std::size_t i = 0; i < draft_.count; ++i) draft_.many_names.insert(draft_.outcomes[i].to);
  }
  return !draft_.many_names.emplace(name).second;
}

JsonModelReader::OutcomeDraft& JsonModelReader::add_outcome() {
  if (draft_.count == draft_.outcomes.size()) draft_.outcomes.emplace_back();
  OutcomeDraft& outcome = draft_.outcomes[draft_.count++];
  outcome.to.clear();
  outcome.has_name = false;
  outcome.probability.reset();
  outcome.reward = Number();
  outcome.line = line();
  outcome.is_complete = false;
  return outcome;
}

void JsonModelReader::finish_outcome() {
  require({kToKey, kProbabilityKey});
  OutcomeDraft& outcome = draft_.outcomes[draft_.count - 1];
  outcome.is_complete = outcome.has_name && outcome.probability.has_value();
}

void JsonModelReader::start_choice() {
  in_choice_ = true;
  ++choices_met_;
  draft_.state.clear();
  draft_.action.clear();
  draft_.reward = Number();
  draft_.count = 0;
  draft_.many_names.clear();
  draft_.faults.clear();
}

void JsonModelReader::finish_choice() {
  require({kStateKey, kActionKey, kNextKey});
  const bool can_open = draft_.faults.empty() || (!draft_.state.empty() && !draft_.action.empty());
  if (can_open) builder_.begin_choice(draft_.state, draft_.action, first_line());
  report_faults();  // while the choice is open, so that the builder derives no problems from them
  if (!can_open) return;
  for (std::size_t i = 0; i < draft_.count; ++i) {
    const OutcomeDraft& o = draft_.outcomes[i];
    if (o.is_complete) builder_.add_outcome(o.to, *o.probability, draft_.reward + o.reward, o.line);
  }
}

void JsonModelReader::report_faults() {
  in_choice_ = false;
  if (draft_.faults.empty()) return;
  const bool is_named = !draft_.state.empty() && !draft_.action.empty();
  const std::string where =
      is_named ? "state " + quoted(draft_.state) + ", choice " + quoted(draft_.action)
               : "choice number " + std::to_string(choices_met_);
  for (const TextFault& fault : draft_.faults)
    builder_.problem(fault.line, where + ": " + fault.message);
  draft_.faults.clear();
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
    const std::string which = in_map ? quoted(draft_.outcomes[draft_.count - 1].to) + ": " : "";
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
  JsonModelReader reader(builder);
  auto fault = read_json(text, reader);
  if (fault && reader.is_in_states()) return fault;
  reader.finish();
  if (fault) builder.problem(fault->line, fault->message);
  return std::nullopt;
}

}  // namespace quantiplan
