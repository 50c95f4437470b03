#include "problem/other_criteria.hpp"

namespace quantiplan {
namespace {

using Kind = Criterion::Kind;

// The policy says the same of itself as that of a quantile.
PolicyClaim claim_of_worst(const FoundQuantile& found) {
  PolicyClaim claim;
  claim.tau = 0;
  claim.side = Side::upper;
  claim.quantile = *found.result.quantile;
  if (found.claims == Claims::bracket && found.result.upper) claim.upper = *found.result.upper;
  if (found.own) claim.set_probability(*found.own);
  return claim;
}

}  // namespace

FoundQuantiles worst_case(QuantileProblem& problem, const CriterionQuestions& asked) {
  Wishes wishes;
  wishes.compare = false;
  FoundQuantiles out = problem.quantiles({{0, Side::upper}}, wishes);
  FoundQuantile& found = out.results.front();
  Result& result = found.result;
  result.optimum =
      CriterionOptimum{asked.criterion, *result.quantile, result.upper.value_or(*result.quantile)};
  if (found.claims != Claims::nothing) found.claim = claim_of_worst(found);
  result.quantile.reset();
  result.upper.reset();
  result.probability.reset();
  result.prefer = Prefer::probability;
  result.mean_bound.reset();
  return out;
}

void refuse_adversary(const Criterion& criterion, const ResolvedSetting& setting) {
  if (!setting.adversarial) return;
  const bool is_maximum = criterion.kind == Kind::cvar || criterion.kind == Kind::mean_cvar ||
                          criterion.kind == Kind::evar || criterion.kind == Kind::mean_variance;
  refuse_criterion(
      criterion,
      is_maximum
          ? "with --adversarial, expected one of them: it is a maximum of linear functions of the "
            "distribution, and the least of a maximum is not found by one pass"
          : "with --adversarial, expected quantile or worst-case: of other criteria nothing is "
            "offered "
            "against an adversary");
}

void refuse_goal(const Criterion& criterion) {
  refuse_criterion(criterion,
                   "with a goal, where a miss is worse than every number and has no mean; expected "
                   "quantile or worst-case, or costs to a goal without a horizon and a discount");
}

void require_plain_criterion(const Criterion& criterion, const ResolvedSetting& setting) {
  refuse_adversary(criterion, setting);
  if (!setting.goal.empty()) refuse_goal(criterion);
}

}  // namespace quantiplan
