// Writes a model as one module of the PRISM language: a command for each choice.
//
//     [a] x=1&b -> 1/3 : (x'=2) + 2/3 : (b'=false);
//
// States that are valuations get their variables back, others become the values of one variable.
// A reward that depends on the next state takes an item with a target, which Storm reads, and PRISM
// does not.
#include <algorithm>
#include <limits>

#include "base/quoted.hpp"
#include "io/explicit/explicit_writing.hpp"
#include "io/prism/language/condition.hpp"
#include "io/prism/language/prism_lexer.hpp"
#include "io/text/model_formats.hpp"
#include "io/text/watched_text.hpp"
#include "model/choice_names.hpp"
#include "model/reachable.hpp"

namespace quantiplan {
namespace {

// A name as an identifier that is not reserved.
std::string as_identifier(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    const bool is_fine =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!is_fine) c = '_';
  }
  if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out.insert(0, "_");
  if (prism::is_reserved(out)) out += '_';
  return out;
}

// A whole number beyond 64 bits is a number to the language only if it has a point.
std::string as_literal(const std::string& number) {
  constexpr std::size_t kSurelyFits = 18;
  std::string out;
  std::size_t digits = 0;
  bool has_point = false;
  const auto close = [&] {
    if (digits > kSurelyFits && !has_point) out += ".0";
    digits = 0;
    has_point = false;
  };
  for (const char c : number) {
    if (c == '/') close();
    if (c == '.' || c == 'e' || c == 'E') has_point = true;
    if (c >= '0' && c <= '9') ++digits;
    out += c;
  }
  close();
  return out;
}

// The states as values of variables.
class Valuations {
 public:
  explicit Valuations(const Model& model) : count_(model.state_count()) {
    are_names_ = count_ > 0 && take_names(model);
    if (are_names_) return;
    names_ = {"s"};
    is_truth_ = {false};
    values_.clear();
    for (std::size_t s = 0; s < count_; ++s) values_.push_back(std::to_string(s));
  }

  [[nodiscard]] bool are_names() const { return are_names_; }

  // "x : [0..3] init 1;" for each variable; without init where none is given.
  [[nodiscard]] std::string declarations(std::optional<State> initial) const {
    std::string out;
    for (std::size_t v = 0; v < names_.size(); ++v) {
      out += "  " + names_[v] + " : " + type(v);
      if (initial) out.append(" init ").append(value(*initial, v));
      out += ";\n";
    }
    return out;
  }
  // "x=1&!b".
  [[nodiscard]] std::string condition(State s) const {
    std::string out;
    for (std::size_t v = 0; v < names_.size(); ++v) {
      if (v > 0) out += '&';
      if (is_truth_[v]) {
        out.append(value(s, v) == "true" ? "" : "!").append(names_[v]);
      } else {
        out.append(names_[v]).append("=").append(value(s, v));
      }
    }
    return out;
  }
  // "(x'=2)&(b'=true)" of what changes, or "true".
  [[nodiscard]] std::string update(State from, State to) const {
    std::string out;
    for (std::size_t v = 0; v < names_.size(); ++v) {
      if (value(from, v) == value(to, v)) continue;
      out.append(out.empty() ? "(" : "&(").append(names_[v]).append("'=");
      out.append(value(to, v)).append(")");
    }
    return out.empty() ? "true" : out;
  }

 private:
  [[nodiscard]] const std::string& value(State s, std::size_t v) const {
    return values_[index(s) * names_.size() + v];
  }

  bool take_names(const Model& model) {
    for (std::uint32_t s = 0; s < model.state_count(); ++s) {
      const std::string_view name = model.state_name(State{s});
      const auto variables = variables_of_name(name);
      if (variables.empty() || (s > 0 && variables.size() != names_.size())) return false;
      std::string again;
      for (std::size_t v = 0; v < variables.size(); ++v) {
        const bool is_truth = variables[v].value == "true" || variables[v].value == "false";
        if (s == 0) {
          names_.emplace_back(variables[v].name);
          is_truth_.push_back(is_truth);
          if (prism::is_reserved(names_[v]) ||
              std::count(names_.begin(), names_.end(), names_[v]) > 1)
            return false;
        }
        if (variables[v].name != names_[v] || is_truth != is_truth_[v]) return false;
        values_.emplace_back(variables[v].value);
        again += (v == 0 ? "(" : ",") + names_[v] + "=" + values_.back();
      }
      // Only what is read back as the same name.
      if (again + ")" != name) return false;
    }
    return true;
  }

