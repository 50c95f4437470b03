// The model of blocks of states that behave alike (partition.hpp), one state each.
//
//     choices of B    the distinct choices of its members, under the names that its first member
//                     gives them
//     outcomes        P(B', r), exactly
//
// States from which the question is decided count as ends, whatever is done there: with a goal, those
// that cannot reach it any more; without one, those after which nothing is collected.
#pragma once

#include "quantiplan/options.hpp"
#include "reduce/reduced_model.hpp"

namespace quantiplan {

// Nullopt where nothing is gained: no two states alike, no goal that can be met, more work than the
// sweeps allowed, or the limits ended it. `least_gain`: of the states met, the part that has to go.
std::optional<ReducedModel> quotient_of(const Model& model,
                                        const ResolvedSetting& setting,
                                        double least_gain,
                                        Limits& limits);

}  // namespace quantiplan
