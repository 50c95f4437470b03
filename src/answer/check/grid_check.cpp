#include "grid_check.hpp"

#include <cmath>

#include "index_reach.hpp"

namespace quantiplan::checking {
namespace {

// The claim is that P(W >= q) is at least this.
std::optional<Rational> claimed_bound(const PolicyClaim& claim) {
  if (claim.exact_probability) return claim.exact_probability;
  if (!std::isfinite(claim.probability)) return std::nullopt;
  return Rational(claim.probability);
}

void confirm_bound(const PolicyClaim& claim,
                   const Reach& reach,
                   const std::string& counted,
                   Findings& findings) {
  const std::optional<Rational> bound = claimed_bound(claim);
  const std::string text = shown(claim.probability);
  if (!bound || *bound > reach.bounds.high) {
    findings.refute("The claimed probability " + text + " is not proved: " + counted + " " +
                    shown_at_most(reach.bounds) + ".");
  } else if (*bound > reach.bounds.low) {
    findings.leave_open("The claimed probability " + text + " is too close to call: " + counted +
                        " " + shown_at_least(reach.bounds) + " and " + shown_at_most(reach.bounds) +
                        ".");
  } else if (claim.exact_probability && to_nearest_double(*bound) < claim.probability) {
    findings.refute("The claimed probability " + text + " is above the exactly claimed one.");
  } else {
    findings.say("The claimed probability " + text + " is no more than that.");
  }
}

}  // namespace

void confirm_by_index(const Model& model,
                      const Policy& policy,
                      const PolicyClaim& claim,
                      const Demand& demand,
                      CheckClock& clock,
                      Findings& findings) {
  auto problem = IndexProblem::make(
      model,
      policy.setting,
      {*policy.grid, Rounding::down, *policy.target, claim.quantile.value(), /*more_than=*/false});
  PolicyChoices choices(policy);
  Reach reach;
  reach.extent = Extent::too_large;
  if (problem) reach = reach_of(*problem, choices, demand, claimed_bound(claim), clock);
  if (reach.extent != Extent::fits) {
    findings.leave_open(reach.extent == Extent::ended
                            ? "The check ended early, before the policy was followed to its end."
                            : "The policy was not followed: too many places can be reached.");
    return;
  }
  findings.say("The policy was followed by its own index: " + std::to_string(reach.places) +
               " places (time, state, index) with the outcome open.");
  if (choices.missing())
    findings.say("It has no rule for " + *choices.missing() + ", which counts as a miss.");
  const std::string counted = "P(W >= " + level_text(claim.quantile.value()) + "), as it counts,";
  if (reach.met == Verdict::yes) {
    findings.say("P(W >= " + level_text(claim.quantile.value()) + ") " + shown_at_least(reach.bounds) +
                 ": it is " + demand.text() + ", as claimed.");
  } else if (reach.met == Verdict::no) {
    findings.refute(counted + " " + shown_at_most(reach.bounds) + ": it is not " + demand.text() +
                    ", as the quantile demands.");
  } else {
    findings.leave_open(counted + " " + shown_at_least(reach.bounds) + " and " +
                        shown_at_most(reach.bounds) + ": whether it is " + demand.text() +
                        " is too close to call.");
  }
  confirm_bound(claim, reach, counted, findings);
}

}  // namespace quantiplan::checking
