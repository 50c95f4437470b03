#include "markov/reachable_states.hpp"

#include <algorithm>
#include <limits>

#include "base/state_rules.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr std::uint32_t kUnmet = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void refuse_criterion(const char* criterion, const char* why) {
  throw Error(ErrorCode::refused, criterion, why);
}

void require_defined(const Model& model, const ResolvedSetting& setting, const char* criterion) {
  if (setting.structure || !model.wealth().is_sum())
    refuse_criterion(criterion, "found a wealth that is no sum, expected sums of rewards");
  if (!setting.is_infinite()) return;
  if (setting.discount == 1) {
    refuse_criterion(criterion,
                     "found an infinite horizon without discount, expected a finite horizon or a "
                     "discount below 1: rewards far ahead would count as much as the next one");
  }
  if (!setting.goal.empty()) {
    refuse_criterion(criterion,
                     "found a goal at an infinite horizon, expected a finite horizon: within no "
                     "number of steps need the goal be reached surely");
  }
}

Model as_wealth(const Model& model, bool cost) {
  return cost ? model.with_rewards([](const Rational& r) { return Rational(-r); }) : model;
}

}  // namespace

ReachableStates::ReachableStates(const Model& model,
                                 const ResolvedSetting& setting,
                                 const char* criterion)
    : model_((require_defined(model, setting, criterion), as_wealth(model, setting.cost))),
      setting_(setting) {
  reach();
  look_at_rewards();
}

void ReachableStates::reach() {
  positions_.assign(model_.state_count(), kUnmet);
  const auto meet = [&](State s) {
    if (positions_[index(s)] != kUnmet) return;
    positions_[index(s)] = static_cast<std::uint32_t>(states_.size());
    states_.push_back(s);
    is_end_.push_back(model_.is_terminal(s) || setting_.is_goal(s) ? 1 : 0);
  };
  for (const auto& [state, mu] : setting_.initial) meet(state);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (is_end(i)) continue;
    for (const Choice c : model_.choices(states_[i]))
      for (const Outcome& o : model_.outcomes(c)) meet(o.next);
  }
}

void ReachableStates::look_at_rewards() {
  most_outcomes_ = std::max(most_outcomes_, starts());
  std::vector<char> is_seen(model_.rewards().size(), 0);
  bool has_end = false;
  for (std::size_t i = 0; i < size(); ++i) {
    has_end = has_end || is_end(i);
    if (is_end(i)) continue;
    for (const Choice c : model_.choices(states_[i])) {
      most_outcomes_ = std::max(most_outcomes_, model_.outcomes(c).size());
      outcomes_ += model_.outcomes(c).size();
      for (const Outcome& o : model_.outcomes(c)) {
        if (is_seen[index(o.reward)] != 0) continue;
        is_seen[index(o.reward)] = 1;
        rewards_.push_back(o.reward);
      }
    }
  }
  for (const NumberId id : rewards_) {
    const Rational r = model_.rewards().rational(id);
    const bool is_first = id == rewards_.front() && !has_end;
    least_ = is_first ? r : std::min(least_, r);
    greatest_ = is_first ? r : std::max(greatest_, r);
  }
}

Rational ReachableStates::steps_worth() const {
  const Rational& gamma = setting_.discount;
  Rational for_ever = gamma < 1 ? Rational(1 / (1 - gamma)) : Rational(0);
  if (setting_.is_infinite()) return for_ever;
  const Rational steps(Integer(static_cast<unsigned long>(setting_.horizon)));
  return gamma < 1 ? std::min(steps, for_ever) : steps;
}

Policy ReachableStates::policy(const MarkovDecisions& decisions, Limits& limits) const {
  Policy policy;
  policy.setting = setting_;
  if (setting_.is_infinite()) policy.truncated_at = decisions.size() - 1;
  std::vector<std::size_t> met(starts());
  for (std::size_t i = 0; i < starts(); ++i) met[i] = i;
  for (std::size_t t = 0; t < decisions.size(); ++t) {
    // The rules that hold for ever lead to states that need one of them, too.
    const bool is_for_ever = policy.truncated_at == t;
    if (limits.ended()) refuse_unfinished("policy");
    std::vector<std::size_t> next;
    std::vector<char> is_listed(size(), 0);
    if (is_for_ever)
      for (const std::size_t i : met) is_listed[i] = 1;
    const std::size_t before = policy.rules.size();
    for (std::size_t at = 0; at < met.size(); ++at) {
      const std::size_t i = met[at];
      if (is_end(i)) continue;
      add_state_rule(policy, t, states_[i], decisions[t][i], limits);
      for (const Outcome& o : model_.outcomes(decisions[t][i])) {
        const std::size_t there = position(o.next);
        if (is_listed[there] != 0) continue;
        is_listed[there] = 1;
        (is_for_ever ? met : next).push_back(there);
      }
    }
    std::sort(
        policy.rules.begin() + static_cast<std::ptrdiff_t>(before),
        policy.rules.end(),
        [](const PolicyRule& a, const PolicyRule& b) { return index(a.state) < index(b.state); });
    met = std::move(next);
  }
  return policy;
}

}  // namespace quantiplan
