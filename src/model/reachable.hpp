// How much of a model an episode can meet.
#pragma once

#include <cstddef>
#include <vector>

#include "quantiplan/model.hpp"

namespace quantiplan {

// States that can be reached from these under some policy, themselves included. Cost: O(outcomes).
std::size_t count_reachable(const Model& model, std::vector<State> initial);

}  // namespace quantiplan
