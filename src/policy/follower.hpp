// What a policy goes by, from step to step: an index, a residual, or nothing at all.
//
// For finite horizons, and for discounted policies without end, whose last rules hold from their
// time on. Stationary policies without discount have StationaryRules.
#pragma once

#include <cstdint>
#include <optional>

#include "policy/index_policy.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// The time whose rules hold at a time.
inline std::uint64_t rule_time(const Policy& policy, std::uint64_t time) {
  if (!policy.setting.is_infinite()) return time;
  return policy.truncated_at ? std::min(time, *policy.truncated_at) : 0;
}

class Follower {
 public:
  // Both must outlive it.
  Follower(const Model& model, const Policy& policy);

  void start();
  // Throws Error(bad_policy) where the policy has no rule.
  [[nodiscard]] Choice choose(std::uint64_t time, State state);
  void collect(std::uint64_t time, const Outcome& outcome);

 private:
  const Model& model_;
  const Policy& policy_;
  std::optional<IndexPolicy> by_index_;
  std::uint64_t counts_until_ = 0;  // rules of this time and later do not look at the residual
  std::int64_t index_ = 0;
  Rational residual_;
};

}  // namespace quantiplan
