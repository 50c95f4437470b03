// How a policy counts a reward towards its target: as it is, or its negative.
//
// With costs a reward r is wealth -r; an adversary counts the negative of wealth (policy.hpp).
#pragma once

#include "quantiplan/query.hpp"

namespace quantiplan {

// Wealth of a reward of 1.
inline int wealth_sign(const ResolvedSetting& setting) { return setting.cost ? -1 : 1; }

// What the policy counts for a reward of 1.
inline int counted_sign(const ResolvedSetting& setting) {
  return setting.cost == setting.adversarial ? 1 : -1;
}

}  // namespace quantiplan
