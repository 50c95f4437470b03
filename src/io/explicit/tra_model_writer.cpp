// Writes PRISM's explicit files. A terminal state gets a loop without reward and the label
// "deadlock", as PRISM itself would give it.

#include "base/quoted.hpp"
#include "io/explicit/decimal_texts.hpp"
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

// A label a line is one word of Storm's variant.
std::string storm_lab_text(const Model& model, std::vector<std::string>& lost) {
  const WrittenLabels labels(model, lost);
  std::string out = "#DECLARATION\n";
  std::vector<std::string> words;
  for (const std::string& name : labels.names()) {
    words.push_back(as_word(name));
    if (words.back() != name) lost.push_back("the blanks of the label " + in_quotes(name));
    out += (words.size() == 1 ? "" : " ") + words.back();
  }
  out += "\n#END\n";
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    const auto of_state = labels.of(State{s});
    if (of_state.empty()) continue;
    out += std::to_string(s);
    for (const std::uint32_t label : of_state) out += " " + words[label];
    out += '\n';
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
  TraWriter(const Model& model, TraStyle style)
      : model_(model),
        style_(style),
        numbers_(model,
                 [&](const Rational& r) {
                   return style == TraStyle::prism ? readable_text(r) : decimals_.text(r);
                 }),
        rewards_(style == TraStyle::storm ? 1 : model.kept_rewards()) {}

  TraTexts write(WorkWatch* watch) {
    for (std::uint32_t s = 0; s < model_.state_count(); ++s) {
      look_at_text(rows_, watch);
      const State state{s};
      const std::string number = std::to_string(s);
      if (model_.is_terminal(state)) {
        rows_.append(number).append(choice_text(0)).append(" ").append(number).append(" 1\n");
        ++choices_;
        ++transitions_;
        continue;
      }
      const std::vector<std::string> labels = labels_of(model_, state);
      std::uint32_t k = 0;
      for (const Choice c : model_.choices(state)) {
        require_one_reward_each(model_, state, c, "a .tra");
        append_choice(number + choice_text(k), c, word(labels[k], c));
        ++k;
      }
      choices_ += k;
    }
    if (watch != nullptr) watch->ask(rows_.size());
    return finish();
  }

  [[nodiscard]] bool has_changed_names() const { return has_changed_names_; }
  [[nodiscard]] const DecimalTexts& decimals() const { return decimals_; }

 private:
  struct Rewards {
    std::string rows;
    std::uint64_t count = 0;
  };

  // A chain's rows have none.
  [[nodiscard]] std::string choice_text(std::uint32_t k) const {
    return model_.is_chain() ? "" : " " + std::to_string(k);
  }

  std::string word(const std::string& label, Choice c) {
    std::string out = style_ == TraStyle::storm ? "" : as_word(label);
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
      for (std::size_t k = 0; k < rewards_.size(); ++k) {
        const std::size_t structure = rewards_.size() == 1 ? model_.chosen_reward() : k;
        if (is_zero_in(model_, structure, o)) continue;
        rewards_[k].rows.append(place).append(numbers_.reward(model_, structure, o)).append("\n");
        ++rewards_[k].count;
      }
    }
  }

  TraTexts finish() {
    const std::string counts = std::to_string(model_.state_count()) + " " +
                               (model_.is_chain() ? "" : std::to_string(choices_) + " ");
    const auto head = [&](std::uint64_t rows) {
      if (style_ == TraStyle::storm) return std::string();
      return counts + std::to_string(rows) + "\n";
    };
    TraTexts texts;
    if (style_ == TraStyle::storm) texts.transitions = model_.is_chain() ? "dtmc\n" : "mdp\n";
    texts.transitions += head(transitions_) + rows_;
    texts.no_rewards = head(0);
    const bool has_names = style_ != TraStyle::storm && !model_.reward_names().empty();
    if (!has_names && rewards_.size() == 1 && rewards_[0].count == 0) return texts;
    const std::vector<std::string> names = written_reward_names(model_, "reward");
    for (std::size_t k = 0; k < rewards_.size(); ++k) {
      std::string& text = texts.transition_rewards.emplace_back();
      if (has_names) text = "# Reward structure \"" + names[k] + "\"\n";
      text += head(rewards_[k].count) + rewards_[k].rows;
    }
    return texts;
  }

  const Model& model_;
  TraStyle style_;
  DecimalTexts decimals_;
  NumberTexts numbers_;
  std::string rows_;
  std::vector<Rewards> rewards_;  // by structure
  std::uint64_t choices_ = 0;
  std::uint64_t transitions_ = 0;
  bool has_changed_names_ = false;
};

}  // namespace

TraTexts format_tra_model(const Model& model,
                          std::vector<std::string>& lost,
                          WorkWatch* watch,
                          TraStyle style) {
  require_numbers(model, "a .tra");
  lost = settings_lost(model);
  TraWriter writer(model, style);
  TraTexts texts = writer.write(watch);
  if (style == TraStyle::storm) {
    texts.labels = storm_lab_text(model, lost);
    if (model.has_all_rewards()) lost.push_back(other_rewards_lost(model));
    if (!model.reward_names().empty()) lost.emplace_back("the name of the reward structure");
  } else {
    texts.labels = lab_text(model, lost);
    texts.states = sta_text(model);
  }
  if (!texts.states && !names_are_numbers(model)) lost.emplace_back("the names of the states");
  if (writer.has_changed_names())
    lost.emplace_back(style == TraStyle::storm ? "the names of choices"
                                               : "the names of choices that are no single words");
  if (const std::string rounded = writer.decimals().rounded(); !rounded.empty())
    lost.push_back(rounded);
  return texts;
}

}  // namespace quantiplan
