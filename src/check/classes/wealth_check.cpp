#include "check/classes/wealth_check.hpp"

#include <optional>
#include <string>
#include <utility>

#include "check/classes/wealth_endless.hpp"
#include "check/classes/wealth_optimum.hpp"
#include "check/classes/wealth_replay.hpp"
#include "check/classes/wealth_report.hpp"
#include "check/common/both_parts.hpp"
#include "check/common/overrides.hpp"
#include "check/common/probabilities.hpp"

namespace quantiplan {
namespace checking {
namespace {

// Rationals at once: nobody notices the time they take.
constexpr std::size_t kFewPlaces = 2'000;

constexpr const char* kTooMany = "too many places can be reached.";
constexpr const char* kLeftOpen = "the bounds that could be computed leave it open.";
constexpr const char* kPolicyTooLarge =
    "The policy was not followed: too many places can be reached.";

// Over the steps of a finite horizon.
class StepwiseWealthCheck {
 public:
  StepwiseWealthCheck(const Model& model,
                      Structure& structure,
                      const Policy& policy,
                      const PolicyClaim& claim,
                      CheckLimits& limits,
                      Findings& findings)
      : model_(model),
        structure_(structure),
        policy_(policy),
        claim_(claim),
        limits_(limits),
        findings_(findings),
        report_(structure,
                claim,
                Tolerance::of_steps(policy.setting.horizon, model.most_outcomes()),
                findings) {}

  void confirm_policy() {
    // An exactly claimed probability can only be compared exactly, unless it is certainty.
    const auto& exact = claim_.exact_probability;
    const bool uncertain = exact && *exact != 1 && *exact != 0;
    if (uncertain || !confirm<IntervalProbabilities>(/*at_last=*/false))
      confirm<RationalProbabilities>(/*at_last=*/true);
  }
  void confirm_optimum() {
    WealthOptimum optimum(model_, structure_, policy_.setting, limits_);
    if (!optimum.expand()) {
      report_.leave_optimum_out(limits_.ended() ? limits_.reason() : kTooMany);
      return;
    }
    if (optimum.places() > kFewPlaces) {
      const auto rough = optimum.best(*level_, IntervalProbabilities(model_));
      if (rough && report_.say_optimum(Bounds::of(*rough))) return;
    }
    const auto exact = optimum.best(*level_, RationalProbabilities(model_));
    if (!exact || !report_.say_optimum(Bounds::of(*exact)))
      report_.leave_optimum_out(limits_.reason());
  }
  void leave_optimum_out(const std::string& why) { report_.leave_optimum_out(why); }

 private:
  // False, with nothing reported, if intervals do not settle it.
  template <class Probabilities>
  bool confirm(bool at_last) {
    const auto ends = WealthReplay<Probabilities>(model_, structure_, policy_, limits_).run();
    if (ends.ended || ends.too_large) {
      findings_.leave_open(ends.ended ? limits_.policy_was_not_followed() : kPolicyTooLarge);
      return true;
    }
    if (ends.fault) {
      findings_.refute(*ends.fault);
      return true;
    }
    level_ = WealthLevel::find(structure_, *claim_.level, limits_);
    const bool is_met = level_ && ends.some_at(*level_);
    std::optional<Chance> chance;
    if (level_) chance = ends.chance(*level_, Probabilities::zero());
    if (!at_last && chance && !report_.is_settled(*chance)) return false;
    findings_.say("The policy has a rule wherever it comes: " + std::to_string(ends.places) +
                  " places (time, state, wealth).");
    if (chance) report_.say_chance(*chance);
    report_.say_at(is_met);
    return true;
  }

  const Model& model_;
  Structure& structure_;
  const Policy& policy_;
  const PolicyClaim& claim_;
  CheckLimits& limits_;
  Findings& findings_;
  WealthReport report_;
  std::optional<WealthLevel> level_;
};

// Of a stationary policy without end.
class EndlessWealthCheck {
 public:
  EndlessWealthCheck(const Model& model,
                     Structure& structure,
                     const Policy& policy,
                     const PolicyClaim& claim,
                     CheckLimits& limits,
                     Findings& findings)
      : model_(model),
        structure_(structure),
        policy_(policy),
        claim_(claim),
        limits_(limits),
        findings_(findings),
        report_(structure, claim, Tolerance::of_no_end(), findings) {}

