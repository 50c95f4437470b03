#include "policy/sum_follower.hpp"

#include <algorithm>
#include <limits>

#include "policy/counted_sign.hpp"
#include "policy/residual_rules.hpp"

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

std::shared_ptr<const IndexPolicy> shared_index(const Model& model, const Policy& policy) {
  auto made = IndexPolicy::make(model, policy);
  return made ? std::make_shared<const IndexPolicy>(*std::move(made)) : nullptr;
}

}  // namespace

SumFollower::SumFollower(const Model& model, const Policy& policy)
    : model_(model),
      policy_(policy),
      by_index_(shared_index(model, policy)),
      counts_until_(count_until(policy)) {}

void SumFollower::start() {
  if (by_index_) {
    place_ = by_index_->first();
  } else {
    residual_ = first_residual(policy_);
  }
}

Choice SumFollower::choose(std::uint64_t time, State state) {
  return by_index_ ? by_index_->choose(rule_time(policy_, time), state, place_)
                   : choose_by_residual(model_, policy_, time, state, residual_);
}

void SumFollower::collect(std::uint64_t time, const Outcome& outcome) {
  if (time + 1 >= counts_until_) return;
  if (by_index_) {
    by_index_->collect(outcome.reward, place_);
  } else if (policy_.grid) {
    residual_ = next_residual(policy_, time, residual_, model_.reward(outcome));
  } else {
    residual_ -= counted_sign(policy_.setting) * model_.reward(outcome);
    residual_ /= policy_.setting.discount;
  }
}

std::optional<Rational> SumFollower::residual(std::uint64_t time) const {
  if (time >= counts_until_) return std::nullopt;
  return by_index_ ? Rational(Integer(place_.index)) : residual_;
}

}  // namespace quantiplan
