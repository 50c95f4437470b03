// A small model with a wealth structure, which the tests can take apart, shrink and show.
#pragma once

#include <string>

#include "oracles/plain_model.hpp"
#include "quantiplan/wealth.hpp"

namespace quantiplan::testing {

struct PreferenceModel {
  // No discount, no goal, no costs. Rewards are numbers, or positions in wealth.labels (-1: none)
  // or wealth.vectors.
  PlainModel plain;
  Wealth wealth;
};

// False where the rewards are none of this structure.
bool makes_sense(const PreferenceModel& preference);

// As build() of plain models, through the builder.
Model build(const PreferenceModel& preference);

// The other way round. The model must have a horizon and an initial state.
PreferenceModel take_preference_apart(const Model& model);

// In the native format, written without the library's writer.
std::string json_text(const PreferenceModel& preference);

}  // namespace quantiplan::testing