  [[nodiscard]] std::string type(std::size_t v) const {
    if (is_truth_[v]) return "bool";
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    for (std::size_t s = 0; s < count_; ++s) {
      const std::int64_t x = std::stoll(values_[s * names_.size() + v]);
      low = std::min(low, x);
      high = std::max(high, x);
    }
    return "[" + std::to_string(low) + ".." + std::to_string(high) + "]";
  }

  std::size_t count_;
  std::vector<std::string> names_;
  std::vector<bool> is_truth_;
  std::vector<std::string> values_;  // by state, then by variable
  bool are_names_ = false;
};

class PrismWriter {
 public:
  PrismWriter(const Model& model, std::vector<std::string>& lost)
      : model_(model),
        lost_(lost),
        numbers_(model, [](const Rational& r) { return as_literal(readable_text(r)); }),
        valuations_(model),
        structures_(model.kept_rewards()),
        rewards_(structures_) {}

  std::string write(WorkWatch* watch) {
    for (std::uint32_t s = 0; s < model_.state_count(); ++s) {
      append_state(State{s});
      look_at_text(commands_, watch);
    }
    if (watch != nullptr) watch->ask(4 * commands_.size());
    if (model_.initial() && !model_.initial()->is_certain()) {
      throw Error(ErrorCode::refused,
                  "initial",
                  "found " + std::to_string(model_.initial()->size()) +
                      " initial states with their probabilities, expected one: a program cannot "
                      "draw where it begins");
    }
    std::vector<State> initial = written_initial(model_);
    if (initial.empty()) {
      lost_.emplace_back("that there is no initial state");
      initial.push_back(State{0});
    }
    note_unreachable(initial);
    const bool is_one = initial.size() == 1;
    std::string out = model_.is_chain() ? "dtmc\n" : "mdp\n";
    out += "\nmodule model\n" +
           valuations_.declarations(is_one ? std::optional(initial[0]) : std::nullopt) + "\n" +
           commands_ + "endmodule\n";
    if (!is_one) out += "\ninit\n  " + any_of(initial) + "\nendinit\n";
    append_reward_structures(out);
    append_labels(out);
    if (!valuations_.are_names()) lost_.emplace_back("the names of the states");
    if (has_changed_names_) lost_.emplace_back("the names of choices that are no identifiers");
    return out;
  }

 private:
  // What two choices must share if they are to share their label.
  [[nodiscard]] std::string rewards_of(Choice c) const {
    std::string out;
    bool are_even = true;
    for (std::size_t k = 0; k < structures_; ++k) {
      const bool even = is_even(k, c);
      are_even = are_even && even;
      for (const Outcome& o : model_.outcomes(c)) {
        out += std::to_string(index(model_.reward_in(k, o))) + ",";
        if (even) break;
      }
    }
    return are_even ? out : out + "?";
  }
  // The same reward on every outcome.
  [[nodiscard]] bool is_even(std::size_t k, Choice c) const {
    const auto outcomes = model_.outcomes(c);
    return std::ranges::all_of(outcomes, [&](const Outcome& o) {
      return model_.reward_in(k, o) == model_.reward_in(k, outcomes[0]);
    });
  }

  // An identifier, or nothing, for each choice of a state; the same for two only if rewards allow.
  std::vector<std::string> actions_of(State s) {
    std::vector<std::string> actions = labels_of(model_, s);
    std::vector<std::string> rewards;
    for (std::size_t k = 0; k < actions.size(); ++k) {
      const Choice c = model_.choices(s)[k];
      if (!actions[k].empty()) {
        const std::string given = std::exchange(actions[k], as_identifier(actions[k]));
        has_changed_names_ = has_changed_names_ || given != actions[k];
      } else if (model_.action_name(c).starts_with("[] ")) {
        has_changed_names_ = true;
      }
      rewards.push_back(rewards_of(c));
      const auto clashes = [&] {
        for (std::size_t i = 0; i < k; ++i) {
          if (actions[i] == actions[k] && (rewards[i] != rewards[k] || rewards[k].back() == '?'))
            return true;
        }
        return false;
      };
      const std::string base = actions[k].empty() ? "choice" : actions[k];
      for (std::size_t i = 2; clashes(); ++i) {
        actions[k] = base + "_" + std::to_string(i);
        has_changed_names_ = true;
      }
    }
    return actions;
  }

