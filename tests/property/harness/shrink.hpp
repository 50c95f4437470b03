// From a failing model to a small one that still fails: greedy, one simplification at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "oracles/plain_model.hpp"

namespace quantiplan::testing {

// True if the model is valid and shows the failure (a model that is refused does not).
using Fails = std::function<bool(const PlainModel&)>;

// How large a model looks to a person; every step of the shrinker lowers it.
std::size_t weight(const PlainModel& model);

// Models with one thing dropped or simplified: horizon, discount, goal, costs, states, choices,
// outcomes (the rest renormalised), probabilities, rewards.
std::vector<PlainModel> simpler(const PlainModel& model);

// A model that fails, and of which nothing in simpler() fails.
PlainModel shrink(PlainModel model, const Fails& fails);

}  // namespace quantiplan::testing
