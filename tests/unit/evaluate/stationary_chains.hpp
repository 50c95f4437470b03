// Stationary policies for tests, and their distributions.
#pragma once

#include <string>
#include <vector>

#include "evaluate/infinite/undiscounted.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::testing {

// Goal states by name.
inline ResolvedSetting infinite_setting(const Model& model,
                                        const std::vector<std::string>& goal = {}) {
  ResolvedSetting setting;
  setting.horizon = kInfiniteHorizon;
  setting.initial = model.initial()->only();
  for (const std::string& name : goal) setting.goal.push_back(*model.find_state(name));
  return setting;
}

// The first choice everywhere.
inline Policy first_choices(const Model& model, const std::vector<std::string>& goal = {}) {
  Policy policy;
  policy.setting = infinite_setting(model, goal);
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    if (!model.is_terminal(State{s}))
      policy.rules.push_back({0, State{s}, {{std::nullopt, model.choices(State{s}).front()}}});
  }
  return policy;
}

inline Distribution infinite(const Model& model,
                             const Policy& policy,
                             Arithmetic arithmetic = Arithmetic::automatic) {
  Options options;
  options.arithmetic = arithmetic;
  Limits limits(options);
  return undiscounted_distribution(model, policy, options, limits).value();
}

}  // namespace quantiplan::testing
