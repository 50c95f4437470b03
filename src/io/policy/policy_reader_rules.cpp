// The rules of a policy file: do they fit the model and each other?
#include <algorithm>
#include <numeric>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "io/policy/policy_reader.hpp"
#include "model/setting_range.hpp"
#include "model/shown.hpp"

namespace quantiplan {

std::string PolicyReader::where(std::optional<std::uint64_t> time, std::string_view state) const {
  return (time ? "time " + std::to_string(*time) + ", " : std::string()) + "state " +
         in_quotes(state) + ": ";
}

std::string PolicyReader::where(const PolicyRule& rule) const {
  return where(is_stationary() ? std::nullopt : std::optional(rule.time),
               model_.state_name(rule.state));
}

void PolicyReader::begin_run() {
  watch_.before_push(rule_.runs);
  rule_.runs.emplace_back().line = line();
}

void PolicyReader::finish_rule() {
  watch_.before_push(rule_times_);
  rule_times_.push_back({first_line(), has("time")});
  if (rule_.is_damaged) return;
  if (auto rule = settled(rule_)) {
    watch_.before_push(policy_.rules);
    watch_.before_push(rule_lines_);
    policy_.rules.push_back(*std::move(rule));
    rule_lines_.push_back(first_line());
  }
}

// The rule with its names resolved; reports what does not fit the model or is out of order.
std::optional<PolicyRule> PolicyReader::settled(const RuleDraft& draft) {
  const std::string place = where(draft.time, *draft.state);
  const auto state = model_.find_state(*draft.state);
  if (!state) {
    problem(first_line(),
            place + "unknown state, must be a state of the model" +
                suggest_state(model_, *draft.state));
    return std::nullopt;
  }
  PolicyRule rule{draft.time.value_or(0), *state, {}};
  watch_.ask_if_large(draft.runs.size() * sizeof(PolicyRun));
  rule.runs.reserve(draft.runs.size());
  if (draft.runs.empty()) problem(first_line(), place + "'choose' is empty, must name an action");
  for (std::size_t i = 0; i < draft.runs.size(); ++i) {
    const RunDraft& run = draft.runs[i];
    watch_.step(2);
    const auto choice = model_.find_choice(*state, run.action);
    if (!choice) {
      NearestName nearest(run.action);
      for (const Choice c : model_.choices(*state)) nearest.offer(model_.action_name(c));
      problem(run.line,
              place + "unknown action " + in_quotes(run.action) +
                  ", must be an action of the state" + nearest.suggestion());
    }
    rule.runs.push_back({run.upto, choice.value_or(Choice{}), run.wealths});
  }
  if (is_sum()) {
    check_upto(draft, place);
  } else {
    check_wealths(draft, place);
  }
  return rule;
}

void PolicyReader::check_upto(const RuleDraft& draft, const std::string& place) {
  for (std::size_t i = 0; i < draft.runs.size(); ++i) {
    const RunDraft& run = draft.runs[i];
    const bool is_last = i + 1 == draft.runs.size();
    if (is_last && run.upto)
      problem(run.line, place + "the last action has an 'upto', must have none");
    if (!is_last && !run.upto)
      problem(run.line, place + "an action has no 'upto', only the last may have none");
    if (i > 0 && run.upto && draft.runs[i - 1].upto && *run.upto <= *draft.runs[i - 1].upto) {
      problem(run.line,
              place + "'upto' is " + shown(*run.upto) + " after " + shown(*draft.runs[i - 1].upto) +
                  ", must ascend");
    }
  }
}

void PolicyReader::check_setting() {
  if (!is_sum()) check_wealth_setting();
  if (is_sum() && is_stationary() && policy_.setting.discount != 1) {
    problem(line_of("discount"),
            "discount: found " + shown(policy_.setting.discount) +
                ", must be 1 where the horizon is 'infinite' and there is no 'truncated_at'");
  }
  if (!policy_.truncated_at) return;
  if (!policy_.setting.is_infinite())
    problem(line_of("truncated_at"), "truncated_at: the horizon must be 'infinite' then");
  if (policy_.setting.discount == 1)
    problem(line_of("truncated_at"), "truncated_at: the discount must be below 1 then");
  if (*policy_.truncated_at > kMostHorizon) {
    problem(line_of("truncated_at"),
            "truncated_at: found " + std::to_string(*policy_.truncated_at) + ", must be at most " +
                std::to_string(kMostHorizon));
  }
}

// A stationary policy knows no time, every other goes by it.
void PolicyReader::check_times() {
  for (const RuleTime& rule : rule_times_) {
    if (rule.is_given && is_stationary()) {
      problem(rule.line,
              "key 'time' in a rule, must be left out where the horizon is 'infinite' and there is "
              "no 'truncated_at'");
    } else if (!rule.is_given && !is_stationary()) {
      problem(rule.line, "missing key 'time' in a rule");
    }
  }
}

void PolicyReader::check_rules() {
  // Twice the order, as sorting has a buffer, and the rules in that order.
  watch_.ask_if_large(policy_.rules.size() * (2 * sizeof(std::size_t) + sizeof(PolicyRule)));
  std::vector<std::size_t> order(policy_.rules.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [this](std::size_t i) {
    return std::pair(policy_.rules[i].time, policy_.rules[i].state);
  };
  std::stable_sort(
      order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<PolicyRule> sorted;
  sorted.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PolicyRule& rule = policy_.rules[order[i]];
    const std::string place = where(rule);
    if (i > 0 && key(order[i - 1]) == key(order[i])) {
      problem(rule_lines_[order[i]],
              place + "a second rule, first on line " + std::to_string(rule_lines_[order[i - 1]]) +
                  "; must have one");
    }
    if (is_sum() && rule.runs.size() > 1 && !policy_.target) {
      problem(rule_lines_[order[i]],
              place + "'upto' without a 'target' in the policy, must have one to compare with");
    }
    if (policy_.truncated_at && rule.time > *policy_.truncated_at) {
      problem(rule_lines_[order[i]],
              place + "the time must be at most 'truncated_at', " +
                  std::to_string(*policy_.truncated_at));
    } else if (rule.time >= policy_.setting.horizon) {
      problem(
          rule_lines_[order[i]],
          place + "the time must be below the horizon " + std::to_string(policy_.setting.horizon));
    }
  }
  if (policy_.grid) check_grid();
  for (const std::size_t i : order) sorted.push_back(std::move(policy_.rules[i]));
  policy_.rules = std::move(sorted);
}

}  // namespace quantiplan
