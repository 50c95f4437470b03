#include "policy/follower.hpp"

#include <algorithm>
#include <limits>

#include "policy/counted_sign.hpp"

namespace quantiplan {
namespace {

// The first time from which no rule looks at the residual.
std::uint64_t count_until(const Policy& policy) {
  std::uint64_t until = 0;
  for (const PolicyRule& rule : policy.rules) {
    if (rule.runs.empty() || !rule.runs.front().upto) continue;
    until = std::max(until, rule.time + 1);
    const bool holds_on =
        policy.setting.is_infinite() && (!policy.truncated_at || rule.time == *policy.truncated_at);
    if (holds_on) return std::numeric_limits<std::uint64_t>::max();
  }
  return until;
}

}  // namespace

Follower::Follower(const Model& model, const Policy& policy)
    : model_(model),
      policy_(policy),
      by_index_(IndexPolicy::make(model, policy)),
      counts_until_(count_until(policy)) {}

void Follower::start() {
  if (by_index_) {
    index_ = by_index_->first();
  } else {
    residual_ = policy_.first_residual();
  }
}

Choice Follower::choose(std::uint64_t time, State state) {
  const std::uint64_t rule = rule_time(policy_, time);
  return by_index_ ? by_index_->choose(rule, state, index_)
                   : policy_.choose(model_, rule, state, residual_);
}

void Follower::collect(std::uint64_t time, const Outcome& outcome) {
  if (time + 1 >= counts_until_) return;
  if (by_index_) {
    index_ = by_index_->next(index_, outcome.reward);
  } else if (policy_.grid) {
    residual_ = policy_.next_residual(time, residual_, model_.reward(outcome));
  } else {
    residual_ -= counted_sign(policy_.setting) * model_.reward(outcome);
    residual_ /= policy_.setting.discount;
  }
}

}  // namespace quantiplan
