#include "check/common/rule_book.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace quantiplan::checking {
namespace {

bool before(const PolicyRule& rule, std::uint64_t time, State state) {
  return std::tuple(rule.time, index(rule.state)) < std::tuple(time, index(state));
}

std::string wrong_setting(const Model& model, const ResolvedSetting& setting) {
  for (const State s : setting.initial.states())
    if (index(s) >= model.state_count())
      return "The policy starts in a state the model does not have.";
  if (setting.discount <= 0 || setting.discount > 1)
    return "The policy's discount is " + to_text(setting.discount) + ", it must be in (0, 1].";
  for (const State s : setting.goal)
    if (index(s) >= model.state_count())
      return "A goal of the policy is a state the model does not have.";
  if (std::adjacent_find(setting.goal.begin(), setting.goal.end(), std::greater_equal<>()) !=
      setting.goal.end())
    return "The goals of the policy are out of order or there twice.";
  return {};
}

std::string wrong_truncation(const Policy& policy) {
  if (!policy.truncated_at) return {};
  if (!policy.setting.is_infinite() || policy.setting.discount == 1)
    return "The policy is truncated, which only an infinite horizon with a discount needs.";
  if (*policy.truncated_at == kInfiniteHorizon)
    return "The policy is truncated at a time that is none.";
  return {};
}

bool is_index(const Rational& value) {
  return value.get_den() == 1 && mpz_sizeinbase(value.get_num_mpz_t(), 2) <= 62;
}

std::string wrong_grid(const Policy& policy) {
  if (!policy.grid) return {};
  const PolicyGrid& grid = *policy.grid;
  const auto& times = grid.halved_at;
  const std::uint64_t end = is_stationary(policy) ? 1
                            : policy.truncated_at ? *policy.truncated_at + 1
                                                  : policy.setting.horizon;
  if (grid.unit <= 0)
    return "The unit of the policy's grid is " + to_text(grid.unit) + ", it must be above 0.";
  if (!std::is_sorted(times.begin(), times.end()) ||
      (!times.empty() && (times.front() == 0 || times.back() >= end)))
    return std::string("The times at which the policy's grid is halved must ascend from 1 to ") +
           (policy.truncated_at ? "that of its truncation." : "below the horizon.");
  if (!policy.target) return "The policy has a grid, but no target to count from.";
  if (!is_index(*policy.target / grid.unit))
    return "The policy's target is " + to_text(*policy.target) +
           ", it must be a whole multiple of the grid's unit " + to_text(grid.unit) +
           ", below 2^62 of it.";
  return {};
}

std::string wrong_run(const Model& model,
                      const Policy& policy,
                      const PolicyRule& rule,
                      std::size_t i) {
  const PolicyRun& run = rule.runs[i];
  const std::string place = "At " + describe_place(model, policy, rule.time, rule.state);
  const bool last = i + 1 == rule.runs.size();
  if (last && run.upto) return place + " the last run has a threshold, it must take the rest.";
  if (!last && !run.upto) return place + " a run without threshold stands before the last.";
  if (run.upto && !policy.target)
    return place + " the rule depends on a residual target, but the policy has no target.";
  if (run.upto && policy.grid && !is_index(*run.upto))
    return place + " a threshold is no whole number below 2^62, as a grid needs it.";
  if (i > 0 && run.upto && *run.upto <= *rule.runs[i - 1].upto)
    return place + " the thresholds of the runs do not ascend.";
  return {};
}

}  // namespace

std::string describe_place(const Model& model, std::uint64_t time, State state) {
  return "time " + std::to_string(time) + ", state '" + std::string(model.state_name(state)) + "'";
}

std::string describe_place(const Model& model,
                           const Policy& policy,
                           std::uint64_t time,
                           State state) {
  if (!is_stationary(policy)) return describe_place(model, time, state);
  return "state '" + std::string(model.state_name(state)) + "'";
}

bool is_stationary(const Policy& policy) {
  return policy.setting.is_infinite() && !policy.truncated_at;
}

std::vector<std::string> wrong_rules(const Model& model,
                                     const Policy& policy,
                                     const WrongRun& wrong_run) {
  std::vector<std::string> findings;
  const PolicyRule* previous = nullptr;
  for (const PolicyRule& rule : policy.rules) {
    if (findings.size() >= kMostFindings) break;
    if (index(rule.state) >= model.state_count()) {
      findings.emplace_back("A rule names a state the model does not have.");
      continue;
    }
    const std::string place = describe_place(model, policy, rule.time, rule.state);
    if (previous != nullptr && !before(*previous, rule.time, rule.state))
      findings.push_back("The rule for " + place + " is out of order or there twice.");
    previous = &rule;
    if (is_stationary(policy) && rule.time != 0)
      findings.push_back("The rule for " + describe_place(model, rule.time, rule.state) +
                         " has a time, but the policy is the same at all times.");
    if (rule.runs.empty()) findings.push_back("The rule for " + place + " has no run.");
    for (std::size_t i = 0; i < rule.runs.size(); ++i) {
      const bool is_known = std::ranges::count(model.choices(rule.state), rule.runs[i].choice) > 0;
      std::string wrong =
          is_known ? wrong_run(rule, i)
                   : "At " + place + " the policy takes an action this state does not have.";
      if (wrong.empty()) continue;
      findings.push_back(std::move(wrong));
      break;
    }
  }
  return findings;
}

std::vector<std::string> malformed(const Model& model, const Policy& policy) {
  if (std::string wrong = wrong_setting(model, policy.setting); !wrong.empty())
    return {std::move(wrong)};
  if (std::string wrong = wrong_truncation(policy); !wrong.empty()) return {std::move(wrong)};
  if (std::string wrong = wrong_grid(policy); !wrong.empty()) return {std::move(wrong)};
  return wrong_rules(model, policy, [&](const PolicyRule& rule, std::size_t i) {
    return wrong_run(model, policy, rule, i);
  });
}

const PolicyRule* RuleBook::find(std::uint64_t time, State state) const {
  if (is_stationary(policy_)) time = 0;
  if (policy_.truncated_at) time = std::min(time, *policy_.truncated_at);
  const auto found =
      std::partition_point(policy_.rules.begin(), policy_.rules.end(), [&](const PolicyRule& rule) {
        return before(rule, time, state);
      });
  if (found == policy_.rules.end() || found->time != time || found->state != state) return nullptr;
  return &*found;
}

}  // namespace quantiplan::checking
