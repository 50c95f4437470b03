// The totals that some policy can attain, between two levels.
//
//     from the greatest, residual by residual:   y at t, outcome (s', R)   ->   y - R at t + 1
//     y >= 0 where the episode ends:             the total is  greatest - y
//
// The best mean that promises a level changes only there. (The steps of G* are fewer: between two of
// them the promise is kept as well, and may be cheaper.)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "finite/met_levels.hpp"
#include "finite/windows.hpp"

namespace quantiplan {

// Keys of time 0 in a part, ascending; of rounded wealth the greatest key that a total reaches.
// Nullopt if following them one by one takes too long, or the limits ended it.
std::optional<std::vector<std::int64_t>> met_totals(const Stages& stages,
                                                    const Windows& windows,
                                                    const Interval& part,
                                                    const Limits& limits);

}  // namespace quantiplan
