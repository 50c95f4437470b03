#include "check/common/rule_coverage.hpp"

namespace quantiplan::checking {
namespace {

// A state without a rule to which the last rules lead; rules that name several choices are followed
// only if `all_choices` are to be.
std::optional<State> uncovered(const CheckCase& task,
                               std::uint64_t cut,
                               std::vector<State> open,
                               bool all_choices) {
  const auto& [model, policy, claim, limits, findings] = task;
  const RuleBook rules(policy);
  std::vector<bool> met(model.state_count(), false);
  for (const State s : open) met[index(s)] = true;
  while (!open.empty()) {
    limits.require();
    const State s = open.back();
    open.pop_back();
    if (model.is_terminal(s) || policy.setting.is_goal(s)) continue;
    const PolicyRule* rule = rules.find(cut, s);
    if (rule == nullptr) return s;
    const bool is_one = std::ranges::all_of(
        rule->runs, [&](const PolicyRun& run) { return run.choice == rule->runs.front().choice; });
    if (!is_one && !all_choices) continue;
    for (const PolicyRun& run : rule->runs) {
      for (const Outcome& o : model.outcomes(run.choice)) {
        if (met[index(o.next)]) continue;
        met[index(o.next)] = true;
        open.push_back(o.next);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Coverage coverage_after_cut(const CheckCase& task,
                            std::uint64_t cut,
                            const std::vector<State>& states) {
  const auto maybe = uncovered(task, cut, states, /*all_choices=*/true);
  if (!maybe) return {};
  const auto surely = uncovered(task, cut, states, /*all_choices=*/false);
  const std::string where = "state '" +
                            std::string(task.model.state_name(surely.value_or(*maybe))) +
                            "' after " + std::to_string(cut) + " steps";
  if (surely) return {.fault = "The policy reaches " + where + " and has no rule for it."};
  return {.doubt = "The policy may reach " + where + " and has no rule for it."};
}

}  // namespace quantiplan::checking
