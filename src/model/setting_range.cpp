#include "model/setting_range.hpp"

#include "model/shown.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

std::string wrong_horizon(std::uint64_t steps) {
  if ((steps >= 1 && steps <= kMostHorizon) || steps == kInfiniteHorizon) return "";
  return "found " + std::to_string(steps) + ", must be from 1 to " + std::to_string(kMostHorizon) +
         ", or infinite";
}

std::string wrong_finite_horizon(std::uint64_t steps) {
  if (steps >= 1 && steps <= kMostHorizon) return "";
  return "found " + std::to_string(steps) + ", must be from 1 to " + std::to_string(kMostHorizon);
}

std::string wrong_discount(const Rational& gamma) {
  if (sgn(gamma) > 0 && cmp(gamma, 1) <= 0) return "";
  return "found " + shown(gamma) + ", must be above 0 and at most 1";
}

std::string wrong_initial_sum(const Rational& sum) {
  return sum == 1 ? "" : "probabilities sum to " + shown(sum) + ", must be 1";
}

std::string normalised_sum(const Rational& sum) {
  return "probabilities sum to " + shown(sum) + ", normalised to 1";
}

}  // namespace quantiplan
