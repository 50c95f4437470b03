// Bounds that hold before anything is computed, for a call that ends before the model is laid out;
// and beyond which no bracket need reach.
//
//     steps * min(0, least reward) <= W <= steps * max(0, greatest reward)
//     steps = min(T, 1/(1-gamma))
//
// Each step pays between the least and the greatest reward, or nothing once the episode is over.
#pragma once

#include <algorithm>

#include "model/model_facts.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// Needs a finite horizon, or a discount. Costs are counted as they are: below 0.
struct PossibleRange {
  PossibleRange(const Model& model, const ResolvedSetting& setting);
  Rational least;
  Rational greatest;
};

inline PossibleRange::PossibleRange(const Model& model, const ResolvedSetting& setting) {
  Rational steps(static_cast<unsigned long>(setting.horizon));
  if (setting.discount < 1) steps = std::min<Rational>(steps, 1 / (1 - setting.discount));
  const auto [low, high] = reward_range(model);
  least = steps * std::min<Rational>(setting.cost ? Rational(-high) : low, 0);
  greatest = steps * std::max<Rational>(setting.cost ? Rational(-low) : high, 0);
}

// A bracket that every policy achieves; no policy comes with it.
inline Result rough_bracket(const PossibleRange& range, const Question& question, Status status) {
  Result result;
  result.tau = question.tau;
  result.side = question.side;
  result.status = status;
  result.certificate = Certificate::bracket;
  result.quantile = range.least;
  result.upper = range.greatest;
  result.probability = Value::exactly(1);
  return result;
}

}  // namespace quantiplan
