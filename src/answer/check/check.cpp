// check(): holds a policy to its claim, without any code of the engines.
//
//     (a) the policy is well formed and has a rule wherever it comes
//     (b) P(W >= q) >= theta (upper side) or > theta (lower side), exactly
//     (c) the claimed probability is that of P(W >= q)
//     (d) P(W = q) > 0, which holds for every policy whose quantile is the optimum
//     (e) no policy has P(W > q) >= theta (or > theta): the quantile is the optimum
//
// Probabilities are first outward-rounded intervals; a question they leave open is settled in exact
// rationals. (e) is left out, and said to be, where it would be too large.
#include <string>
#include <utility>
#include <vector>

#include "check_clock.hpp"
#include "demand.hpp"
#include "optimality.hpp"
#include "policy_tally.hpp"
#include "probabilities.hpp"
#include "quantiplan/solve.hpp"
#include "rule_book.hpp"
#include "wealth_ledger.hpp"

namespace quantiplan {
namespace checking {
namespace {

template <class Ledger>
class Checker {
 public:
  Checker(const Model& model,
          const Policy& policy,
          const PolicyClaim& claim,
          const Options& options,
          Ledger ledger)
      : model_(model),
        policy_(policy),
        claim_(claim),
        demand_{1 - claim.tau, claim.side},
        level_(to_text(claim.quantile)),
        ledger_(std::move(ledger)),
        clock_(options) {}

  CheckReport run() {
    report_.passed = true;
    // An exactly claimed probability can only be compared exactly, unless it is certainty.
    const bool uncertain = claim_.exact_probability && *claim_.exact_probability != 1;
    if (uncertain || !confirm_policy<IntervalProbabilities>())
      confirm_policy<RationalProbabilities>();
    if (report_.passed) confirm_optimality();
    return std::move(report_);
  }

 private:
  template <class Probabilities>
  auto forward() {
    return ForwardPass<Ledger, Probabilities>(model_, policy_, claim_.quantile, ledger_, clock_)
        .run();
  }

  // Questions (a) to (d). False, with nothing reported, if intervals do not settle them.
  template <class Probabilities>
  bool confirm_policy() {
    using Probability = typename Probabilities::Probability;
    const Tally<Probability> tally = forward<Probabilities>();
    if (tally.ended) {
      refute("The check ended early, before the policy was followed to its end.");
      report_.ended_early = true;
      return true;
    }
    if (tally.fault) {
      refute(*tally.fault);
      return true;
    }
    // Certainty is a fact about the graph, not about sums.
    const Probability probability =
        tally.some_below ? Probability(tally.at + tally.above) : Probabilities::one();
    const Verdict met = demand_met(tally, probability);
    if (met == Verdict::open || !settles_exact_claim(probability)) return false;

    say("The policy has a rule wherever it comes: " + std::to_string(tally.places) +
        " places (time, state, wealth).");
    const std::string sentence = "P(W >= " + level_ + ") " + shown(probability) + ": ";
    if (met == Verdict::yes)
      say(sentence + "it is " + demand_.text() + ", as claimed.");
    else
      refute(sentence + "it is not " + demand_.text() + ", as the quantile demands.");
    confirm_probability(probability);
    if (tally.some_at)
      say("P(W = " + level_ + ") is positive.");
    else
      refute("P(W = " + level_ + ") is 0, which cannot be if it is the optimal quantile.");
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

  [[nodiscard]] bool settles_exact_claim(const Interval& probability) const {
    return !claim_.exact_probability || probability.is_one();
  }
  [[nodiscard]] static bool settles_exact_claim(const Rational&) { return true; }

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
      say("The exactly claimed probability is the policy's.");
    else
      refute("The exactly claimed probability is not the policy's: it " + shown(probability) +
             ", the claim " + shown(*claim_.exact_probability) + ".");
  }

  void confirm_nearest(const Interval& probability) {
    if (agrees(claim_.probability, probability, policy_.setting.horizon, model_.most_outcomes()))
      say("The claimed probability " + shown(claim_.probability) + " agrees with it.");
    else
      refute("The claimed probability " + shown(claim_.probability) +
             " is wrong: P(W >= " + level_ + ") " + shown(probability) + ".");
  }

