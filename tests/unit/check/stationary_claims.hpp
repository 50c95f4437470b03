// Policies that are the same at all times, and claims about them.
#pragma once

#include <optional>
#include <vector>

#include "check/check_models.hpp"

namespace quantiplan::checking {

inline PolicyClaim claim_of(const char* tau, Side side, const Total& quantile, const Rational& p) {
  return {number(tau), side, quantile, to_nearest_double(p), p};
}

inline Policy one_rule(const Model& model,
                       const char* state,
                       const std::vector<NamedRun>& runs,
                       std::optional<Rational> target = std::nullopt,
                       const Setting& setting = {}) {
  Policy policy = empty_policy(model, std::move(target), setting);
  add_rule(policy, model, 0, state, runs);
  return policy;
}

}  // namespace quantiplan::checking
