// How much of a model an episode can meet.
#pragma once

#include <cstddef>

#include "quantiplan/model.hpp"

namespace quantiplan {

// States that can be reached from this one under some policy, itself included. Cost: O(outcomes).
std::size_t count_reachable(const Model& model, const InitialStates& initial);

}  // namespace quantiplan
