#include "rule_book.hpp"

#include <tuple>

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostFindings = 10;

bool before(const PolicyRule& rule, std::uint64_t time, State state) {
  return std::tuple(rule.time, index(rule.state)) < std::tuple(time, index(state));
}

std::string wrong_setting(const Model& model, const ResolvedSetting& setting) {
  if (index(setting.initial) >= model.state_count())
    return "The policy starts in a state the model does not have.";
  if (setting.discount <= 0 || setting.discount > 1)
    return "The policy's discount is " + to_text(setting.discount) + ", it must be in (0, 1].";
  return {};
}

std::string wrong_run(const Model& model,
                      const Policy& policy,
                      const PolicyRule& rule,
                      std::size_t i) {
  const PolicyRun& run = rule.runs[i];
  const std::string place = "At " + describe_place(model, rule.time, rule.state);
  bool known = false;
  for (const Choice c : model.choices(rule.state)) known = known || c == run.choice;
  if (!known) return place + " the policy takes an action this state does not have.";
  const bool last = i + 1 == rule.runs.size();
  if (last && run.upto) return place + " the last run has a threshold, it must take the rest.";
  if (!last && !run.upto) return place + " a run without threshold stands before the last.";
  if (run.upto && !policy.target)
    return place + " the rule depends on a residual target, but the policy has no target.";
  if (i > 0 && run.upto && *run.upto <= *rule.runs[i - 1].upto)
    return place + " the thresholds of the runs do not ascend.";
  return {};
}

}  // namespace

std::string describe_place(const Model& model, std::uint64_t time, State state) {
  return "time " + std::to_string(time) + ", state '" + std::string(model.state_name(state)) + "'";
}

std::vector<std::string> malformed(const Model& model, const Policy& policy) {
  std::vector<std::string> findings;
  if (std::string wrong = wrong_setting(model, policy.setting); !wrong.empty())
    return {std::move(wrong)};
  const PolicyRule* previous = nullptr;
  for (const PolicyRule& rule : policy.rules) {
    if (findings.size() >= kMostFindings) break;
    if (index(rule.state) >= model.state_count()) {
      findings.emplace_back("A rule names a state the model does not have.");
      continue;
    }
    if (previous != nullptr && !before(*previous, rule.time, rule.state))
      findings.push_back("The rule for " + describe_place(model, rule.time, rule.state) +
                         " is out of order or there twice.");
    previous = &rule;
    if (rule.runs.empty())
      findings.push_back("The rule for " + describe_place(model, rule.time, rule.state) +
                         " has no run.");
    for (std::size_t i = 0; i < rule.runs.size(); ++i) {
      std::string wrong = wrong_run(model, policy, rule, i);
      if (wrong.empty()) continue;
      findings.push_back(std::move(wrong));
      break;
    }
  }
  return findings;
}

const PolicyRule* RuleBook::find(std::uint64_t time, State state) const {
  const auto found =
      std::partition_point(policy_.rules.begin(), policy_.rules.end(), [&](const PolicyRule& rule) {
        return before(rule, time, state);
      });
  if (found == policy_.rules.end() || found->time != time || found->state != state) return nullptr;
  return &*found;
}

}  // namespace quantiplan::checking
