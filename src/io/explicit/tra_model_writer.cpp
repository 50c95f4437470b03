// Writes PRISM's explicit files. A terminal state gets a loop without reward and the label
// "deadlock", as PRISM itself would give it.

#include "base/quoted.hpp"
#include "io/explicit/explicit_writing.hpp"
#include "io/explicit/tra_files.hpp"
#include "io/prism/language/condition.hpp"
#include "io/text/watched_text.hpp"
#include "model/choice_names.hpp"

namespace quantiplan {
namespace {

// "(x,b)" and "0:(3,true)"..., or nothing if the states are no valuations of the same variables.
std::optional<std::string> sta_text(const Model& model) {
  std::vector<std::string> variables;
  std::string out;
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    const std::string_view name = model.state_name(State{s});
    const auto values = variables_of_name(name);
    if (values.empty() || (s > 0 && values.size() != variables.size())) return std::nullopt;
    if (s == 0) {
      for (const VariableText& v : values) variables.emplace_back(v.name);
      for (const std::string& v : variables) out += (out.empty() ? "(" : ",") + v;
      out += ")\n";
    }
    std::string again;
    out += std::to_string(s) + ":";
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].name != variables[i]) return std::nullopt;
      const char* before = i == 0 ? "(" : ",";
      again.append(before).append(variables[i]).append("=").append(values[i].value);
      out.append(before).append(values[i].value);
    }
    out += ")\n";
    // Only what is read back as the same name.
    if (again + ")" != name) return std::nullopt;
  }
  return out;
}

std::string lab_text(const Model& model, std::vector<std::string>& lost) {
  const WrittenLabels labels(model, lost);
  std::string out;
  for (std::size_t i = 0; i < labels.names().size(); ++i)
    out += (i == 0 ? "" : " ") + std::to_string(i) + "=\"" + labels.names()[i] + "\"";
  out += '\n';
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    const auto of_state = labels.of(State{s});
    if (of_state.empty()) continue;
    out += std::to_string(s) + ":";
    for (const std::uint32_t label : of_state) out += " " + std::to_string(label);
    out += '\n';
  }
  return out;
}

class TraWriter {
 public:
  explicit TraWriter(const Model& model) : model_(model), numbers_(model) {}

  TraTexts write(WorkWatch* watch) {
    for (std::uint32_t s = 0; s < model_.state_count(); ++s) {
      look_at_text(rows_, watch);
      look_at_text(rewards_, watch);
      const State state{s};
      if (model_.is_terminal(state)) {
        const std::string number = std::to_string(s);
        rows_.append(number).append(" 0 ").append(number).append(" 1\n");
        ++choices_;
        ++transitions_;
        continue;
      }
      const std::vector<std::string> labels = labels_of(model_, state);
      std::uint32_t k = 0;
      for (const Choice c : model_.choices(state)) {
        require_one_reward_each(model_, state, c, "a .tra");
        append_choice(std::to_string(s) + " " + std::to_string(k), c, word(labels[k], c));
        ++k;
      }
      choices_ += k;
    }
    if (watch != nullptr) watch->ask(rows_.size() + rewards_.size());
    return finish();
  }

  [[nodiscard]] bool has_changed_names() const { return has_changed_names_; }

 private:
  std::string word(const std::string& label, Choice c) {
    std::string out = as_word(label);
    const bool is_unnamed = label.empty() && !model_.action_name(c).starts_with(kUnlabelled);
    const bool is_module = model_.action_name(c).starts_with("[] ");
    if (out != label || is_unnamed || is_module) has_changed_names_ = true;
    return out;
  }

  void append_choice(const std::string& key, Choice c, const std::string& label) {
    for (const Outcome& o : model_.outcomes(c)) {
      const std::string place = key + " " + std::to_string(index(o.next)) + " ";
      rows_.append(place).append(numbers_.probability(o));
      if (!label.empty()) rows_.append(" ").append(label);
      rows_ += '\n';
      ++transitions_;
      if (model_.rewards().is_zero(o.reward)) continue;
      rewards_.append(place).append(numbers_.reward(o)).append("\n");
      ++reward_count_;
    }
  }

  TraTexts finish() {
    const std::string counts =
        std::to_string(model_.state_count()) + " " + std::to_string(choices_) + " ";
    TraTexts texts;
    texts.transitions = counts + std::to_string(transitions_) + "\n" + rows_;
    texts.transition_rewards = counts + std::to_string(reward_count_) + "\n" + rewards_;
    texts.has_rewards = reward_count_ > 0;
    return texts;
  }

  const Model& model_;
  NumberTexts numbers_;
  std::string rows_;
  std::string rewards_;
  std::uint64_t choices_ = 0;
  std::uint64_t transitions_ = 0;
  std::uint64_t reward_count_ = 0;
  bool has_changed_names_ = false;
};

}  // namespace

TraTexts format_tra_model(const Model& model, std::vector<std::string>& lost, WorkWatch* watch) {
  require_numbers(model, "a .tra");
  lost = settings_lost(model);
  TraWriter writer(model);
  TraTexts texts = writer.write(watch);
  texts.labels = lab_text(model, lost);
  texts.states = sta_text(model);
  if (!texts.states && !names_are_numbers(model)) lost.emplace_back("the names of the states");
  if (writer.has_changed_names())
    lost.emplace_back("the names of choices that are no single words");
  return texts;
}

}  // namespace quantiplan
