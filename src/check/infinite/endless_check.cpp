#include "check/infinite/endless_check.hpp"

#include "check/common/claim_report.hpp"
#include "check/common/optimum_report.hpp"
#include "check/infinite/endless_optimum.hpp"
#include "check/infinite/endless_walk.hpp"
#include "check/infinite/reach_bounds.hpp"

namespace quantiplan::checking {
namespace {

std::optional<Bounds> proved(const ReachGraph& chain, CheckLimits& limits) {
  const auto bounds = chain_bounds(chain, limits);
  return bounds ? std::optional<Bounds>(bounds->at(0)) : std::nullopt;
}

std::optional<Bounds> exactly(const ReachGraph& chain, CheckLimits& limits) {
  Effort effort;
  const auto values = exact_values(chain, first_selection(chain), effort, limits);
  return values ? std::optional<Bounds>(Bounds::of(values->front())) : std::nullopt;
}

// "-inf is the optimum": no number is one, however low. What is reached within any number tends to
// what is reached at all; where that alone would do, somebody must lose without bound for it.
void confirm_without_bound(const Model& model,
                           const ResolvedSetting& setting,
                           const CountedClaim& claim,
                           CheckLimits& limits,
                           Findings& findings) {
  OptimumReport report(claim, findings);
  const Demand& demand = claim.beyond_demand;
  const auto limit = greatest_endless_chance(model, setting, claim.beyond, demand, limits);
  if (!limit || demand.met_by(*limit) == Verdict::open) {
    report.leave_out(limits, limit.has_value());
    return;
  }
  if (demand.met_by(*limit) == Verdict::no || limit->low > demand.theta) {
    report.report(*limit);
    return;
  }
  const Rational enough = losses_that_suffice(model);
  const Total last = setting.adversarial ? Total(enough) : Total(Rational(-enough));
  const Event within(setting, last, /*strictly=*/false);
  const auto bounded = greatest_endless_chance(model, setting, within, demand, limits);
  const Verdict met = bounded ? demand.met_by(*bounded) : Verdict::open;
  if (met == Verdict::open) {
    report.leave_out(limits, bounded.has_value());
    return;
  }
  findings.optimality_was_checked();
  const std::string sentence =
      "The greatest P(" + within.text() + ") of any policy " + shown(*bounded) + ": it is ";
  if (met == Verdict::no)
    findings.say(sentence + "not " + demand.text() + ", nor is it within any other number.");
  else
    findings.refute(sentence + demand.text() + ", so the quantile is not the optimum.");
}

}  // namespace

void confirm_endless_policy(const Model& model,
                            const Policy& policy,
                            const CountedClaim& claim,
                            CheckLimits& limits,
                            Findings& findings) {
  const EndlessWalk walk = walk_endlessly(model, policy, claim.own, limits);
  if (walk.fault) {
    findings.refute(*walk.fault);
    return;
  }
  if (walk.obstacle) {
    findings.leave_open(*walk.obstacle);
    return;
  }
  ClaimReport report(claim, Tolerance::of_no_end(), findings);
  std::optional<Chance> chance;
  if (const auto bounds = proved(walk.chain, limits))
    chance = Chance::of(*bounds, walk.some_within, walk.some_outside);
  if (!chance || !report.is_settled(*chance)) {
    if (const auto bounds = exactly(walk.chain, limits))
      chance = Chance::of(*bounds, walk.some_within, walk.some_outside);
  }
  if (!chance) {
    findings.leave_open(limits.ended()
                            ? limits.policy_was_not_followed()
                            : "The policy was not followed: too many places lead to one another.");
    return;
  }
  findings.say("The policy has a rule wherever it comes: " + std::to_string(walk.chain.nodes()) +
               " places (state, wealth).");
  report.report(*chance, walk.some_at);
}

void confirm_endless_optimum(const Model& model,
                             const ResolvedSetting& setting,
                             const CountedClaim& claim,
                             CheckLimits& limits,
                             Findings& findings) {
  if (!claim.is_threshold && claim.beyond.level() == Total::minus_infinity()) {
    confirm_without_bound(model, setting, claim, limits, findings);
    return;
  }
  OptimumReport report(claim, findings);
  const auto greatest =
      greatest_endless_chance(model, setting, claim.beyond, claim.beyond_demand, limits);
  if (!greatest || !report.report(*greatest)) report.leave_out(limits, greatest.has_value());
}

}  // namespace quantiplan::checking
