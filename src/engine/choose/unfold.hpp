// Discounted problems with goals, as undiscounted ones: time becomes part of the state.
//
//     (t, s) --p, gamma^t r rounded to a grid of h--> (t+1, s')          t < T
//     (T, s) --P*(s)--> as it is best for the one who maximises, 1 - P*(s) --> the opposite
//
// The bonus of a goal must not be discounted, so the plain engines need the discount in the
// rewards. At the end of an infinite horizon P* is the greatest P(goal), or for an adversary P(no
// goal), from s on; with the sure or least tail it is attained, with the greatest it cannot be
// exceeded. At a finite horizon whoever is not at a goal at T has missed it. Two problems, one
// rounded down throughout and one up, hold the truth between them; h is far below epsilon, so that
// their own engines decide how coarse to be.
#pragma once

#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

Answer solve_unfolded(const Model& model,
                      const ResolvedSetting& setting,
                      const std::vector<Question>& asked,
                      const Options& options);
ThresholdAnswer threshold_unfolded(const Model& model,
                                   const ResolvedSetting& setting,
                                   const std::vector<Total>& targets,
                                   const Options& options);
Distribution evaluate_unfolded(const Model& model, const Policy& policy, const Options& options);

}  // namespace quantiplan
