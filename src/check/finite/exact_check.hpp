// Holds a policy that carries a residual to its claim, by its exact wealth over the steps of a
// finite horizon or of a cut; and the greatest probability of any policy.
//
// Probabilities are first outward-rounded intervals; a question they leave open is settled in exact
// rationals.
#pragma once

#include <optional>
#include <string>

#include "check/common/check_limits.hpp"
#include "check/common/claim_report.hpp"
#include "check/common/probabilities.hpp"
#include "check/common/rule_coverage.hpp"
#include "check/finite/optimality.hpp"
#include "check/finite/policy_tally.hpp"

namespace quantiplan::checking {

template <class Ledger>
class ExactCheck {
 public:
  // Both ends are the same but for what follows a cut.
  ExactCheck(const Model& model,
             const Policy& policy,
             const CountedClaim& claim,
             const Ends& low,
             const Ends& high,
             Ledger& ledger,
             CheckLimits& limits,
             Findings& findings)
      : model_(model),
        policy_(policy),
        claim_(claim),
        low_(low),
        high_(high),
        ledger_(ledger),
        limits_(limits),
        findings_(findings) {}

  void run() {
    WealthCourse<Ledger> course(policy_, ledger_);
    const PolicyReach reach(model_, low_, course, limits_);
    const Coverage coverage = coverage_of(model_, policy_, low_, reach, course, limits_);
    if (coverage.fault) findings_.refute(*coverage.fault);
    if (coverage.doubt) findings_.leave_open(*coverage.doubt);
    if (!findings_.passed()) return;
    const PolicyProspects<Ledger> prospects(model_, low_, high_, reach, course, ledger_, limits_);
    // An exactly claimed probability can only be compared exactly, unless it is certainty.
    const bool uncertain = claim_.exact && *claim_.exact != 1 && *claim_.exact != 0;
    if (uncertain || !confirm<IntervalProbabilities>(prospects, /*at_last=*/false))
      confirm<RationalProbabilities>(prospects, /*at_last=*/true);
  }

 private:
  // False, with nothing reported, if intervals do not settle it.
  template <class Probabilities>
  bool confirm(const PolicyProspects<Ledger>& prospects, bool at_last) {
    const bool asks_level = !claim_.is_threshold && !claim_.is_bound;
    const auto tally = ForwardPass<Ledger, Probabilities>(
                           model_, policy_, low_, high_, prospects, asks_level, ledger_, limits_)
                           .run();
    if (tally.ended || tally.too_large) {
      findings_.leave_open(tally.ended
                               ? limits_.policy_was_not_followed()
                               : "The policy was not followed: too many places can be reached.");
      return true;
    }
    ClaimReport report(
        claim_, Tolerance::of_steps(low_.horizon(), model_.most_outcomes()), findings_);
    const Chance chance = tally.chance();
    if (!at_last && !report.is_settled(chance)) return false;
    findings_.say("The policy has a rule wherever it comes; the outcome is open at " +
                  std::to_string(tally.places) + " places (time, state, wealth).");
    report.report(chance, tally.some_at);
    return true;
  }

  const Model& model_;
  const Policy& policy_;
  const CountedClaim& claim_;
  const Ends& low_;
  const Ends& high_;
  Ledger& ledger_;
  CheckLimits& limits_;
  Findings& findings_;
};

// Bounds of the greatest probability of the ends' event, sharp enough to say whether it meets a
// demand, or exact. Nullopt if there are too many places, or time is up.
template <class Ledger, class IsSettled>
std::optional<Bounds> greatest_chance(const Model& model,
                                      const Ends& ends,
                                      Ledger& ledger,
                                      CheckLimits& limits,
                                      const IsSettled& is_settled) {
  Optimality<Ledger> optimality(model, ends, ledger, limits);
  if (!optimality.expand()) return std::nullopt;
  const auto rough = optimality.best(IntervalProbabilities(model));
  if (rough && is_settled(Bounds::of(*rough))) return Bounds::of(*rough);
  const auto best = optimality.best(RationalProbabilities(model));
  if (!best) return std::nullopt;
  return Bounds::of(*best);
}

}  // namespace quantiplan::checking
