// Whether the graph alone says how probable it is that the goal is reached, without bound: 0 or 1.
//
//     max P(goal)     0   no way leads to a goal
//                     1   s0 is in the largest set X with: by choices that stay in X or at a goal, every
//                         state of X can reach a goal
//     min P(goal)     0   s0 is in the largest set Z of states without a goal with: some choice of each
//                         stays in Z, or it has none
//                     1   no way leads to Z
//
// A few walks through the model, to be made before its states are compared. Source: [dA]. Memory: 4 bytes an
// outcome, 17 a state, 8 a choice.
#pragma once

#include <optional>

#include "base/limits.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// The least for an adversary, else the greatest. Nullopt: it lies between, or it takes more walks than are
// worth it, or the limits ended it. Needs a goal.
std::optional<bool> sure_arrival(const Model& model,
                                 const ResolvedSetting& setting,
                                 Limits& limits);

}  // namespace quantiplan
