// What the writers of explicit files share: labels, words, and what is lost.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/json_text.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

// The labels of every state: init and deadlock (terminal states), the model's own, and "goal".
class WrittenLabels {
 public:
  // Says in `lost` what has no place: labels with a quotation mark or a line break, and labels
  // init and deadlock of other states than those.
  WrittenLabels(const Model& model, std::vector<std::string>& lost);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  // Positions in names(), ascending.
  [[nodiscard]] std::span<const std::uint32_t> of(State s) const {
    return {of_state_.data() + begin_[index(s)], of_state_.data() + begin_[index(s) + 1]};
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> of_state_;
};

// Throws Error(refused) if a choice leads to one next state with two rewards: there, a transition
// is known by its next state.
void require_one_reward_each(const Model& model, State s, Choice c, const char* format);
// Where episodes may begin, whether that is drawn or not said; ascending.
std::vector<State> written_initial(const Model& model);
// A word for each reward structure that the model keeps, no two alike: its name, or `usual` and a
// number where it has none that is a word.
std::vector<std::string> written_reward_names(const Model& model, const std::string& usual);
// The reward of an outcome in the k-th of them is 0.
bool is_zero_in(const Model& model, std::size_t structure, const Outcome& o);
// "the reward structures 'a', 'b'" of those that were not kept, or empty.
std::string other_rewards_lost(const Model& model);
// Name, finite horizon, discount, costs, wealth structure: those that the model has.
std::vector<std::string> settings_lost(const Model& model);
// A label without blanks and control characters, each of which becomes '_'.
std::string as_word(std::string_view label);
bool has_control_characters(std::string_view text);
// Every state is named by its number.
bool names_are_numbers(const Model& model);

}  // namespace quantiplan
