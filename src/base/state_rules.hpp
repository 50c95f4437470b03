// The rules of a policy of (time, state): one choice each, whatever the wealth. There may be as many as states
// times steps, so each is counted before it is taken.
#pragma once

#include <cstdint>

#include "base/limits.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

inline void add_state_rule(
    Policy& policy, std::uint64_t time, State state, Choice choice, Limits& limits) {
  // With what the allocator and a growing list take besides.
  constexpr std::uint64_t kBytes = 2 * sizeof(PolicyRule) + sizeof(PolicyRun) + 24;
  if (!limits.would_fit(kBytes)) {  // the refusal is to name the whole
    limits.give_back(kBytes * policy.rules.size());
    limits.take(kBytes * (policy.rules.size() + 1), "the policy's table, as far as it is,");
  }
  limits.take(kBytes, "the policy's table");
  policy.rules.push_back({time, state, {{std::nullopt, choice}}});
}

}  // namespace quantiplan
