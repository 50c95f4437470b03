// The keys of a policy file, in the order in which messages list them.
#pragma once

#include <array>
#include <string_view>

namespace quantiplan {

enum PolicyKey {
  kPolicyFormatKey,
  kModelKey,
  kPolicyHorizonKey,
  kPolicyDiscountKey,
  kPolicyInitialKey,
  kPolicyGoalKey,
  kPolicyRewardsKey,
  kAdversarialKey,
  kTargetKey,
  kGridKey,
  kTruncatedAtKey,
  kClaimKey,
  kRulesKey
};
constexpr std::array<std::string_view, 13> kPolicyKeys{"format",
                                                       "model",
                                                       "horizon",
                                                       "discount",
                                                       "initial",
                                                       "goal",
                                                       "rewards",
                                                       "adversarial",
                                                       "target",
                                                       "grid",
                                                       "truncated_at",
                                                       "claim",
                                                       "rules"};

enum GridKey { kUnitKey, kHalvedAtKey };
constexpr std::array<std::string_view, 2> kGridKeys{"unit", "halved_at"};

// A claim about a quantile has a tau and a side, one about a threshold has a target.
enum ClaimKey {
  kTauKey,
  kSideKey,
  kQuantileKey,
  kClaimTargetKey,
  kClaimProbabilityKey,
  kExactProbabilityKey,
  kUpperKey,
  kMostProbabilityKey
};
constexpr std::array<std::string_view, 8> kClaimKeys{"tau",
                                                     "side",
                                                     "quantile",
                                                     "target",
                                                     "probability",
                                                     "exact_probability",
                                                     "upper",
                                                     "most_probability"};

enum RuleKey { kTimeKey, kRuleStateKey, kChooseKey };
constexpr std::array<std::string_view, 3> kRuleKeys{"time", "state", "choose"};

// Where wealths are sums, "upto" bounds a residual; else "wealth" names wealths.
enum RunKey { kUptoKey, kRunWealthKey, kRunActionKey };
constexpr std::array<std::string_view, 3> kRunKeys{"upto", "wealth", "action"};

}  // namespace quantiplan
