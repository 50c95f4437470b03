// check(): holds a policy to its claim, without any code of the engines.
//
//     (a) the policy is well formed and has a rule wherever it comes
//     (b) P(W >= q) >= theta (upper side) or > theta (lower side), exactly
//     (c) the claimed probability is that of P(W >= q); of a bracket, at most that
//     (d) P(W = q) > 0, which holds for every policy whose quantile is the optimum
//     (e) no policy has P(W > q) >= theta (or > theta): the quantile is the optimum; of a bracket,
//         none has P(W > u), u its upper end
//
// A policy that carries a residual is followed by its exact wealth (exact_check.hpp), one on a grid
// by its own index (grid_check.hpp), which proves what it counts and no more; (d) is not asked of
// brackets. (e) is left out, and said to be, where it would be too large.
#include <string>
#include <utility>
#include <vector>

#include "bracket_optimality.hpp"
#include "check_clock.hpp"
#include "demand.hpp"
#include "exact_check.hpp"
#include "findings.hpp"
#include "grid_check.hpp"
#include "quantiplan/solve.hpp"
#include "rule_book.hpp"
#include "wealth_ledger.hpp"

namespace quantiplan {
namespace checking {
namespace {

class Check {
 public:
  Check(const Model& model, const Policy& policy, const PolicyClaim& claim, const Options& options)
      : model_(model),
        policy_(policy),
        claim_(claim),
        demand_{1 - claim.tau, claim.side},
        clock_(options),
        integers_(IntegerLedger::make(model, policy.setting)) {}

  CheckReport run(Findings findings) {
    findings_ = std::move(findings);
    const bool is_bracket = policy_.grid || claim_.upper;
    if (policy_.grid) {
      confirm_by_index(model_, policy_, claim_, demand_, clock_, findings_);
    } else {
      with_exact_wealth([&](auto& ledger) {
        ExactCheck(model_, policy_, claim_, demand_, ledger, clock_, findings_).run();
      });
    }
    if (findings_.passed()) {
      if (is_bracket) {
        confirm_upper_end();
      } else {
        with_exact_wealth([&](auto& ledger) { confirm_exactly(ledger, claim_.quantile.value(), false); });
      }
    }
    return findings_.take();
  }

 private:
  template <class Call>
  void with_exact_wealth(const Call& call) {
    if (integers_) {
      call(*integers_);
    } else {
      RationalLedger rationals(model_, policy_.setting);
      call(rationals);
    }
  }

  // Exactly if wealth is a matter of integers, else on grids; at last in rationals, which grow with
  // the horizon.
  void confirm_upper_end() {
    constexpr std::uint64_t kShortHorizon = 40;
    const Rational upper = claim_.upper.value_or(claim_.quantile).value();
    if (integers_ && confirm_exactly(*integers_, upper, true)) return;
    if (settle_upper_end(model_, policy_, demand_, upper, clock_, findings_)) return;
    if (!integers_ && policy_.setting.horizon <= kShortHorizon) {
      RationalLedger rationals(model_, policy_.setting);
      if (confirm_exactly(rationals, upper, true)) return;
    }
    findings_.say(clock_.ended() ? "Optimality was not rechecked: the check ended early."
                                 : "Optimality was not rechecked: too many places can be reached.");
  }

  // False if it is not settled, which is said only for a claim without a bracket.
  template <class Ledger>
  bool confirm_exactly(Ledger& ledger, const Rational& level, bool is_bracket) {
    const auto greatest = greatest_beyond(model_, policy_.setting, demand_, level, ledger, clock_);
    if (!greatest) {
      if (!is_bracket) {
        findings_.say(clock_.ended()
                          ? "Optimality was not rechecked: the check ended early."
                          : "Optimality was not rechecked: too many places can be reached.");
      }
      return false;
    }
    findings_.optimality_was_checked();
    const std::string sentence =
        "The greatest P(W > " + level_text(level) + ") of any policy " + greatest->text;
    if (greatest->met == Verdict::no)
      findings_.say(sentence + ": it is not " + demand_.text() + ", so no policy promises more.");
    else
      findings_.refute(sentence + ": it is " + demand_.text() + ", so the " +
                       (is_bracket ? "upper end is too low." : "quantile is not the optimum."));
    return true;
  }

  const Model& model_;
  const Policy& policy_;
  const PolicyClaim& claim_;
  Demand demand_;
  CheckClock clock_;
  std::optional<IntegerLedger> integers_;
  Findings findings_;
};

std::string wrong_claim(const PolicyClaim& claim) {
  if (claim.upper && *claim.upper < claim.quantile)
    return "The claimed bracket ends at " + to_text(*claim.upper) + ", below its quantile " +
           to_text(claim.quantile) + ".";
  const bool lower = claim.side == Side::lower;
  const bool known = lower ? claim.tau > 0 && claim.tau <= 1 : claim.tau >= 0 && claim.tau < 1;
  if (known) return {};
  return "The claimed tau is " + to_text(claim.tau) + ": " +
         (lower ? "a lower quantile needs it in (0, 1]." : "an upper quantile needs it in [0, 1).");
}

// A query may override what the model says, so a difference is worth a sentence and no more.
void note_overrides(const Model& model, const ResolvedSetting& setting, Findings& findings) {
  if (model.horizon() && *model.horizon() != setting.horizon)
    findings.say("Checked for the policy's horizon " + std::to_string(setting.horizon) +
                 "; the model says " + std::to_string(*model.horizon()) + ".");
  if (model.discount() && *model.discount() != setting.discount)
    findings.say("Checked for the policy's discount " + to_text(setting.discount) +
                 "; the model says " + to_text(*model.discount()) + ".");
  if (model.initial() && *model.initial() != setting.initial)
    findings.say("Checked from the policy's initial state '" +
                 std::string(model.state_name(setting.initial)) + "'; the model says '" +
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
  if (std::string wrong = checking::wrong_claim(claim); !wrong.empty())
    report.findings.push_back(wrong);
  if (!report.findings.empty()) return report;

  checking::Findings findings;
  checking::note_overrides(model, policy.setting, findings);
  return checking::Check(model, policy, claim, options).run(std::move(findings));
}

}  // namespace quantiplan
