#include "finite/solve/rough_bracket.hpp"

#include <algorithm>

#include "model/model_facts.hpp"

namespace quantiplan {

PossibleRange::PossibleRange(const Model& model, const ResolvedSetting& setting) {
  Rational steps(static_cast<unsigned long>(setting.horizon));
  if (setting.discount < 1) steps = std::min<Rational>(steps, 1 / (1 - setting.discount));
  const auto [low, high] = reward_range(model);
  least = steps * std::min<Rational>(setting.cost ? Rational(-high) : low, 0);
  greatest = steps * std::max<Rational>(setting.cost ? Rational(-low) : high, 0);
}

Result rough_bracket(const PossibleRange& range, const Question& question, Status status) {
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
