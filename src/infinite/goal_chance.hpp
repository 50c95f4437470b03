// The greatest chance of what the one who maximises wants of a goal, from every state on.
//
//     P*(s) = max P(goal is reached from s), or for an adversary max P(it is never reached)
#pragma once

#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// By state, between two bounds, with choices that attain the lower one.
struct GoalChance {
  std::vector<Rational> low;
  std::vector<Rational> high;
  std::vector<Choice> choice;
};

// Nullopt if the limits ended it.
std::optional<GoalChance> goal_chance(const Model& model,
                                      const ResolvedSetting& setting,
                                      Limits& limits);

}  // namespace quantiplan
