#include "grid_check.hpp"

#include "index_reach.hpp"

namespace quantiplan::checking {
namespace {

void confirm_bound(const CountedClaim& claim,
                   const Reach& reach,
                   const std::string& counted,
                   Findings& findings) {
  const std::string& text = claim.text;
  if (!claim.is_reached_by(reach.bounds.high)) {
    findings.refute("The claimed probability " + text + " is not proved: " + counted + " " +
                    shown_at_most(reach.bounds) + ".");
  } else if (!claim.is_reached_by(reach.bounds.low)) {
    findings.leave_open("The claimed probability " + text + " is too close to call: " + counted +
                        " " + shown_at_least(reach.bounds) + " and " + shown_at_most(reach.bounds) +
                        ".");
  } else if (claim.exact && to_nearest_double(*claim.exact) + claim.rounding < claim.nearest) {
    findings.refute("The claimed probability " + text + " is above the exactly claimed one.");
  } else {
    findings.say("The claimed probability " + text + " is no more than that.");
  }
}

void confirm_demand(const Demand& demand,
                    const Reach& reach,
                    const std::string& event,
                    const std::string& counted,
                    Findings& findings) {
  if (reach.met == Verdict::yes) {
    findings.say("P(" + event + ") " + shown_at_least(reach.bounds) + ": it is " + demand.text() +
                 ", as claimed.");
  } else if (reach.met == Verdict::no) {
    findings.refute(counted + " " + shown_at_most(reach.bounds) + ": it is not " + demand.text() +
                    ", as the quantile demands.");
  } else {
    findings.leave_open(counted + " " + shown_at_least(reach.bounds) + " and " +
                        shown_at_most(reach.bounds) + ": whether it is " + demand.text() +
                        " is too close to call.");
  }
}

}  // namespace

void confirm_by_index(const Model& model,
                      const Policy& policy,
                      const CountedClaim& claim,
                      const Ends& ends,
                      CheckClock& clock,
                      Findings& findings) {
  auto problem = IndexProblem::make(model, ends, {*policy.grid, Rounding::down, *policy.target});
  PolicyChoices choices(policy);
  Reach reach;
  reach.extent = Extent::too_large;
  if (problem) reach = reach_of(*problem, choices, claim, clock);
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
  const std::string event = claim.own.text();
  const std::string counted = "P(" + event + "), as it counts,";
  if (claim.is_threshold)
    findings.say("P(" + event + ") " + shown_at_least(reach.bounds) + ".");
  else
    confirm_demand(claim.demand, reach, event, counted, findings);
  confirm_bound(claim, reach, counted, findings);
}

}  // namespace quantiplan::checking
