// What the result of a pass depends on, in 64 bits.
#pragma once

#include <cstdint>

#include "finite/pass/pass.hpp"

namespace quantiplan {

// Of stages, windows, needs, filter and what is asked for; of the model only what these show, since
// the folder is that of one model. Limits and threads are no part of it. Cost: O(T (states + choices)).
std::uint64_t pass_digest(const PassInput<double>& input);

}  // namespace quantiplan
