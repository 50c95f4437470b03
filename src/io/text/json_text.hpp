// Pieces of text for the writers, most of them JSON.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_string.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan {

// A JSON number where the value is a finite decimal of ordinary size, else a string ("1/3"). Throws
// Error(refused) if its text would be longer than the readers accept.
void append_json_number(std::string& out, const Rational& value);
// A number as above, or "inf", "-inf", "miss".
void append_json_total(std::string& out, const Total& value);
// The number of steps, or "infinite".
void append_json_horizon(std::string& out, std::uint64_t horizon);
// A comma, and "initial": a name, or {"a": 0.5, "b": 0.5} of several.
void append_json_initial(std::string& out, const Model& model, const InitialStates& initial);
// A comma, and the key with the names of the states on lines of their own, none of them long.
void append_json_states(std::string& out,
                        std::string_view key,
                        const Model& model,
                        const std::vector<State>& states);
// Each item by append(item), with what stands before, between and behind them.
template <class Items, class Append>
void append_json_items(std::string& out,
                       std::string_view before,
                       const Items& items,
                       std::string_view behind,
                       const Append& append,
                       std::string_view between = ", ") {
  out += before;
  bool is_first = true;
  for (const auto& item : items) {
    if (!std::exchange(is_first, false)) out += between;
    append(item);
  }
  out += behind;
}
// The list alone.
void append_json_state_list(std::string& out, const Model& model, const std::vector<State>& states);
// Whether the exact text is short enough for the readers.
bool is_readable(const Rational& value);
// The exact text of a number that a reader will take back; throws as above.
std::string readable_text(const Rational& value);
// That of each probability and each reward of a model, made once; or another text of them.
class NumberTexts {
 public:
  explicit NumberTexts(const Model& model,
                       const std::function<std::string(const Rational&)>& text = readable_text);
  [[nodiscard]] const std::string& probability(const Outcome& o) const {
    return probabilities_[index(o.probability)];
  }
  [[nodiscard]] const std::string& reward(const Outcome& o) const {
    return (rewards_ ? *rewards_ : probabilities_)[index(o.reward)];
  }
  // In one of the structures that the model keeps.
  [[nodiscard]] const std::string& reward(const Model& model,
                                          std::size_t structure,
                                          const Outcome& o) const {
    if (structure == model.chosen_reward() || !model.has_all_rewards()) return reward(o);
    return probabilities_[index(model.reward_in(structure, o))];
  }

 private:
  std::vector<std::string> probabilities_;
  std::optional<std::vector<std::string>> rewards_;  // where they have a table of their own
};
// Throws Error(refused) if rewards are labels or vectors; `format` is "a .tra".
void require_numbers(const Model& model, const char* format);

}  // namespace quantiplan
