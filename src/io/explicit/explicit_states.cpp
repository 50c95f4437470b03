#include "io/explicit/explicit_states.hpp"

#include <algorithm>

#include "base/quoted.hpp"
#include "numbers/numbered_names.hpp"

namespace quantiplan {

void declare_states(ModelBuilder& builder, const StateNames& names, std::size_t count) {
  if (names.names.empty())
    builder.declare_states_of(std::make_shared<NumberedNames>(static_cast<std::uint32_t>(count)));
  for (std::size_t s = 0; s < count; ++s) {
    if (names.names.empty())
      builder.declare_next_state();
    else
      builder.declare_state(names.names[s]);
  }
}

std::uint32_t LabelSets::add(std::string_view name) {
  const std::uint32_t label = names_.intern(name);
  if (label == states_.size()) states_.emplace_back();
  return label;
}

bool LabelSets::give(std::uint32_t label, State s) {
  if (!states_[label].empty() && states_[label].back() == s) return false;
  states_[label].push_back(s);
  return true;
}

std::vector<bool> LabelSets::deadlocks(std::size_t state_count) const {
  std::vector<bool> is_deadlock(state_count, false);
  if (const auto label = names_.find(kDeadlockLabel)) {
    for (const State s : states_[*label]) is_deadlock[index(s)] = true;
  }
  return is_deadlock;
}

void LabelSets::hand_over(ModelBuilder& builder,
                          const StateNames& names,
                          const std::string& source,
                          std::vector<std::string>& notices) const {
  const auto init = names_.find(kInitLabel);
  const std::size_t count = init ? states_[*init].size() : 0;
  for (std::size_t i = 0; i < count; ++i) builder.may_begin(names[index(states_[*init][i])]);
  if (count == 0)
    notices.push_back(source + ": no state has the label 'init': the model has no initial state");
  for (std::uint32_t label = 0; label < states_.size(); ++label) {
    if (names_[label] == kInitLabel || names_[label] == kDeadlockLabel) continue;
    builder.label(std::string(names_[label]));
    for (const State s : states_[label]) builder.labelled(s);
  }
}

void ExplicitStates::begin_state(State s, bool is_deadlock) {
  state_ = s;
  is_deadlock_ = is_deadlock;
  choices_.clear();
  outcomes_.clear();
  others_.clear();
}

void ExplicitStates::begin_choice(std::string_view label, std::uint64_t line) {
  choices_.push_back({label, outcomes_.size(), line});
}

void ExplicitStates::add_outcome(State next,
                                 const Number& probability,
                                 const Number& reward,
                                 std::span<const Number> others,
                                 std::uint64_t line) {
  outcomes_.push_back({next, probability, reward, line});
  others_.insert(others_.end(), others.begin(), others.end());
}

bool ExplicitStates::is_terminal() const {
  return choices_.empty() ||
         (is_deadlock_ && choices_.size() == 1 && outcomes_.size() == 1 &&
          outcomes_[0].next == state_ && outcomes_[0].probability == Number(1) &&
          outcomes_[0].reward.sign() == 0 &&
          std::ranges::all_of(others_, [](const Number& r) { return r.sign() == 0; }));
}

void ExplicitStates::end_state(const Number& state_reward, std::span<const Number> others) {
  if (is_terminal()) {
    if (state_reward.sign() != 0) ++rewards_left_;
    return;
  }
  // The state's rewards on every outcome.
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const Number& of_state = others[i % others.size()];
    if (of_state.sign() != 0) others_[i] = others_[i] + of_state;
  }
  names_.start_state();
  for (std::size_t c = 0; c < choices_.size(); ++c) {
    const std::size_t begin = choices_[c].outcome_begin;
    const std::size_t end =
        c + 1 < choices_.size() ? choices_[c + 1].outcome_begin : outcomes_.size();
    check_repeated(begin, end);
    builder_.begin_choice(state_,
                          names_.name(choices_[c].label.empty() ? kUnlabelled : choices_[c].label),
                          choices_[c].line);
    for (std::size_t o = begin; o < end; ++o) {
      const OutcomeDraft& outcome = outcomes_[o];
      builder_.add_outcome(
          outcome.next,
          outcome.probability,
          state_reward.sign() == 0 ? outcome.reward : outcome.reward + state_reward,
          std::span<const Number>(others_).subspan(o * others.size(), others.size()),
          outcome.line);
    }
  }
}

void ExplicitStates::check_repeated(std::size_t begin, std::size_t end) {
  if (end - begin < 2) return;
  next_.clear();
  for (std::size_t o = begin; o < end; ++o)
    next_.emplace_back(outcomes_[o].next, outcomes_[o].line);
  std::sort(next_.begin(), next_.end());
  for (std::size_t i = 1; i < next_.size(); ++i) {
    if (next_[i].first != next_[i - 1].first) continue;
    problems_.add(next_[i].second,
                  "state " + std::to_string(index(state_)) + ": the transition to state " +
                      std::to_string(index(next_[i].first)) + " is given twice in one choice, " +
                      "first on line " + std::to_string(next_[i - 1].second) + "; must be once");
  }
}

void ExplicitStates::add_notices(std::vector<std::string>& notices) const {
  if (rewards_left_ == 0) return;
  notices.push_back(
      problems_.source() + ": " + std::to_string(rewards_left_) +
      (rewards_left_ == 1 ? " terminal state has a reward" : " terminal states have rewards") +
      ", which is collected on leaving a state only: never there");
}

}  // namespace quantiplan
