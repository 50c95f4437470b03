// Holds a policy that goes by its exact wealth to its claim, over the steps of a finite horizon or
// of a cut.
//
// Probabilities are first outward-rounded intervals; a question they leave open is settled in exact
// rationals. Where there are many places they are not listed one by one, if that can be helped
// (whole_needs.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "check/common/check_case.hpp"
#include "check/common/claim_report.hpp"
#include "check/common/probabilities.hpp"
#include "check/common/rule_coverage.hpp"
#include "check/finite/forward_pass.hpp"
#include "check/finite/prospects.hpp"
#include "check/finite/whole_needs.hpp"

namespace quantiplan::checking {

// Places that are listed one by one before there is another way; without one, any number of them.
inline constexpr std::uint64_t kListedPlaces = 20'000;
inline constexpr std::uint64_t kAnyPlaces = std::numeric_limits<std::uint64_t>::max();

enum class Followed { settled, left_open, too_many };

// Nothing is reported if the probabilities do not settle it and are not the last, or if there are
// more than so many places.
template <class Probabilities, class Course, class Outlook, class SayPlaces>
Followed settle_chance(const CheckCase& task,
                       const Ends& ends,
                       Course& course,
                       const Outlook& outlook,
                       const SayPlaces& say_places,
                       bool at_last,
                       std::uint64_t most_places) {
  const bool asks_level = !task.claim.is_threshold && !task.claim.is_bound;
  const auto tally = ForwardPass<Course, Outlook, Probabilities>(
                         task.model, ends, course, outlook, asks_level, task.limits)
                         .run(most_places);
  if (tally.stopped) return Followed::too_many;
  if (tally.ended || tally.too_large) {
    leave_policy_open(task);
    return Followed::settled;
  }
  ClaimReport report(
      task.claim, Tolerance::of_steps(ends.sums(), ends.most_terms(task.model)), task.findings);
  const Chance chance = tally.chance();
  if (!at_last && !report.is_settled(chance)) return Followed::left_open;
  say_places(tally.places);
  report.report(chance, tally.some_at);
  return Followed::settled;
}

// Needs a policy with a rule wherever it comes. `say_places` is told how many were followed;
// where there are more than `listed`, `settle_many` is asked, and may answer false.
template <class Course, class Outlook, class SayPlaces, class SettleMany>
void confirm_chance(const CheckCase& task,
                    const Ends& ends,
                    Course& course,
                    const Outlook& outlook,
                    const SayPlaces& say_places,
                    std::uint64_t listed,
                    const SettleMany& settle_many) {
  // An exactly claimed probability can only be compared exactly, unless it is certainty.
  const auto& exact = task.claim.exact;
  const bool uncertain = exact && *exact != 1 && *exact != 0;
  const auto in_intervals = [&](std::uint64_t most_places) {
    return settle_chance<IntervalProbabilities>(
        task, ends, course, outlook, say_places, false, most_places);
  };
  if (!uncertain) {
    Followed followed = in_intervals(listed);
    if (followed == Followed::too_many && settle_many()) return;
    if (followed == Followed::too_many) followed = in_intervals(kAnyPlaces);
    if (followed == Followed::settled) return;
  }
  settle_chance<RationalProbabilities>(task, ends, course, outlook, say_places, true, kAnyPlaces);
}

inline bool settle_whole(const CheckCase& task, const Ends& ends, const IntegerLedger& ledger) {
  const auto whole = whole_chance(task, ends, ledger);
  if (!whole) return false;
  task.findings.say("The policy has a rule wherever it comes; the outcome is open at up to " +
                    std::to_string(whole->places) + " places (time, state, wealth).");
  ClaimReport report(
      task.claim, Tolerance::of_steps(ends.sums(), ends.most_terms(task.model)), task.findings);
  report.report(whole->chance, whole->some_at.value_or(false));
  return true;
}

// Of sums. Both ends are the same but for what follows a cut.
template <class Ledger>
void confirm_sums(const CheckCase& task, const Ends& low, const Ends& high, Ledger& ledger) {
  WealthCourse<Ledger> course(task.model, task.policy, ledger);
  const PolicyReach reach(task, low, course);
  const Coverage coverage = coverage_of(task, low, reach, course);
  if (!coverage.report(task.findings)) return;
  const Prospects prospects(task.model, low, high, reach, course, ledger, task.limits);
  const auto say_places = [&](std::uint64_t places) {
    task.findings.say("The policy has a rule wherever it comes; the outcome is open at " +
                      std::to_string(places) + " places (time, state, wealth).");
  };
  constexpr bool kIsWhole = std::is_same_v<Ledger, IntegerLedger>;
  const std::uint64_t listed = kIsWhole && !low.is_cut() ? kListedPlaces : kAnyPlaces;
  confirm_chance(task, low, course, prospects, say_places, listed, [&] {
    if constexpr (kIsWhole) return settle_whole(task, low, ledger);
    return false;
  });
}

}  // namespace quantiplan::checking
