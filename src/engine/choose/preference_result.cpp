#include "preference_result.hpp"

namespace quantiplan {
namespace {

Total position(std::uint32_t k) { return Rational(Integer(static_cast<unsigned long>(k) + 1)); }

}  // namespace

Result preference_result(const Question& question, const FoundClass& found, Status status) {
  Result out;
  out.tau = question.tau;
  out.side = question.side;
  out.status = found.ended ? status : Status::solved;
  out.quantile = position(found.position);
  out.upper = position(found.beyond - 1);
  out.certificate = found.beyond - found.position == 1   ? Certificate::exact
                    : found.beyond - found.position == 2 ? Certificate::tie
                                                         : Certificate::bracket;
  out.probability = found.probability;
  return out;
}

Result unknown_class(const Question& question, Status status) {
  Result out;
  out.tau = question.tau;
  out.side = question.side;
  out.status = status;
  return out;
}

std::optional<PolicyClaim> preference_claim(const Result& result, const WealthClasses& classes) {
  if (result.certificate != Certificate::exact) return std::nullopt;
  PolicyClaim claim;
  claim.tau = result.tau;
  claim.side = result.side;
  claim.quantile = *result.quantile;
  claim.level = classes.text(result.quantile->value().get_num().get_ui());
  claim.set_probability(*result.probability);
  return claim;
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

}  // namespace quantiplan
