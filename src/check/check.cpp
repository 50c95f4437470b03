// check(): holds a policy to its claim, without any code of the engines.
//
//     (a) the policy is well formed and has a rule wherever it comes
//     (b) quantile: P(W >= q) meets the demand of tau and side
//     (c) the claimed probability is that of P(W >= q); of a bracket, at most that
//     (d) quantile: P(W = q) > 0, which holds for every policy whose quantile is the optimum
//     (e) no policy does better: for none P(W > q) meets the demand; of a threshold, for none
//         P(W >= y) exceeds what is claimed; of a bracket, the same of its upper end
//
// All of it in the policy's own count, so that costs, goals and adversaries are nothing special
// (counted_claim.hpp). How a policy is followed:
//
//     horizon     finite, or infinite with a discount and cut off       infinite, no discount
//     residual    by its exact wealth (exact_check.hpp)                 by its chain on (state,
//     grid        by its own index (grid_check.hpp)                     wealth) (endless_check.hpp)
//
// An index proves what it counts and no more; what follows a cut is bounded (cut_ends.hpp); (d) is
// not asked of brackets. (e) is left out, and said to be, where it would be too large.
#include <string>
#include <utility>
#include <vector>

#include "check/classes/wealth_check.hpp"
#include "check/common/both_parts.hpp"
#include "check/common/check_limits.hpp"
#include "check/common/counted_claim.hpp"
#include "check/common/findings.hpp"
#include "check/common/optimum_report.hpp"
#include "check/common/overrides.hpp"
#include "check/common/rule_book.hpp"
#include "check/common/wealth_ledger.hpp"
#include "check/finite/bracket_optimality.hpp"
#include "check/finite/cut_ends.hpp"
#include "check/finite/exact_check.hpp"
#include "check/finite/grid_check.hpp"
#include "check/infinite/endless_check.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace checking {
namespace {

// Over the steps of a finite horizon, or up to where an infinite one is cut off.
class StepwiseCheck {
 public:
  StepwiseCheck(const Model& model,
                const Policy& policy,
                const CountedClaim& claim,
                CheckLimits& limits,
                Findings& findings)
      : model_(model), policy_(policy), claim_(claim), limits_(limits), findings_(findings) {}

  void confirm_policy() {
    const EndsPair own = ends_of_policy(model_, policy_, claim_.own, limits_);
    if (own.low.is_cut())
      findings_.say("What follows after " + std::to_string(own.low.horizon()) +
                    " steps is bounded, state by state.");
    if (policy_.grid) {
      confirm_by_index(model_, policy_, claim_, own.low, limits_, findings_);
    } else {
      with_exact_wealth(own, [&](auto& ledger) {
        ExactCheck(model_, policy_, claim_, own.low, own.high, ledger, limits_, findings_).run();
      });
    }
  }

  // Exactly if wealth is a matter of integers, else on grids where it need not be exact; at last in
  // rationals, which grow with the horizon.
  void confirm_optimum() {
    constexpr std::uint64_t kShortHorizon = 40;
    const EndsPair best = ends_of_best(model_, policy_, claim_.beyond, limits_);
    auto ledger = integers(model_, best);
    if (ledger && confirm_exactly(*ledger, best)) return;
    const bool takes_grid = claim_.is_bound || best.low.is_cut();
    if (takes_grid &&
        settle_upper_end(model_, policy_, claim_, best.low, best.high, limits_, findings_))
      return;
    if (!ledger && (!takes_grid || best.low.horizon() <= kShortHorizon)) {
      RationalLedger rationals(model_, best.low.setting());
      if (confirm_exactly(rationals, best)) return;
    }
    OptimumReport(claim_, findings_).leave_out(limits_, left_open_);
  }
  void leave_optimum_out(const std::string& why) {
    OptimumReport(claim_, findings_).leave_out(why);
  }

 private:
  static std::optional<IntegerLedger> integers(const Model& model, const EndsPair& ends) {
    const Rational reserve = std::max<Rational>(ends.low.largest_tail(), ends.high.largest_tail());
    return IntegerLedger::make(model, ends.low.setting(), reserve);
  }

  template <class Call>
  void with_exact_wealth(const EndsPair& ends, const Call& call) {
    if (auto ledger = integers(model_, ends)) {
      call(*ledger);
    } else {
      RationalLedger rationals(model_, ends.low.setting());
      call(rationals);
    }
  }

  // False if it is not settled.
  template <class Ledger>
  bool confirm_exactly(Ledger& ledger, const EndsPair& ends) {
    const Demand& demand = claim_.beyond_demand;
    const auto is_settled = [&](const Bounds& b) { return demand.met_by(b) != Verdict::open; };
    OptimumReport report(claim_, findings_);
    const auto most = greatest_chance(model_, ends.high, ledger, limits_, is_settled);
    if (!most) return false;
    if (!ends.high.is_cut()) return report.report(*most);
    if (demand.met_by(*most) == Verdict::no) {
      report.confirm(*most, "what follows the cut bounded from above");
      return true;
    }
    const auto least = greatest_chance(model_, ends.low, ledger, limits_, is_settled);
    left_open_ = true;
    if (!least || demand.met_by(*least) != Verdict::yes) return false;
    report.refute(*least, "what follows the cut bounded from below");
    return true;
  }

  const Model& model_;
  const Policy& policy_;
  const CountedClaim& claim_;
  CheckLimits& limits_;
  Findings& findings_;
  bool left_open_ = false;  // what follows the cut makes too great a difference
};

// Without end and without discount.
class EndlessCheck {
 public:
  EndlessCheck(const Model& model,
               const Policy& policy,
               const CountedClaim& claim,
               CheckLimits& limits,
               Findings& findings)
      : model_(model), policy_(policy), claim_(claim), limits_(limits), findings_(findings) {}

  void confirm_policy() { confirm_endless_policy(model_, policy_, claim_, limits_, findings_); }
  void confirm_optimum() {
    confirm_endless_optimum(model_, policy_.setting, claim_, limits_, findings_);
  }
  void leave_optimum_out(const std::string& why) {
    OptimumReport(claim_, findings_).leave_out(why);
  }

 private:
  const Model& model_;
  const Policy& policy_;
  const CountedClaim& claim_;
  CheckLimits& limits_;
  Findings& findings_;
};

void run_check(const Model& model,
               const Policy& policy,
               const CountedClaim& claim,
               CheckLimits& limits,
               Findings& findings) {
  if (policy.setting.is_infinite() && policy.setting.discount == 1)
    run_both(EndlessCheck(model, policy, claim, limits, findings), limits, findings);
  else
    run_both(StepwiseCheck(model, policy, claim, limits, findings), limits, findings);
}

}  // namespace
}  // namespace checking

CheckReport check(const Model& model,
                  const Policy& policy,
                  const PolicyClaim& claim,
                  const Options& options) {
  if (!model.wealth().is_sum() || claim.level)
    return check_wealth(model, structure_of(model), policy, claim, options);
  CheckReport report;
  report.findings = checking::malformed(model, policy);
  if (std::string wrong = checking::wrong_claim(policy, claim); !wrong.empty())
    report.findings.push_back(wrong);
  if (!report.findings.empty()) return report;

  checking::Findings findings;
  checking::note_overrides(model, policy.setting, findings);
  checking::CheckLimits limits(options);
  checking::run_check(model, policy, checking::CountedClaim(policy, claim), limits, findings);
  return findings.take();
}

}  // namespace quantiplan
