// Policies that look at nothing but the state, or the state and the time, as the schedulers of the model
// checkers.
#include <algorithm>
#include <optional>

#include "model/choice_names.hpp"
#include "policy/sums_alone.hpp"
#include "quantiplan/model_checkers.hpp"

namespace quantiplan {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

[[noreturn]] void refuse_memory(const Model& model, State s, const char* what) {
  throw Error(ErrorCode::refused,
              "policy",
              "does not do the same in state '" + std::string(model.state_name(s)) + "' whatever " +
                  what + ", so it is no scheduler without memory; write its induced chain instead");
}

// What a rule does whatever the residual; nothing if that matters.
std::optional<Choice> only_choice(const PolicyRule& rule) {
  for (const PolicyRun& run : rule.runs)
    if (run.choice != rule.runs.front().choice) return std::nullopt;
  return rule.runs.empty() ? std::nullopt : std::optional(rule.runs.front().choice);
}

// By state: its choice whatever the time and the residual, kNone where the policy never comes. Nothing
// if one of the two matters.
std::optional<std::vector<std::uint32_t>> choices_by_state(const Model& model,
                                                           const Policy& policy) {
  std::vector<std::uint32_t> chosen(model.state_count(), kNone);
  for (const PolicyRule& rule : policy.rules) {
    const auto choice = only_choice(rule);
    if (!choice) return std::nullopt;
    std::uint32_t& known = chosen[index(rule.state)];
    const auto at = static_cast<std::uint32_t>(index(*choice));
    if (known != kNone && known != at) return std::nullopt;
    known = at;
  }
  return chosen;
}

// The state that a policy first does two things in.
State undecided(const Model& model, const Policy& policy) {
  std::vector<std::uint32_t> chosen(model.state_count(), kNone);
  for (const PolicyRule& rule : policy.rules) {
    for (const PolicyRun& run : rule.runs) {
      std::uint32_t& known = chosen[index(rule.state)];
      const auto at = static_cast<std::uint32_t>(index(run.choice));
      if (known != kNone && known != at) return rule.state;
      known = at;
    }
  }
  return policy.rules.front().state;
}

std::string storm_text(const Model& model, const std::vector<std::uint32_t>& chosen) {
  std::string out = "[";
  std::uint64_t first = 0;
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    const auto choices = model.choices(State{s});
    // Where the policy never comes, the first will do.
    const std::uint64_t k =
        choices.empty() || chosen[s] == kNone ? 0 : chosen[s] - index(choices.front());
    out += s == 0 ? "\n" : ",\n";
    out += "  {\"s\": " + std::to_string(s) + ", \"c\": [{\"index\": " + std::to_string(first + k) +
           ", \"prob\": 1";
    if (!choices.empty()) {
      out += ", \"labels\": [\"";
      for (const char c : model.action_name(choices[k]))
        out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
      out += "\"]";
    }
    out += "}]}";
    first += std::max<std::size_t>(1, choices.size());
  }
  return out + "\n]\n";
}

// "(1,true)" of "(x=1,b=true)"; nothing if the name is none of variables.
std::optional<std::string> values_of(std::string_view name) {
  if (name.size() < 2 || name.front() != '(' || name.back() != ')') return std::nullopt;
  name = name.substr(1, name.size() - 2);
  std::string out = "(";
  for (;;) {
    const std::size_t end = std::min(name.find(','), name.size());
    const std::size_t sign = name.substr(0, end).find('=');
    if (sign == std::string_view::npos) return std::nullopt;
    out += name.substr(sign + 1, end - sign - 1);
    if (end == name.size()) return out + ")";
    out += ",";
    name.remove_prefix(end + 1);
  }
}

// Lines of PRISM: state=choice, or state,time=choice. States are their values where all have some, else
// their numbers; a state without a decision has no line.
class PrismLines {
 public:
  PrismLines(const Model& model, bool are_actions) : model_(model), are_actions_(are_actions) {
    for (std::uint32_t s = 0; s < model.state_count() && are_actions; ++s) {
      auto values = values_of(model.state_name(State{s}));
      if (!values) {
        names_.clear();
        break;
      }
      names_.push_back(*std::move(values));
    }
  }

  void add(State s, const std::string& time, Choice choice) {
    const std::size_t k = index(choice) - index(model_.choices(s).front());
    out_ += (names_.empty() ? std::to_string(index(s)) : names_[index(s)]) + time + "=";
    // A choice without an action has none there, either.
    out_ += (are_actions_ ? labels_of(model_, s)[k] : std::to_string(k)) + "\n";
  }
  std::string take() { return std::move(out_); }

 private:
  const Model& model_;
  bool are_actions_;
  std::vector<std::string> names_;
  std::string out_;
};

std::string prism_text(const Model& model, const Policy& policy, bool are_actions) {
  PrismLines lines(model, are_actions);
  if (const auto chosen = choices_by_state(model, policy)) {
    for (std::uint32_t s = 0; s < model.state_count(); ++s)
      if ((*chosen)[s] != kNone) lines.add(State{s}, "", Choice{(*chosen)[s]});
    return lines.take();
  }
  std::vector<const PolicyRule*> rules;
  for (const PolicyRule& rule : policy.rules) rules.push_back(&rule);
  std::ranges::sort(rules, {}, [](const PolicyRule* r) { return std::pair(r->state, r->time); });
  for (const PolicyRule* rule : rules) {
    const auto choice = only_choice(*rule);
    if (!choice) refuse_memory(model, rule->state, "the residual");
    lines.add(rule->state, "," + std::to_string(rule->time), *choice);
  }
  return lines.take();
}

}  // namespace

std::string scheduler_text(const Model& model, const Policy& policy, SchedulerFormat format) {
  require_sums_alone(policy);
  if (format != SchedulerFormat::storm)
    return prism_text(model, policy, format == SchedulerFormat::prism_actions);
  const auto chosen = choices_by_state(model, policy);
  if (!chosen) refuse_memory(model, undecided(model, policy), "the time and the residual");
  return storm_text(model, *chosen);
}

}  // namespace quantiplan
