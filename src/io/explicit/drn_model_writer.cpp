// Writes Storm's explicit format. A terminal state gets a loop without reward and the label
// "deadlock", as Storm itself would give it.
#include <algorithm>
#include <map>
#include <utility>

#include "base/quoted.hpp"
#include "io/explicit/drn_words.hpp"
#include "io/explicit/explicit_writing.hpp"
#include "io/text/model_formats.hpp"
#include "io/text/watched_text.hpp"
#include "model/choice_names.hpp"

namespace quantiplan {
namespace {

class DrnWriter {
 public:
  DrnWriter(const Model& model, std::vector<std::string>& lost)
      : model_(model), lost_(lost), labels_(model, lost), numbers_(model) {
    choose_structures();
    for (std::uint32_t s = 0; s < model.state_count(); ++s) {
      if (model.is_terminal(State{s})) ++loops_;
      if (has_control_characters(model.state_name(State{s}))) has_names_ = false;
      for (const Choice c : model.choices(State{s})) look_at(c);
    }
  }

  std::string write(WorkWatch* watch) {
    append_header();
    for (std::uint32_t s = 0; s < model_.state_count(); ++s) {
      append_state(State{s});
      look_at_text(out_, watch);
    }
    for (const StateLabel& label : model_.labels()) {
      if (label.states.empty())
        lost_.push_back("the label " + in_quotes(label.name) + ", of no state");
    }
    if (!has_names_) lost_.emplace_back("the names of the states");
    if (has_changed_names_)
      lost_.emplace_back("the names of choices that are numbers or no single words");
    return std::move(out_);
  }

 private:
  // All that give every outcome of a choice the same; the one that counts is checked as it is written.
  void choose_structures() {
    for (std::size_t k = 0; k < model_.kept_rewards(); ++k) {
      const std::size_t at = model_.has_all_rewards() ? k : model_.chosen_reward();
      if (at == model_.chosen_reward() || is_even(at)) {
        structures_.push_back(at);
      } else {
        lost_.push_back("the reward structure " + in_quotes(model_.reward_names()[at]) +
                        ", which depends on the next state");
      }
    }
  }
  [[nodiscard]] bool is_even(std::size_t k) const {
    for (std::uint32_t s = 0; s < model_.state_count(); ++s)
      for (const Choice c : model_.choices(State{s}))
        for (const Outcome& o : model_.outcomes(c))
          if (model_.reward_in(k, o) != model_.reward_in(k, model_.outcomes(c)[0])) return false;
    return true;
  }

  // What the header must say of all choices.
  void look_at(Choice c) {
    if (!model_.action_name(c).starts_with(kUnlabelled)) has_labels_ = true;
    for (const Outcome& o : model_.outcomes(c)) {
      look_at(numbers_.probability(o));
      for (const std::size_t k : structures_) {
        if (!is_zero_in(model_, k, o)) has_rewards_ = true;
        look_at(numbers_.reward(model_, k, o));
      }
    }
  }

  void look_at(const std::string& number) {
    if (number.find('/') != std::string::npos) has_fractions_ = true;
  }

  void append_header() {
    // What has names has structures, even if every reward in them is 0.
    if (!model_.reward_names().empty()) has_rewards_ = true;
    out_ += model_.is_chain() ? "@type: DTMC\n" : "@type: MDP\n";
    out_ += "@value_type: ";
    out_ += has_fractions_ ? "rational" : "double";
    out_ += "\n@parameters\n\n@reward_models\n";
    if (has_rewards_) {
      const char* separator = "";
      const std::vector<std::string> names =
          written_reward_names(model_, model_.has_costs() ? "cost" : "reward");
      for (const std::size_t k : structures_) {
        out_ += separator + names[model_.has_all_rewards() ? k : 0];
        separator = " ";
      }
    }
    out_ += "\n@nr_states\n" + std::to_string(model_.state_count()) + "\n@nr_choices\n" +
            std::to_string(model_.choice_count() + loops_) + "\n@model\n";
  }

