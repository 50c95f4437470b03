// The keys of a model file, in the order in which messages list them.
#pragma once

#include <array>
#include <string_view>

namespace quantiplan {

enum ModelKey {
  kFormatKey,
  kNameKey,
  kHorizonKey,
  kDiscountKey,
  kInitialKey,
  kGoalKey,
  kStateLabelsKey,
  kRewardsKey,
  kWealthKey,
  kStatesKey,
  kChoicesKey
};
constexpr std::array<std::string_view, 11> kModelKeys{"format",
                                                      "name",
                                                      "horizon",
                                                      "discount",
                                                      "initial",
                                                      "goal",
                                                      "labels",
                                                      "rewards",
                                                      "wealth",
                                                      "states",
                                                      "choices"};
enum ChoiceKey { kStateKey, kActionKey, kRewardKey, kNextKey };
constexpr std::array<std::string_view, 4> kChoiceKeys{"state", "action", "reward", "next"};
enum OutcomeKey { kToKey, kProbabilityKey, kOutcomeRewardKey };
constexpr std::array<std::string_view, 3> kOutcomeKeys{"to", "probability", "reward"};

}  // namespace quantiplan
