// Bounds that hold before anything is computed, for a call that ends before the model is laid out;
// and beyond which no bracket need reach.
//
//     steps * min(0, least reward) <= W <= steps * max(0, greatest reward)
//     steps = min(T, 1/(1-gamma))
//
// Each step pays between the least and the greatest reward, or nothing once the episode is over.
#pragma once

#include "quantiplan/answer.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// Needs a finite horizon, or a discount. Costs are counted as they are: below 0.
struct PossibleRange {
  PossibleRange(const Model& model, const ResolvedSetting& setting);
  Rational least;
  Rational greatest;
};

// A bracket that every policy achieves; no policy comes with it.
Result rough_bracket(const PossibleRange& range, const Question& question, Status status);

}  // namespace quantiplan