  void append_state(State s) {
    const std::string number = std::to_string(index(s));
    out_ += "state " + number;
    append_rewards(nullptr);
    for (const std::uint32_t label : labels_.of(s)) append_label(labels_.names()[label]);
    out_ += '\n';
    if (has_names_ && model_.state_name(s) != number)
      out_.append(kNameComment).append(model_.state_name(s)).append("\n");
    if (model_.is_terminal(s)) {
      append_action("", 0, nullptr);
      out_ += "\t\t" + number + " : 1\n";
      return;
    }
    const std::vector<std::string> labels = labels_of(model_, s);
    std::size_t k = 0;
    for (const Choice c : model_.choices(s)) {
      check_rewards(s, c);
      append_action(word(labels[k], k, c), k, &model_.outcomes(c)[0]);
      append_transitions(c);
      ++k;
    }
  }

  // One for each next state: outcomes that differ in a reward which is not written are one here.
  void append_transitions(Choice c) {
    const auto append = [&](State next, const std::string& probability) {
      out_ += "\t\t" + std::to_string(index(next)) + " : " + probability + "\n";
    };
    const auto outcomes = model_.outcomes(c);
    next_.clear();
    for (const Outcome& o : outcomes) next_.push_back(o.next);
    std::ranges::sort(next_);
    if (std::ranges::adjacent_find(next_) == next_.end()) {
      for (const Outcome& o : outcomes) append(o.next, numbers_.probability(o));
      return;
    }
    std::map<State, Rational> sums;
    for (const Outcome& o : outcomes) sums[o.next] += model_.probability(o);
    for (const Outcome& o : outcomes) {
      const auto sum = sums.find(o.next);
      if (sum == sums.end()) continue;  // is written
      append(o.next, readable_text(sum->second));
      sums.erase(sum);
    }
  }

  void append_label(const std::string& name) {
    const bool is_word = std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    out_ += is_word ? " " + name : " \"" + name + "\"";
  }

  // Those of an outcome, or zeros.
  void append_rewards(const Outcome* o) {
    if (!has_rewards_) return;
    const char* separator = " [";
    for (const std::size_t k : structures_) {
      out_ += std::exchange(separator, ", ");
      out_ += o == nullptr ? std::string("0") : numbers_.reward(model_, k, *o);
    }
    out_ += ']';
  }

  void append_action(const std::string& word, std::size_t k, const Outcome* first) {
    // Without any label, choices are numbered: so Storm does.
    out_ += "\taction ";
    out_ += !word.empty() ? word : has_labels_ ? std::string(kNoLabel) : std::to_string(k);
    append_rewards(first);
    out_ += '\n';
  }

  std::string word(const std::string& label, std::size_t k, Choice c) {
    std::string out = as_word(label);
    if (out != label || model_.action_name(c).starts_with("[] ") || out == kNoLabel ||
        out == std::to_string(k))
      has_changed_names_ = true;
    return out;
  }

  void check_rewards(State s, Choice c) {
    for (const Outcome& o : model_.outcomes(c)) {
      if (has_same_rewards(o, model_.outcomes(c)[0])) continue;
      throw Error(ErrorCode::refused,
                  "",
                  "state " + in_quotes(model_.state_name(s)) + ", choice " +
                      in_quotes(model_.action_name(c)) +
                      ": the reward depends on the next state, which a .drn cannot hold; write a "
                      ".tra or JSON");
    }
  }

  [[nodiscard]] static bool has_same_rewards(const Outcome& a, const Outcome& b) {
    return a.reward == b.reward;
  }

  const Model& model_;
  std::vector<std::string>& lost_;
  WrittenLabels labels_;
  NumberTexts numbers_;
  std::vector<std::size_t> structures_;  // that are written
  std::vector<State> next_;              // of one choice, sorted
  std::size_t loops_ = 0;
  bool has_names_ = true;
  bool has_labels_ = false;
  bool has_rewards_ = false;
  bool has_fractions_ = false;
  bool has_changed_names_ = false;
  std::string out_;
};

}  // namespace

std::string format_drn_model(const Model& model, std::vector<std::string>& lost, WorkWatch* watch) {
  require_numbers(model, "a .drn");
  lost = settings_lost(model);
  return DrnWriter(model, lost).write(watch);
}

}  // namespace quantiplan
