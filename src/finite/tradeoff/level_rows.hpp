// Rows of a tradeoff by level: which levels, and what one row says of another.
//
//     thinned   n levels to m, evenly, both ends among them
//     nested    who keeps the promise of a level keeps that of every lower one, so means and bounds
//               never rise with the level: where a search left them so, the better policy of a higher
//               level, or the lesser bound of a lower one, takes the place
//     free      a level whose next promises more for the same mean, and the same bound
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "quantiplan/tradeoff.hpp"

namespace quantiplan {

std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& levels, std::size_t most);

// Ascending levels.
void nest(std::vector<TradeoffPoint>& points);

// Nested; leaves out what is free.
void drop_free(std::vector<TradeoffPoint>& points);

}  // namespace quantiplan