  void append_state(State s) {
    if (model_.is_terminal(s)) return;
    const std::string condition = valuations_.condition(s);
    const std::vector<std::string> actions = actions_of(s);
    std::vector<std::string> rewarded;
    for (std::size_t k = 0; k < actions.size(); ++k) {
      const Choice c = model_.choices(s)[k];
      append_command(s, c, "[" + actions[k] + "] " + condition);
      // Choices that share an action share its reward, which is said once.
      if (std::ranges::find(rewarded, actions[k]) != rewarded.end()) continue;
      rewarded.push_back(actions[k]);
      for (std::size_t r = 0; r < structures_; ++r)
        append_rewards(r, c, "[" + actions[k] + "] " + condition);
    }
  }

  void append_command(State s, Choice c, const std::string& head) {
    commands_ += "  " + head + " -> ";
    require_one_reward_each(model_, s, c, "a PRISM program");
    const char* separator = "";
    for (const Outcome& o : model_.outcomes(c)) {
      commands_ += separator + numbers_.probability(o) + " : " + valuations_.update(s, o.next);
      separator = " + ";
    }
    commands_ += ";\n";
  }

  void append_rewards(std::size_t k, Choice c, const std::string& head) {
    const bool even = is_even(k, c);
    for (const Outcome& o : model_.outcomes(c)) {
      if (!is_zero_in(model_, k, o)) {
        rewards_[k] += "  " + head;
        if (!even) rewards_[k] += " -> " + valuations_.condition(o.next);
        rewards_[k] += " : " + numbers_.reward(model_, k, o) + ";\n";
      }
      if (even) return;
    }
  }

  // Under their names; one without a name where all rewards are 0 is none.
  void append_reward_structures(std::string& out) {
    std::vector<std::string> used;
    for (std::size_t k = 0; k < structures_; ++k) {
      const std::size_t at = model_.has_all_rewards() ? k : model_.chosen_reward();
      const bool has_name = at < model_.reward_names().size() && !model_.reward_names()[at].empty();
      if (rewards_[k].empty() && model_.reward_names().empty()) continue;
      out += "\nrewards";
      if (has_name) {
        std::string word = as_identifier(model_.reward_names()[at]);
        while (std::ranges::find(used, word) != used.end()) word += '_';
        out += " \"" + word + "\"";
        used.push_back(std::move(word));
      }
      // Storm wants one item at least.
      out += "\n" + (rewards_[k].empty() ? "  true : 0;\n" : rewards_[k]) + "endrewards\n";
    }
  }

  // "(x=1) | (x=2)".
  [[nodiscard]] std::string any_of(const std::vector<State>& states) const {
    std::string out;
    for (std::size_t i = 0; i < states.size(); ++i)
      out += (i == 0 ? "" : " | ") + ("(" + valuations_.condition(states[i]) + ")");
    return out.empty() ? "false" : out;
  }

  void append_labels(std::string& out) {
    std::vector<std::string> used{"init", "deadlock"};
    const auto append = [&](const std::string& name, const std::vector<State>& states) {
      const std::string word = as_identifier(name);
      if (word != name || std::ranges::find(used, word) != used.end()) {
        lost_.push_back("the label " + in_quotes(name));
        return;
      }
      used.push_back(word);
      out += "\nlabel \"" + word + "\" = " + any_of(states) + ";\n";
    };
    for (const StateLabel& label : model_.labels()) append(label.name, label.states);
    if (model_.goal().empty()) return;
    const StateLabel* same_name = model_.find_label("goal");
    if (same_name == nullptr) append("goal", model_.goal());
    const bool is_kept = same_name == nullptr || same_name->states == model_.goal();
    lost_.emplace_back(is_kept ? "that the label 'goal' is the goal" : "the goal");
  }

  // Who reads the program finds what can be reached, and nothing else.
  void note_unreachable(const std::vector<State>& initial) {
    if (const std::size_t left = model_.state_count() - count_reachable(model_, initial); left > 0)
      lost_.push_back(std::to_string(left) + (left == 1 ? " state that cannot be reached"
                                                        : " states that cannot be reached"));
  }

  const Model& model_;
  std::vector<std::string>& lost_;
  NumberTexts numbers_;
  Valuations valuations_;
  std::size_t structures_;
  std::string commands_;
  std::vector<std::string> rewards_;  // by structure
  bool has_changed_names_ = false;
};

}  // namespace

std::string format_prism_model(const Model& model,
                               std::vector<std::string>& lost,
                               WorkWatch* watch) {
  require_numbers(model, "a PRISM program");
  lost = settings_lost(model);
  return PrismWriter(model, lost).write(watch);
}

}  // namespace quantiplan
