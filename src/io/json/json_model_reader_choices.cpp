// The choices of a model file, each with its outcomes, until the builder takes them.
#include <algorithm>

#include "base/quoted.hpp"
#include "io/json/json_model_reader.hpp"
#include "io/json/model_keys.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kFewNames = 16;

}  // namespace

void JsonModelReader::choice_value(JsonKind kind, std::string_view text) {
  switch (current_key()) {
    case kStateKey:
      string(kind, text, draft_.state);
      break;
    case kActionKey:
      string(kind, text, draft_.action);
      break;
    case kRewardKey:
      read_reward(kind, text, draft_.reward);
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
      read_reward(kind, text, outcome.reward);
  }
}

bool JsonModelReader::map_key(std::string_view name) {
  if (node() == kLabels) builder_.label(std::string(name), line());
  if (node() != kNextMap) return true;
  if (is_repeated(name)) {
    problem(line(),
            "next state " + in_quotes(name) + " is given twice in 'next', must be given once");
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
  outcome.has_reward = false;
  outcome.line = line();
  outcome.is_complete = false;
  return outcome;
}

void JsonModelReader::finish_outcome() {
  require({kToKey, kProbabilityKey});
  OutcomeDraft& outcome = draft_.outcomes[draft_.count - 1];
  outcome.is_complete = outcome.has_name && outcome.probability.has_value();
  outcome.has_reward = has(kOutcomeRewardKey);
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
  draft_.has_reward = has(kRewardKey);
  check_rewards();
  const bool can_open = draft_.faults.empty() || (!draft_.state.empty() && !draft_.action.empty());
  if (can_open) builder_.begin_choice(draft_.state, draft_.action, first_line());
  report_faults();  // while the choice is open, so that the builder derives no problems from them
  if (!can_open) return;
  for (std::size_t i = 0; i < draft_.count; ++i) {
    const OutcomeDraft& o = draft_.outcomes[i];
    if (o.is_complete) builder_.add_outcome(o.to, *o.probability, reward_of(o), o.line);
  }
}

void JsonModelReader::report_faults() {
  in_choice_ = false;
  if (draft_.faults.empty()) return;
  const bool is_named = !draft_.state.empty() && !draft_.action.empty();
  const std::string where =
      is_named ? "state " + in_quotes(draft_.state) + ", choice " + in_quotes(draft_.action)
               : "choice number " + std::to_string(choices_met_);
  for (const TextFault& fault : draft_.faults)
    builder_.problem(fault.line, where + ": " + fault.message);
  draft_.faults.clear();
}

}  // namespace quantiplan
