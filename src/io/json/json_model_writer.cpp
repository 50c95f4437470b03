// Writes the format "quantiplan-model/1": one choice a line, so that models can be compared by
// line.
#include <algorithm>

#include "io/json/json_wealth_writer.hpp"
#include "io/text/format_words.hpp"
#include "io/text/json_text.hpp"
#include "io/text/model_formats.hpp"
#include "io/text/watched_text.hpp"

namespace quantiplan {
namespace {

void append_setting(std::string& out, const Model& model) {
  if (!model.name().empty()) {
    out += ",\n  \"name\": ";
    append_json_string(out, model.name());
  }
  if (model.horizon()) {
    out += ",\n  \"horizon\": ";
    append_json_horizon(out, *model.horizon());
  }
  if (model.discount()) {
    out += ",\n  \"discount\": ";
    append_json_number(out, *model.discount());
  }
  if (model.is_chain()) out += ",\n  \"kind\": \"dtmc\"";
  if (model.initial()) {
    append_json_initial(out, model, *model.initial());
  } else if (!model.possible_initial().empty()) {
    append_json_states(out, "initial", model, model.possible_initial());
  }
  if (!model.goal().empty()) append_json_states(out, "goal", model, model.goal());
  if (model.has_costs()) out.append(",\n  \"rewards\": \"").append(kCost).append("\"");
  if (!model.wealth().is_sum()) append_json_wealth(out, model.wealth());
}

void append_labels(std::string& out, const Model& model) {
  if (model.labels().empty()) return;
  const auto append = [&](const StateLabel& label) {
    append_json_string(out, label.name);
    out += ": ";
    append_json_state_list(out, model, label.states);
  };
  append_json_items(out, ",\n  \"labels\": {\n    ", model.labels(), "\n  }", append, ",\n    ");
}

// "state": probability needs one reward for all outcomes, and no state twice.
bool fits_a_map(const Model& model, Choice c) {
  std::vector<State> next;
  for (const Outcome& o : model.outcomes(c)) {
    if (o.reward != model.outcomes(c).begin()->reward) return false;
    next.push_back(o.next);
  }
  std::sort(next.begin(), next.end());
  return std::adjacent_find(next.begin(), next.end()) == next.end();
}

// Texts in one block of characters.
class TextList {
 public:
  template <typename Append>
  void add(const Append& append) {
    append(characters_);
    ends_.push_back(characters_.size());
  }
  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(characters_).substr(begin, ends_[i] - begin);
  }

 private:
  std::string characters_;
  std::vector<std::size_t> ends_;
};

class ChoiceWriter {
 public:
  explicit ChoiceWriter(const Model& model) : model_(model) {
    // Each distinct number, label or vector is put into text once.
    add_all(numbers_, model.probabilities());
    if (model.wealth().has_numbers() && has_own_rewards()) add_all(rewards_, model.rewards());
    for (const std::string& label : model.wealth().labels)
      rewards_.add([&](std::string& out) { append_json_string(out, label); });
    for (const auto& vector : model.wealth().vectors)
      rewards_.add([&](std::string& out) {
        if (std::ranges::any_of(vector, [](const Rational& r) { return r != 0; }))
          append_json_vector(out, vector);
      });
  }

  void append(std::string& out, State s, Choice c) const {
    out += "    {\"state\": ";
    append_json_string(out, model_.state_name(s));
    out += ", \"action\": ";
    append_json_string(out, model_.action_name(c));
    if (fits_a_map(model_, c)) {
      append_map(out, c);
    } else {
      append_list(out, c);
    }
  }

 private:
  void append_map(std::string& out, Choice c) const {
    append_reward(out, model_.outcomes(c).begin()->reward);
    append_json_items(out, ", \"next\": {", model_.outcomes(c), "}}", [&](const Outcome& o) {
      append_json_string(out, model_.state_name(o.next));
      out.append(": ").append(numbers_[index(o.probability)]);
    });
  }

  void append_list(std::string& out, Choice c) const {
    append_json_items(out, ", \"next\": [", model_.outcomes(c), "]}", [&](const Outcome& o) {
      out += "{\"to\": ";
      append_json_string(out, model_.state_name(o.next));
      out.append(", \"probability\": ").append(numbers_[index(o.probability)]);
      append_reward(out, o.reward);
      out += "}";
    });
  }

  // Nothing where it may be left out.
  void append_reward(std::string& out, NumberId id) const {
    const std::string_view text = reward_text(id);
    if (!text.empty()) out.append(", \"reward\": ").append(text);
  }

  [[nodiscard]] std::string_view reward_text(NumberId id) const {
    const Wealth& wealth = model_.wealth();
    if (wealth.is_sum() && model_.rewards().is_zero(id)) return {};
    if (wealth.has_numbers()) return (has_own_rewards() ? rewards_ : numbers_)[index(id)];
    const Rational position = model_.rewards().rational(id);
    return position < 0 ? std::string_view() : rewards_[position.get_num().get_ui()];
  }

  [[nodiscard]] bool has_own_rewards() const {
    return &model_.rewards() != &model_.probabilities();
  }
  static void add_all(TextList& to, const NumberTable& numbers) {
    for (std::uint32_t id = 0; id < numbers.size(); ++id)
      to.add([&](std::string& out) { append_json_number(out, numbers.rational(NumberId{id})); });
  }

  const Model& model_;
  TextList numbers_;
  TextList rewards_;  // labels, vectors (a vector of zeros has no text), or a table of their own
};

}  // namespace

std::string format_json_model(const Model& model, WorkWatch* watch) {
  if (model.choice_count() == 0)
    throw Error(ErrorCode::refused,
                "",
                "found a model without choices, which JSON cannot hold; expected one at least");
  std::string out = "{\n  \"format\": \"quantiplan-model/1\"";
  append_setting(out, model);
  std::vector<State> states;
  states.reserve(model.state_count());
  for (std::uint32_t s = 0; s < model.state_count(); ++s) states.push_back(State{s});
  append_json_states(out, "states", model, states);
  append_labels(out, model);
  const ChoiceWriter writer(model);
  const char* separator = ",\n  \"choices\": [\n";
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    for (const Choice c : model.choices(State{s})) {
      out += separator;
      writer.append(out, State{s}, c);
      look_at_text(out, watch);
      separator = ",\n";
    }
  }
  out += "\n  ]\n}\n";
  return out;
}

}  // namespace quantiplan
