// Holds a policy that goes by its exact wealth to its claim, over the steps of a finite horizon or
// of a cut.
//
// Probabilities are first outward-rounded intervals; a question they leave open is settled in exact
// rationals.
#pragma once

#include <string>

#include "check/common/check_case.hpp"
#include "check/common/claim_report.hpp"
#include "check/common/probabilities.hpp"
#include "check/common/rule_coverage.hpp"
#include "check/finite/forward_pass.hpp"
#include "check/finite/prospects.hpp"

namespace quantiplan::checking {

// False, with nothing reported, if the probabilities do not settle it and are not the last.
template <class Probabilities, class Course, class Outlook, class SayPlaces>
bool settle_chance(const CheckCase& task,
                   const Ends& ends,
                   Course& course,
                   const Outlook& outlook,
                   const SayPlaces& say_places,
                   bool at_last) {
  const bool asks_level = !task.claim.is_threshold && !task.claim.is_bound;
  const auto tally = ForwardPass<Course, Outlook, Probabilities>(
                         task.model, ends, course, outlook, asks_level, task.limits)
                         .run();
  if (tally.ended || tally.too_large) {
    leave_policy_open(task);
    return true;
  }
  ClaimReport report(
      task.claim, Tolerance::of_steps(ends.sums(), ends.most_terms(task.model)), task.findings);
  const Chance chance = tally.chance();
  if (!at_last && !report.is_settled(chance)) return false;
  say_places(tally.places);
  report.report(chance, tally.some_at);
  return true;
}

// Needs a policy with a rule wherever it comes. `say_places` is told how many were followed.
template <class Course, class Outlook, class SayPlaces>
void confirm_chance(const CheckCase& task,
                    const Ends& ends,
                    Course& course,
                    const Outlook& outlook,
                    const SayPlaces& say_places) {
  // An exactly claimed probability can only be compared exactly, unless it is certainty.
  const auto& exact = task.claim.exact;
  const bool uncertain = exact && *exact != 1 && *exact != 0;
  if (uncertain ||
      !settle_chance<IntervalProbabilities>(task, ends, course, outlook, say_places, false))
    settle_chance<RationalProbabilities>(task, ends, course, outlook, say_places, true);
}

// Of sums. Both ends are the same but for what follows a cut.
template <class Ledger>
void confirm_sums(const CheckCase& task, const Ends& low, const Ends& high, Ledger& ledger) {
  WealthCourse<Ledger> course(task.model, task.policy, ledger);
  const PolicyReach reach(task, low, course);
  const Coverage coverage = coverage_of(task, low, reach, course);
  if (!coverage.report(task.findings)) return;
  const Prospects prospects(task.model, low, high, reach, course, ledger, task.limits);
  confirm_chance(task, low, course, prospects, [&](std::uint64_t places) {
    task.findings.say("The policy has a rule wherever it comes; the outcome is open at " +
                      std::to_string(places) + " places (time, state, wealth).");
  });
}

}  // namespace quantiplan::checking
