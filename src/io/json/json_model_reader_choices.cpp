// The choices of a model file, each with its outcomes, until the builder takes them.
#include <algorithm>

#include "base/quoted.hpp"
#include "io/json/json_model_reader.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kFewNames = 16;

}  // namespace

void JsonModelReader::begin_choice() {
  in_choice_ = true;
  ++choices_met_;
  draft_.state.clear();
  draft_.action.clear();
  draft_.reward = {};
  draft_.count = 0;
  draft_.many_names.clear();
  draft_.faults.clear();
}

bool JsonModelReader::begin_mapped_outcome(std::string_view name) {
  if (is_repeated(name)) {
    problem(line(),
            "next state " + in_quotes(name) + " is given twice in 'next', must be given once");
    return false;
  }
  add_outcome().to = name;
  return true;
}

void JsonModelReader::read_mapped_probability(JsonValue found) {
  if (found.kind == JsonKind::object || found.kind == JsonKind::list) {
    wrong_kind(found, "a probability");
    return;
  }
  outcome().probability =
      number(found, [&] { return in_quotes(outcome().to) + ": probability: "; });
  outcome().is_complete = outcome().probability.has_value();
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
  outcome.reward = {};
  outcome.line = line();
  outcome.is_complete = false;
  return outcome;
}

void JsonModelReader::finish_outcome() {
  outcome().is_complete = outcome().has_name && outcome().probability.has_value();
  in_outcome_ = false;
}

void JsonModelReader::finish_choice() {
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
