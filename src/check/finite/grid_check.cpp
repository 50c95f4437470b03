#include "check/finite/grid_check.hpp"

#include "check/common/rule_coverage.hpp"
#include "check/finite/index_course.hpp"
#include "check/finite/index_reach.hpp"

namespace quantiplan::checking {
namespace {

// `is_whole`: the index counts all that is collected, so its probability is the policy's; and so
// must be one that is claimed exactly.
void confirm_bound(const CountedClaim& claim,
                   const Reach& reach,
                   bool is_whole,
                   const std::string& counted,
                   Findings& findings) {
  const std::string& text = claim.text;
  const bool is_too_low =
      is_whole && claim.is_nearest && claim.exact && *claim.exact < reach.bounds.low;
  if (!claim.is_reached_by(reach.bounds.high)) {
    findings.refute("The claimed probability " + text + " is not proved: " + counted + " " +
                    shown_at_most(reach.bounds) + ".");
  } else if (!claim.is_reached_by(reach.bounds.low)) {
    findings.leave_open("The claimed probability " + text + " is too close to call: " + counted +
                        " " + shown_at_least(reach.bounds) + " and " + shown_at_most(reach.bounds) +
                        ".");
  } else if (claim.exact && to_nearest_double(*claim.exact) + claim.rounding < claim.nearest) {
    findings.refute("The claimed probability " + text + " is above the exactly claimed one.");
  } else if (is_too_low) {
    findings.refute("The claimed probability " + text + " is too low: " + counted + " " +
                    shown_at_least(reach.bounds) + ", and nothing is rounded.");
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

// False if the policy cannot be run to the end, or that is left open.
bool confirm_rules(const Model& model,
                   const Policy& policy,
                   const Ends& ends,
                   IndexProblem& problem,
                   CheckLimits& limits,
                   Findings& findings) {
  IndexCourse course(policy, problem);
  const PolicyReach reach(model, ends, course, limits);
  const Coverage coverage = coverage_of(model, policy, ends, reach, course, limits);
  if (coverage.fault) findings.refute(*coverage.fault);
  if (coverage.doubt) findings.leave_open(*coverage.doubt);
  return findings.passed();
}

// Nothing is worse than a miss: that much every policy has, whatever its index says.
bool holds_always(const Event& event) {
  return event.numbers() == Event::Numbers::all && event.holds_at_miss() &&
         event.holds_at_minus_infinity() && event.holds_at_plus_infinity();
}

}  // namespace

void confirm_by_index(const Model& model,
                      const Policy& policy,
                      const CountedClaim& claim,
                      const Ends& ends,
                      CheckLimits& limits,
                      Findings& findings) {
  auto problem =
      IndexProblem::make(model, ends, {*policy.grid, Rounding::down, *policy.target}, limits);
  if (!problem) {
    findings.leave_open("The policy was not followed: too many places can be reached.");
    return;
  }
  if (!confirm_rules(model, policy, ends, *problem, limits, findings)) return;
  const std::string event = claim.own.text();
  const std::string counted = "P(" + event + "), as it counts,";
  if (!claim.is_threshold && holds_always(claim.own)) {
    Reach sure;
    sure.bounds = Bounds::of(1);
    sure.met = Verdict::yes;
    findings.say("The policy has a rule wherever it comes.");
    confirm_demand(claim.demand, sure, event, counted, findings);
    confirm_bound(claim, sure, /*is_whole=*/true, counted, findings);
    return;
  }
  PolicyChoices choices(policy);
  const Reach reach = reach_of(*problem, choices, claim, limits);
  if (reach.extent != Extent::fits) {
    findings.leave_open(reach.extent == Extent::ended
                            ? limits.policy_was_not_followed()
                            : "The policy was not followed: too many places can be reached.");
    return;
  }
  findings.say("The policy has a rule wherever it comes; by its own index the outcome is open at " +
               std::to_string(reach.places) + " places (time, state, index).");
  if (claim.is_threshold)
    findings.say("P(" + event + ") " + shown_at_least(reach.bounds) + ".");
  else
    confirm_demand(claim.demand, reach, event, counted, findings);
  const bool is_whole = !problem->is_rounded() && !ends.is_cut();
  confirm_bound(claim, reach, is_whole, counted, findings);
}

}  // namespace quantiplan::checking
