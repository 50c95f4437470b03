// Which policies have a Markov chain that a model checker can be handed.
#pragma once

#include "quantiplan/error.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// One policy of one's own, of sums of rewards; throws Error(refused) for all others.
inline void require_sums_alone(const Policy& policy) {
  const ResolvedSetting& setting = policy.setting;
  const char* why = !policy.mixture.empty() ? "is a coin between several, expected one of them"
                    : !policy.wealths.empty()
                        ? "goes by classes of wealth, expected sums of rewards"
                    : setting.adversarial ? "is an adversary's, expected one's own"
                    : setting.is_infinite() && setting.discount != 1
                        ? "has a discount and an infinite horizon, expected a finite one"
                        : nullptr;
  if (why != nullptr) throw Error(ErrorCode::refused, "policy", why);
}

}  // namespace quantiplan
