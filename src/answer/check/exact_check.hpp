// Holds a policy that carries a residual to its claim, by its exact wealth: questions (a) to (d) of
// check.cpp, and the greatest probability of any policy for (e).
//
// Probabilities are first outward-rounded intervals; a question they leave open is settled in exact
// rationals. The claim of a bracket is a lower bound, and P(W = q) > 0 is not asked of it.
#pragma once

#include <optional>
#include <string>

#include "check_clock.hpp"
#include "demand.hpp"
#include "findings.hpp"
#include "optimality.hpp"
#include "policy_tally.hpp"
#include "probabilities.hpp"

namespace quantiplan::checking {

template <class Ledger>
class ExactCheck {
 public:
  ExactCheck(const Model& model,
             const Policy& policy,
             const PolicyClaim& claim,
             const Demand& demand,
             Ledger& ledger,
             CheckClock& clock,
             Findings& findings)
      : model_(model),
        policy_(policy),
        claim_(claim),
        demand_(demand),
        level_(level_text(claim.quantile.value())),
        ledger_(ledger),
        clock_(clock),
        findings_(findings) {}

  void run() {
    // An exactly claimed probability can only be compared exactly, unless it is certainty.
    const bool uncertain = claim_.exact_probability && *claim_.exact_probability != 1;
    if (uncertain || !confirm<IntervalProbabilities>()) confirm<RationalProbabilities>();
  }

 private:
  // False, with nothing reported, if intervals do not settle it.
  template <class Probabilities>
  bool confirm() {
    using Probability = typename Probabilities::Probability;
    const Tally<Probability> tally =
        ForwardPass<Ledger, Probabilities>(model_, policy_, claim_.quantile.value(), ledger_, clock_).run();
    if (tally.ended) {
      findings_.leave_open("The check ended early, before the policy was followed to its end.");
      return true;
    }
    if (tally.fault) {
      findings_.refute(*tally.fault);
      return true;
    }
    // Certainty is a fact about the graph, not about sums.
    const Probability probability =
        tally.some_below ? Probability(tally.at + tally.above) : Probabilities::one();
    const Verdict met = demand_met(tally, probability);
    if (met == Verdict::open || !settles_claim(probability)) return false;

    findings_.say("The policy has a rule wherever it comes: " + std::to_string(tally.places) +
                  " places (time, state, wealth).");
    const std::string sentence = "P(W >= " + level_ + ") " + shown(probability) + ": ";
    if (met == Verdict::yes)
      findings_.say(sentence + "it is " + demand_.text() + ", as claimed.");
    else
      findings_.refute(sentence + "it is not " + demand_.text() + ", as the quantile demands.");
    if (claim_.upper) {
      confirm_bound(probability);
    } else {
      confirm_probability(probability);
      confirm_level(tally.some_at);
    }
    return true;
  }

  // So is possibility: a lower quantile at tau = 1 asks for no more.
  template <class Probability>
  Verdict demand_met(const Tally<Probability>& tally, const Probability& probability) const {
    const bool certainty = demand_.theta == 1 && demand_.side == Side::upper;
    if (certainty) return tally.some_below ? Verdict::no : Verdict::yes;
    const bool possibility = demand_.theta == 0 && demand_.side == Side::lower;
    if (possibility) return tally.some_at || tally.some_above ? Verdict::yes : Verdict::no;
    return demand_.met_by(probability);
  }

  [[nodiscard]] bool settles_claim(const Interval& probability) const {
    if (claim_.upper && !claim_.exact_probability)
      return claim_.probability <= probability.low || !(claim_.probability <= probability.high);
    return !claim_.exact_probability || probability.is_one();
  }
  [[nodiscard]] static bool settles_claim(const Rational&) { return true; }

  void confirm_bound(const Interval& probability) {
    report_bound(claim_.probability <= probability.low, shown(probability));
  }
  void confirm_bound(const Rational& probability) {
    const bool is_finite = claim_.probability >= 0 && claim_.probability <= 1;
    report_bound(claim_.exact_probability
                     ? *claim_.exact_probability <= probability
                     : is_finite && Rational(claim_.probability) <= probability,
                 shown(probability));
  }
  void report_bound(bool holds, const std::string& probability) {
    if (holds)
      findings_.say("The claimed probability " + shown(claim_.probability) +
                    " is no more than that.");
    else
      findings_.refute("The claimed probability " + shown(claim_.probability) +
                       " is too high: P(W >= " + level_ + ") " + probability + ".");
  }

  void confirm_probability(const Interval& probability) {
    confirm_nearest(probability);
    if (claim_.exact_probability) confirm_exact(Rational(probability.low));
  }
  void confirm_probability(const Rational& probability) {
    confirm_nearest(enclose(probability));
    if (claim_.exact_probability) confirm_exact(probability);
  }

  void confirm_exact(const Rational& probability) {
    if (*claim_.exact_probability == probability)
      findings_.say("The exactly claimed probability is the policy's.");
    else
      findings_.refute("The exactly claimed probability is not the policy's: it " +
                       shown(probability) + ", the claim " + shown(*claim_.exact_probability) +
                       ".");
  }

  void confirm_nearest(const Interval& probability) {
    if (agrees(claim_.probability, probability, policy_.setting.horizon, model_.most_outcomes()))
      findings_.say("The claimed probability " + shown(claim_.probability) + " agrees with it.");
    else
      findings_.refute("The claimed probability " + shown(claim_.probability) +
                       " is wrong: P(W >= " + level_ + ") " + shown(probability) + ".");
  }

  void confirm_level(bool is_attained) {
    if (is_attained)
      findings_.say("P(W = " + level_ + ") is positive.");
    else
      findings_.refute("P(W = " + level_ +
                       ") is 0, which cannot be if it is the optimal quantile.");
  }

  const Model& model_;
  const Policy& policy_;
  const PolicyClaim& claim_;
  const Demand& demand_;
  std::string level_;
  Ledger& ledger_;
  CheckClock& clock_;
  Findings& findings_;
};

// The greatest probability of ending above a level, and whether it meets the demand.
struct Greatest {
  Verdict met = Verdict::open;
  std::string text;
};

// Nullopt if there are too many places, or time is up.
template <class Ledger>
std::optional<Greatest> greatest_beyond(const Model& model,
                                        const ResolvedSetting& setting,
                                        const Demand& demand,
                                        const Rational& level,
                                        Ledger& ledger,
                                        CheckClock& clock) {
  Optimality<Ledger> optimality(model, setting, level, ledger, clock);
  if (!optimality.expand()) return std::nullopt;
  const auto rough = optimality.best(IntervalProbabilities(model));
  if (rough && demand.met_by(*rough) != Verdict::open)
    return Greatest{demand.met_by(*rough), shown(*rough)};
  const auto best = optimality.best(RationalProbabilities(model));
  if (!best) return std::nullopt;
  return Greatest{demand.met_by(*best), shown(*best)};
}

}  // namespace quantiplan::checking
