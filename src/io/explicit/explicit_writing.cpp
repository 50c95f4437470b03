#include "io/explicit/explicit_writing.hpp"

#include <algorithm>
#include <numeric>

#include "base/quoted.hpp"
#include "io/explicit/explicit_states.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kGoalLabel = "goal";

bool is_control(char c) { return (c >= '\0' && c < ' ') || c == '\x7F'; }

}  // namespace

WrittenLabels::WrittenLabels(const Model& model, std::vector<std::string>& lost) {
  std::vector<const std::vector<State>*> sets;
  const auto add = [&](std::string_view name, const std::vector<State>& states) {
    names_.emplace_back(name);
    sets.push_back(&states);
  };
  const std::vector<State> initial = written_initial(model);
  if (model.initial() && initial.size() > 1)
    lost.emplace_back("the probabilities of the initial states");
  std::vector<State> terminal;
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    if (model.is_terminal(State{s})) terminal.push_back(State{s});
  }
  add(kInitLabel, initial);
  add(kDeadlockLabel, terminal);
  for (const StateLabel& label : model.labels()) {
    const bool is_made = label.name == kInitLabel || label.name == kDeadlockLabel;
    if (is_made || has_control_characters(label.name) ||
        label.name.find('"') != std::string::npos) {
      if (!is_made || label.states != (label.name == kInitLabel ? initial : terminal))
        lost.push_back("the label " + in_quotes(label.name));
      continue;
    }
    add(label.name, label.states);
  }
  if (!model.goal().empty()) {
    const StateLabel* same_name = model.find_label(kGoalLabel);
    if (same_name == nullptr) add(kGoalLabel, model.goal());
    const bool is_kept = same_name == nullptr || same_name->states == model.goal();
    lost.emplace_back(is_kept ? "that the label 'goal' is the goal" : "the goal");
  }
  begin_.assign(model.state_count() + 1, 0);
  for (const auto* set : sets) {
    for (const State s : *set) ++begin_[index(s) + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  of_state_.resize(begin_.back());
  std::vector<std::uint64_t> at(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t label = 0; label < sets.size(); ++label) {
    for (const State s : *sets[label]) of_state_[at[index(s)]++] = label;
  }
}

void require_one_reward_each(const Model& model, State s, Choice c, const char* format) {
  std::vector<State> next;
  for (const Outcome& o : model.outcomes(c)) next.push_back(o.next);
  std::sort(next.begin(), next.end());
  const auto twice = std::adjacent_find(next.begin(), next.end());
  if (twice == next.end()) return;
  throw Error(ErrorCode::refused,
              "",
              "state " + in_quotes(model.state_name(s)) + ", choice " +
                  in_quotes(model.action_name(c)) + ": leads to " +
                  in_quotes(model.state_name(*twice)) + " with different rewards, which " + format +
                  " cannot hold; write JSON or CSV");
}

std::vector<State> written_initial(const Model& model) {
  return model.initial() ? model.initial()->states() : model.possible_initial();
}

std::vector<std::string> written_reward_names(const Model& model, const std::string& usual) {
  std::vector<std::string> out;
  const std::size_t count = model.kept_rewards();
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t at = model.has_all_rewards() ? k : model.chosen_reward();
    std::string name = at < model.reward_names().size() ? model.reward_names()[at] : "";
    if (name.empty()) name = count == 1 ? usual : usual + std::to_string(k + 1);
    name = as_word(name);
    while (std::ranges::find(out, name) != out.end()) name += '_';
    out.push_back(std::move(name));
  }
  return out;
}

bool is_zero_in(const Model& model, std::size_t structure, const Outcome& o) {
  if (structure == model.chosen_reward() || !model.has_all_rewards())
    return model.rewards().is_zero(o.reward);
  return model.probabilities().is_zero(model.reward_in(structure, o));
}

std::string other_rewards_lost(const Model& model) {
  std::string out;
  for (std::size_t k = 0; k < model.reward_names().size(); ++k) {
    if (k == model.chosen_reward()) continue;
    const std::string& name = model.reward_names()[k];
    out += (out.empty() ? "" : ", ") +
           (name.empty() ? "number " + std::to_string(k + 1) : in_quotes(name));
  }
  if (out.empty()) return out;
  return (model.reward_names().size() > 2 ? "the reward structures " : "the reward structure ") +
         out;
}

std::vector<std::string> settings_lost(const Model& model) {
  std::vector<std::string> lost;
  if (!model.name().empty()) lost.emplace_back("the name");
  if (model.horizon() && *model.horizon() != kInfiniteHorizon) lost.emplace_back("the horizon");
  if (model.discount()) lost.emplace_back("the discount");
  if (model.has_costs()) lost.emplace_back("the note that rewards are costs");
  if (!model.wealth().is_sum()) lost.emplace_back("the wealth structure");
  if (!model.has_all_rewards() && model.reward_names().size() > 1)
    lost.push_back(other_rewards_lost(model));
  return lost;
}

std::string as_word(std::string_view label) {
  std::string word(label);
  std::replace_if(
      word.begin(), word.end(), [](char c) { return c == ' ' || is_control(c); }, '_');
  return word;
}

bool has_control_characters(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_control);
}

bool names_are_numbers(const Model& model) {
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    if (model.state_name(State{s}) != std::to_string(s)) return false;
  }
  return true;
}

}  // namespace quantiplan
