// A model whose states have twins, with their choices shuffled and their outcomes spread over twins.
#pragma once

#include "harness/random_model.hpp"
#include "oracles/plain_model.hpp"

namespace quantiplan::testing {

// State i has the twin n + i.
PlainModel with_twins(Dice& dice, const PlainModel& plain);

}  // namespace quantiplan::testing