  void confirm_policy() {
    WealthGraph chain = chain_of_policy(model_, structure_, policy_, limits_);
    if (chain.fault) {
      findings_.refute(*chain.fault);
      return;
    }
    if (!chain.is_complete()) {
      findings_.leave_open(chain.ended ? limits_.policy_was_not_followed() : kPolicyTooLarge);
      return;
    }
    all_.emplace(graph_of_all(model_, structure_, policy_.setting, limits_));
    // Another policy may come to the class, if this one does not.
    level_ = WealthLevel::find(structure_, *claim_.level, limits_);
    if (level_)
      follow(std::move(chain), *level_);
    else
      say_no_level(all_->is_complete());
  }
  void confirm_optimum() {
    if (!all_->is_complete()) {
      report_.leave_optimum_out(all_->ended ? limits_.reason() : kTooMany);
      return;
    }
    if (!all_->rises && !all_->falls) {
      report_.leave_optimum_out("classes can rise and fall.");
      return;
    }
    const auto greatest =
        greatest_limit_chance(model_, *std::move(all_), *level_, report_.demand(), limits_);
    if (greatest && report_.say_optimum(*greatest)) return;
    report_.leave_optimum_out(limits_.ended() ? limits_.reason() : kLeftOpen);
  }
  void leave_optimum_out(const std::string& why) { report_.leave_optimum_out(why); }

 private:
  void say_no_level(bool all_are_known) {
    if (all_are_known)
      findings_.refute("No policy comes to the claimed class " + report_.level() + ".");
    else
      findings_.leave_open("The claimed class " + report_.level() +
                           " was not met: too many places can be reached.");
  }

  void follow(WealthGraph chain, const WealthLevel& level) {
    const std::uint32_t places = chain.graph.nodes();
    const WealthChainChance limit(model_, std::move(chain), level, limits_);
    if (!limit.settles()) {
      findings_.leave_open("The policy was not followed: its wealth does not settle in a class.");
      return;
    }
    std::optional<Chance> chance = limit.proved(limits_);
    if (!chance || !report_.is_settled(*chance)) {
      if (auto exact = limit.exactly(limits_)) chance = std::move(exact);
    }
    if (!chance) {
      findings_.leave_open(
          limits_.ended() ? limits_.policy_was_not_followed()
                          : "The policy was not followed: too many places lead to one another.");
      return;
    }
    findings_.say("The policy has a rule wherever it comes: " + std::to_string(places) +
                  " places (state, wealth).");
    report_.say_chance(*chance);
    if (limit.some_at()) report_.say_at(true);
  }

  const Model& model_;
  Structure& structure_;
  const Policy& policy_;
  const PolicyClaim& claim_;
  CheckLimits& limits_;
  Findings& findings_;
  WealthReport report_;
  std::optional<WealthGraph> all_;
  std::optional<WealthLevel> level_;
};

}  // namespace
}  // namespace checking

CheckReport check_wealth(const Model& model,
                         const std::shared_ptr<Structure>& structure,
                         const Policy& policy,
                         const PolicyClaim& claim,
                         const Options& options) {
  CheckReport report;
  report.findings = checking::malformed_by_wealth(model, policy);
  if (std::string wrong = checking::wrong_wealth_claim(claim); !wrong.empty())
    report.findings.push_back(wrong);
  if (!report.findings.empty()) return report;

  checking::Findings findings;
  checking::note_overrides(model, policy.setting, findings);
  checking::CheckLimits limits(options);
  // The first wealth is there before anything is asked of the structure.
  static_cast<void>(structure->initial());
  if (policy.setting.is_infinite())
    checking::run_both(
        checking::EndlessWealthCheck(model, *structure, policy, claim, limits, findings),
        limits,
        findings);
  else
    checking::run_both(
        checking::StepwiseWealthCheck(model, *structure, policy, claim, limits, findings),
        limits,
        findings);
  return findings.take();
}

}  // namespace quantiplan
