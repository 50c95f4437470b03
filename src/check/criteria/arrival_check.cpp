#include "check/criteria/arrival_check.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "check/common/demand.hpp"
#include "check/infinite/arrival_costs.hpp"

namespace quantiplan::checking {
namespace {

using Kind = Criterion::Kind;

constexpr std::uint64_t kFirstBudgets = 32;
constexpr std::uint64_t kMostBudgets = 100'000;

class ArrivalCheck {
 public:
  ArrivalCheck(const Model& model,
               const Policy& policy,
               const PolicyClaim& claim,
               CheckLimits& limits,
               Findings& findings)
      : costs_(model, policy.setting, limits),
        model_(model),
        policy_(policy),
        claim_(claim),
        limits_(limits),
        findings_(findings) {}

  void run() {
    if (!costs_.are_counted() || policy_.grid) {
      findings_.leave_open("The policy was not followed: costs have no small common unit.");
      return;
    }
    if (tau() == 0) {
      findings_.leave_open(
          "CVaR at tau 0 is the worst case, of which a claim is one of its quantile.");
      return;
    }
    if (claim_.quantile.is_miss()) {
      confirm_miss();
      return;
    }
    if (!costs_.can_arrive()) {
      findings_.refute("No policy reaches the goal almost surely: the " + name() +
                       " is no number.");
      return;
    }
    claimed_ = -claim_.quantile.value() / costs_.unit();
    find_best();
    confirm_own();
    if (findings_.passed()) confirm_best();
  }

 private:
  [[nodiscard]] std::string name() const { return to_text(*claim_.criterion); }
  [[nodiscard]] bool has_budgets() const { return claim_.criterion->kind == Kind::cvar; }
  [[nodiscard]] Rational tau() const { return has_budgets() ? claim_.tau : Rational(1); }
  // Of a cost in units.
  [[nodiscard]] std::string shown_value(const Rational& cost) const {
    return level_text(Rational(-cost * costs_.unit()));
  }
  [[nodiscard]] Rational worth(std::uint64_t budget, const Rational& excess) const {
    return Rational(Integer(static_cast<unsigned long>(budget))) + excess / tau();
  }
  [[nodiscard]] Rational bound() const {
    return -claim_.upper.value_or(claim_.quantile).value() / costs_.unit();
  }
  // The last budget with which the claimed cost can be had.
  [[nodiscard]] std::uint64_t last_budget() const {
    if (!has_budgets() || claimed_ <= 0) return 0;
    const Integer last = claimed_.get_num() / claimed_.get_den();
    return last > kMostBudgets ? kMostBudgets : last.get_ui();
  }

  void confirm_miss() {
    if (costs_.can_arrive()) {
      findings_.refute("Some policy reaches the goal almost surely: the " + name() +
                       " is a number, not a miss.");
    } else {
      findings_.say(
          "No policy reaches the goal almost surely, and a miss costs more than any number.");
    }
    findings_.optimality_was_checked();
  }

  void find_best() {
    const std::uint64_t last = last_budget();
    for (std::uint64_t most = std::min(kFirstBudgets, last);; most = std::min(2 * most, last)) {
      const auto excess = costs_.least_excesses(most, effort_);
      if (!excess) return;
      for (std::uint64_t b = 0; b <= most; ++b) {
        const Rational cost = worth(b, (*excess)[b]);
        if (!best_ || cost < *best_) {
          best_ = cost;
          best_budget_ = b;
        }
      }
      const Rational seen(Integer(static_cast<unsigned long>(most)));
      is_best_ = !has_budgets() || *best_ <= seen + 1;
      is_enough_ = is_best_ || (most == last && last < kMostBudgets);
      if (most == last || is_best_ || *best_ < bound()) return;
    }
  }

