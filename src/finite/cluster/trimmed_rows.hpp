// The ends of functions given to constants (DenseLayer::trim), where functions are cut by levels.
//
//     first = #{v >= 1 - drop},   last = #{v >= drop}      counted by each rank in its part, and added
//
// Values do not increase, so counts say where the ends are; the values there come from their owners.
#pragma once

#include <vector>

#include "finite/pass/dense_layer.hpp"
#include "finite/pass/pass.hpp"
#include "finite/segments.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {

// Changes `spans`, the same on all ranks; `own`: this rank's parts of the functions on them. False if
// it is over.
bool trim_rows(RankGroup& group,
               const std::vector<Interval>& slabs,
               const PassInput<double>& input,
               const DenseLayer& own,
               std::vector<Span<double>>& spans,
               const RankGroup::IsOver& is_over);

}  // namespace quantiplan
