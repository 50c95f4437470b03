#include "classes/class_results.hpp"

#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

Total position(std::uint32_t k) { return Rational(Integer(static_cast<unsigned long>(k) + 1)); }

}  // namespace

FoundQuantile class_found(const Question& question, const FoundClass& found, Status status) {
  FoundQuantile out{unknown_class(question, found.ended ? status : Status::solved)};
  Result& result = out.result;
  result.quantile = position(found.position);
  result.upper = position(found.beyond - 1);
  result.certificate = found.beyond - found.position == 1   ? Certificate::exact
                       : found.beyond - found.position == 2 ? Certificate::tie
                                                            : Certificate::bracket;
  result.probability = found.probability;
  out.own = found.probability;
  if (result.certificate == Certificate::exact) out.claims = Claims::optimum;
  return out;
}

FrontierQuantile class_quantile(const Result& result) {
  return {result.tau, result.side, result.certificate, *result.quantile, *result.upper};
}

Result unknown_class(const Question& question, Status status) {
  Result out;
  out.tau = question.tau;
  out.side = question.side;
  out.status = status;
  return out;
}

std::vector<FrontierStep> class_steps(const std::vector<Value>& chances, double relative_error) {
  std::vector<FrontierStep> steps;
  for (std::uint32_t k = 0; k < chances.size(); ++k) {
    const Value& here = chances[k];
    if (here.nearest <= 0 && !(here.exact && *here.exact > 0)) break;
    if (k + 1 < chances.size()) {
      const Value& next = chances[k + 1];
      const bool same = here.exact && next.exact
                            ? *here.exact == *next.exact
                            : next.nearest >= here.nearest * (1 - 2 * relative_error);
      if (same) continue;
    }
    steps.push_back({position(k), here});
  }
  return steps;
}

void refuse_class_targets() {
  throw Error(ErrorCode::refused,
              "threshold",
              "targets are sums of rewards; expected frontier, which shows the greatest "
              "probability of every class of this wealth");
}

void refuse_class_expectation() {
  throw Error(ErrorCode::refused,
              "expectation policy",
              "expected a finite horizon, and a wealth that is a number: this one has no "
              "expectation");
}

}  // namespace quantiplan
