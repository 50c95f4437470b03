#include "check/finite/grid_check.hpp"

#include "check/common/rule_coverage.hpp"
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
  } else if (is_too_low) {
    findings.refute("The claimed probability " + text + " is too low: " + counted + " " +
                    shown_at_least(reach.bounds) + ", and nothing is rounded.");
  } else {
    findings.say("The claimed probability " + text + " is no more than that.");
  }
}

void confirm_demand(const CountedClaim& claim,
                    const Reach& reach,
                    const std::string& counted,
                    Findings& findings) {
  const Demand& demand = claim.demand;
  if (reach.met == Verdict::yes) {
    findings.say("P(" + claim.own.text() + ") " + shown_at_least(reach.bounds) + ": it is " +
                 demand.text() + ", as claimed.");
  } else if (reach.met == Verdict::no) {
    findings.refute(counted + " " + shown_at_most(reach.bounds) + ": it is not " + demand.text() +
                    ", as the quantile demands.");
  } else {
    findings.leave_open(counted + " " + shown_at_least(reach.bounds) + " and " +
                        shown_at_most(reach.bounds) + ": whether it is " + demand.text() +
                        " is too close to call.");
  }
}

bool confirm_rules(const CheckCase& task, const Ends& ends, IndexProblem& problem) {
  IndexCourse course(task.policy, problem);
  const PolicyReach reach(task, ends, course);
  return coverage_of(task, ends, reach, course).report(task.findings);
}

// Nothing is worse than a miss: that much every policy has, whatever its index says.
bool holds_always(const Event& event) {
  return event.numbers() == Event::Numbers::all && event.holds_at_miss() &&
         event.holds_at_minus_infinity() && event.holds_at_plus_infinity();
}

}  // namespace

void confirm_by_index(const CheckCase& task, const Ends& ends) {
  const auto& [model, policy, claim, limits, findings] = task;
  auto problem =
      IndexProblem::make(model, ends, {*policy.grid, Rounding::down, *policy.target}, limits);
  if (!problem) {
    leave_policy_open(task);
    return;
  }
  if (!confirm_rules(task, ends, *problem)) return;
  const std::string counted = "P(" + claim.own.text() + "), as it counts,";
  if (!claim.is_threshold && holds_always(claim.own)) {
    Reach sure;
    sure.bounds = Bounds::of(1);
    sure.met = Verdict::yes;
    findings.say("The policy has a rule wherever it comes.");
    confirm_demand(claim, sure, counted, findings);
    confirm_bound(claim, sure, /*is_whole=*/true, counted, findings);
    return;
  }
  IndexCourse course(policy, *problem);
  const Reach reach = reach_of(*problem, course, claim, limits);
  if (reach.extent != Extent::fits) {
    leave_policy_open(task);
    return;
  }
  findings.say("The policy has a rule wherever it comes; by its own index the outcome is open at " +
               std::to_string(reach.places) + " places (time, state, index).");
  if (claim.is_threshold)
    findings.say("P(" + claim.own.text() + ") " + shown_at_least(reach.bounds) + ".");
  else
    confirm_demand(claim, reach, counted, findings);
  const bool is_whole = !problem->is_rounded() && !ends.is_cut();
  confirm_bound(claim, reach, is_whole, counted, findings);
}

}  // namespace quantiplan::checking