  void confirm_own() {
    PolicyCosts own(model_, policy_, limits_);
    std::string fault;
    const std::uint64_t target = target_budget();
    const std::uint64_t last = std::max({last_budget(), target, best_budget_});
    const bool was_followed = own.follow(last, fault);
    if (!fault.empty()) {
      findings_.refute(fault);
      return;
    }
    std::optional<Rational> cost;
    const auto look = [&](std::uint64_t budget) {
      const auto excess = own.excess(budget, effort_);
      if (excess && (!cost || worth(budget, *excess) < *cost)) cost = worth(budget, *excess);
      return excess.has_value();
    };
    bool is_known = was_followed && look(target);
    if (is_known && *cost > claimed_) is_known = look(best_budget_);
    for (std::uint64_t b = 0; is_known && *cost > claimed_ && b <= last_budget(); ++b)
      is_known = look(b);
    const std::string sentence =
        cost ? name() + " of the policy itself is " + shown_value(*cost) + ": " : "";
    if (cost && *cost <= claimed_) {
      findings_.say(sentence + (*cost == claimed_ ? "as claimed." : "no less than claimed."));
    } else if (is_enough_ && *best_ > claimed_) {
      findings_.refute("No policy has a " + name() + " as great as the claimed " +
                       level_text(claim_.quantile) +
                       (is_best_ ? ": the greatest is " + shown_value(*best_) + "." : "."));
    } else if (is_known && last_budget() < kMostBudgets) {
      // Greater budgets, which are beyond the claim by themselves, might cost less than those that were looked at.
      const bool is_least =
          !has_budgets() || *cost <= Rational(Integer(static_cast<unsigned long>(last))) + 1;
      findings_.refute((is_least ? sentence : name() + " of the policy itself is ") +
                       "less than the claimed " + level_text(claim_.quantile) + ".");
    } else {
      findings_.leave_open("The policy was not followed: too many places can be reached.");
    }
  }

  void confirm_best() {
    const std::string sentence = best_ ? "The greatest " + name() + " of all policies is " +
                                             shown_value(*best_) +
                                             ", by the least costs of places (state, budget)"
                                       : "";
    if (best_ && *best_ < bound()) {
      findings_.refute(sentence + ": more than the claimed " +
                       level_text(claim_.upper.value_or(claim_.quantile)) + ".");
    } else if (is_best_) {
      findings_.say(sentence + ".");
    } else {
      findings_.leave_out(
          "That no policy does better was not rechecked: " +
          (limits_.ended(0) ? limits_.reason() : "too many places can be reached."));
      return;
    }
    findings_.optimality_was_checked();
  }

  // y = -b; what no budget is, is none.
  [[nodiscard]] std::uint64_t target_budget() const {
    if (!policy_.target || !has_budgets()) return 0;
    const Rational budget = -*policy_.target / costs_.unit();
    if (budget <= 0 || budget > kMostBudgets || budget.get_den() != 1) return 0;
    return budget.get_num().get_ui();
  }

  ArrivalCosts costs_;
  const Model& model_;
  const Policy& policy_;
  const PolicyClaim& claim_;
  CheckLimits& limits_;
  Findings& findings_;
  Effort effort_;
  Rational claimed_;              // as a cost, in units
  std::optional<Rational> best_;  // the least of all policies, as far as budgets were looked at
  std::uint64_t best_budget_ = 0;
  bool is_best_ = false;    // .. and no further budget does better
  bool is_enough_ = false;  // .. or none has what is claimed
};

}  // namespace

bool is_cost_to_goal(const ResolvedSetting& setting, const Criterion& criterion) {
  return setting.is_infinite() && setting.discount == 1 && !setting.goal.empty() &&
         !setting.adversarial &&
         (criterion.kind == Kind::cvar || criterion.kind == Kind::expectation);
}

void check_arrival(const Model& model,
                   const Policy& policy,
                   const PolicyClaim& claim,
                   CheckLimits& limits,
                   Findings& findings) {
  try {
    ArrivalCheck(model, policy, claim, limits, findings).run();
  } catch (const LimitMet&) {
    findings.leave_open(limits.policy_was_not_followed());
  }
}

}  // namespace quantiplan::checking