  // Question (e).
  void confirm_optimality() {
    Optimality<Ledger> optimality(model_, policy_.setting, claim_.quantile, ledger_, clock_);
    if (!optimality.expand()) {
      say(clock_.ended() ? "Optimality was not rechecked: the check ended early."
                         : "Optimality was not rechecked: too many places can be reached.");
      return;
    }
    const auto rough = optimality.best(IntervalProbabilities(model_));
    if (rough && demand_.met_by(*rough) != Verdict::open) {
      conclude(demand_.met_by(*rough), shown(*rough));
      return;
    }
    const auto best = optimality.best(RationalProbabilities(model_));
    if (best)
      conclude(demand_.met_by(*best), shown(*best));
    else
      say("Optimality was not rechecked: the check ended early.");
  }

  void conclude(Verdict surpassed, const std::string& greatest) {
    report_.optimality_checked = true;
    const std::string sentence = "The greatest P(W > " + level_ + ") of any policy " + greatest;
    if (surpassed == Verdict::no)
      say(sentence + ": it is not " + demand_.text() + ", so no policy promises more.");
    else
      refute(sentence + ": it is " + demand_.text() + ", so the quantile is not the optimum.");
  }

  void say(std::string sentence) { report_.findings.push_back(std::move(sentence)); }
  void refute(std::string sentence) {
    report_.passed = false;
    say(std::move(sentence));
  }

  const Model& model_;
  const Policy& policy_;
  const PolicyClaim& claim_;
  Demand demand_;
  std::string level_;
  Ledger ledger_;
  CheckClock clock_;
  CheckReport report_;
};

std::string wrong_tau(const PolicyClaim& claim) {
  const bool lower = claim.side == Side::lower;
  const bool known = lower ? claim.tau > 0 && claim.tau <= 1 : claim.tau >= 0 && claim.tau < 1;
  if (known) return {};
  return "The claimed tau is " + to_text(claim.tau) + ": " +
         (lower ? "a lower quantile needs it in (0, 1]." : "an upper quantile needs it in [0, 1).");
}

// A query may override what the model says, so a difference is worth a sentence and no more.
void note_overrides(const Model& model, const ResolvedSetting& setting, CheckReport& report) {
  if (model.horizon() && *model.horizon() != setting.horizon)
    report.findings.push_back("Checked for the policy's horizon " +
                              std::to_string(setting.horizon) + "; the model says " +
                              std::to_string(*model.horizon()) + ".");
  if (model.discount() && *model.discount() != setting.discount)
    report.findings.push_back("Checked for the policy's discount " + to_text(setting.discount) +
                              "; the model says " + to_text(*model.discount()) + ".");
  if (model.initial() && *model.initial() != setting.initial)
    report.findings.push_back("Checked from the policy's initial state '" +
                              std::string(model.state_name(setting.initial)) +
                              "'; the model says '" +
                              std::string(model.state_name(*model.initial())) + "'.");
}

}  // namespace
}  // namespace checking

CheckReport check(const Model& model,
                  const Policy& policy,
                  const PolicyClaim& claim,
                  const Options& options) {
  CheckReport report;
  report.findings = checking::malformed(model, policy);
  if (std::string wrong = checking::wrong_tau(claim); !wrong.empty())
    report.findings.push_back(wrong);
  if (!report.findings.empty()) return report;

  checking::note_overrides(model, policy.setting, report);
  const std::optional<checking::IntegerLedger> integers =
      checking::IntegerLedger::make(model, policy.setting);
  CheckReport verdict =
      integers ? checking::Checker(model, policy, claim, options, *integers).run()
               : checking::Checker(
                     model, policy, claim, options, checking::RationalLedger(model, policy.setting))
                     .run();
  verdict.findings.insert(verdict.findings.begin(), report.findings.begin(), report.findings.end());
  return verdict;
}

}  // namespace quantiplan
