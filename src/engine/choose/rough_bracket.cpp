#include "rough_bracket.hpp"

#include <algorithm>

#include "instance.hpp"

namespace quantiplan {

Result rough_bracket(const Model& model,
                     const ResolvedSetting& setting,
                     const Question& question,
                     Status status) {
  Rational steps(static_cast<unsigned long>(setting.horizon));
  if (setting.discount < 1) steps = std::min<Rational>(steps, 1 / (1 - setting.discount));
  const auto [least, greatest] = reward_range(model);
  Result result;
  result.tau = question.tau;
  result.side = question.side;
  result.status = status;
  result.certificate = Certificate::bracket;
  result.quantile = Rational(steps * std::min<Rational>(least, 0));
  result.upper = Rational(steps * std::max<Rational>(greatest, 0));
  result.probability = Value::exactly(1);
  return result;
}

}  // namespace quantiplan
