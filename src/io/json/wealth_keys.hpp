// The keys of "wealth" in a model file, in the order in which messages list them.
#pragma once

#include <array>
#include <string_view>

namespace quantiplan {

enum WealthField {
  kKindKey,
  kComponentsKey,
  kLabelsKey,
  kFirstKey,
  kWeightsKey,
  kStatesOfWealthKey,
  kStartKey,
  kTransitionsKey,
  kClassesKey,
  kTableKey
};
constexpr std::array<std::string_view, 10> kWealthKeys{"kind",
                                                       "components",
                                                       "labels",
                                                       "first",
                                                       "weights",
                                                       "states",
                                                       "start",
                                                       "transitions",
                                                       "classes",
                                                       "table"};
// In place of a label: every label without a transition of its own.
constexpr std::string_view kEveryOtherLabel = "*";

enum ComponentKey { kComponentNameKey, kBetterKey };
constexpr std::array<std::string_view, 2> kComponentKeys{"name", "better"};
enum TransitionKey { kFromKey, kLabelKey, kTransitionToKey };
constexpr std::array<std::string_view, 3> kTransitionKeys{"from", "label", "to"};
enum ClassKey { kClassNameKey, kClassStatesKey };
constexpr std::array<std::string_view, 2> kClassKeys{"name", "states"};

}  // namespace quantiplan
