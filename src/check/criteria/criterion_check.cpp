#include "check/criteria/criterion_check.hpp"

#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/common/demand.hpp"
#include "check/common/findings.hpp"
#include "check/common/overrides.hpp"
#include "check/criteria/best_worth.hpp"
#include "check/criteria/criterion_law.hpp"
#include "check/criteria/optimum_searches.hpp"
#include "check/criteria/step_recursions.hpp"
#include "numbers/directed.hpp"

namespace quantiplan::checking {
namespace {

using Kind = Criterion::Kind;

constexpr std::size_t kMostTotals = 2'000;

class CriterionCheck {
 public:
  CriterionCheck(const Model& model,
                 const Policy& policy,
                 const PolicyClaim& claim,
                 CheckLimits& limits,
                 Findings& findings)
      : model_(model),
        policy_(policy),
        criterion_(*claim.criterion),
        claim_(claim),
        limits_(limits),
        findings_(findings) {}

  void confirm_own() {
    std::string lost;
    const auto value = own_value(lost);
    if (!lost.empty()) {
      findings_.refute("At " + lost + " the policy has no rule.");
      return;
    }
    if (!value) {
      findings_.leave_open(why_open_);
      return;
    }
    const Rational& claimed = claim_.quantile.value();
    const bool has_law = criterion_.kind != Kind::nested_cvar;
    const std::string sentence =
        name() + (has_law ? " of the policy's own law is " : " of the policy itself is ") +
        shown_bounds(*value) + ": ";
    if (value->upper < claimed)
      findings_.refute(sentence + "less than the claimed " + level_text(claim_.quantile) + ".");
    else if (!claim_.upper && value->lower > claimed)
      findings_.refute(sentence + "not the claimed " + level_text(claim_.quantile) + ".");
    else if (claim_.upper && value->lower > claim_.upper->value())
      findings_.refute(sentence + "more than the claimed bound " + level_text(*claim_.upper) + ".");
    else if (claim_.upper && value->lower < claimed)
      findings_.leave_open(sentence + "too close to the claimed " + level_text(claim_.quantile) +
                           " to tell.");
    else
      findings_.say(sentence + (claim_.upper ? "within what is claimed." : "as claimed."));
  }

  void confirm_best() {
    try {
      const auto greatest = greatest_value();
      if (!greatest) {
        leave_out(why_open_);
        return;
      }
      const Rational bound = claim_.upper.value_or(claim_.quantile).value();
      const bool is_searched = criterion_.kind == Kind::mean_variance || is_evar_search();
      const bool is_more = greatest->lower > bound;
      const std::string value =
          !is_searched ? shown_bounds(*greatest)
          : is_more    ? "at least " + shown_bound(greatest->lower, round_down(greatest->lower))
                       : "no more than " + shown_bound(greatest->upper, round_up(greatest->upper));
      const std::string sentence = "The greatest " + name() + " of all policies is " + value +
                                   ", by " + (is_searched ? "recursions" : "a recursion") +
                                   " over " + places_;
      if (is_more) {
        findings_.refute(sentence + ": more than the claimed " + level_text(bound) + ".");
      } else if (greatest->upper > bound && greatest->lower != greatest->upper) {
        leave_out("the greatest " + name() + " is " + shown_bounds(*greatest) +
                  ", too close to the claim to tell.");
        return;
      } else {
        findings_.say(sentence + ".");
      }
      findings_.optimality_was_checked();
    } catch (const TooLarge&) {
      leave_out("too many places can be reached.");
    }
  }

 private:
  [[nodiscard]] std::string name() const { return to_text(criterion_); }
  [[nodiscard]] bool is_evar_search() const {
    return criterion_.kind == Kind::evar && claim_.tau > 0 && claim_.tau < 1;
  }
  void leave_out(const std::string& why) {
    findings_.leave_out("That no policy does better was not rechecked: " + why);
  }
  static std::string shown_bounds(const ValueBounds& value) {
    if (value.lower == value.upper) return level_text(value.lower);
    return "about " + shown(to_nearest_double(value.lower));
  }
  // Of bounds whose text would be cut, the double on their side.
  static std::string shown_bound(const Rational& bound, double on_its_side) {
    const std::string text = level_text(bound);
    return text.ends_with("...") ? shown(on_its_side) : text;
  }

  std::optional<ValueBounds> own_value(std::string& lost) {
    why_open_ = "The policy was not followed: too many places can be reached.";
    if (criterion_.kind == Kind::nested_cvar) {
      if (policy_.target) {
        why_open_ = "Nested CVaR is rechecked of policies that go by time and state alone.";
        return std::nullopt;
      }
      return nested_value(model_, policy_, false, claim_.tau, limits_, lost);
    }
    const auto law = law_of_policy(model_, policy_, limits_, lost);
    if (!law) return std::nullopt;
    why_open_ = "The utility of some total is infinite, or beyond what doubles hold.";
    return value_of_law(*law, criterion_, claim_.tau);
  }

  std::optional<ValueBounds> greatest_value() {
    why_open_ = "too many places can be reached.";
    if (criterion_.kind == Kind::nested_cvar || criterion_.kind == Kind::entropic) {
      places_ = "times and states";
      std::string lost;
      return criterion_.kind == Kind::entropic
                 ? best_entropic(model_, policy_.setting, criterion_.parameter, limits_)
                 : nested_value(model_, policy_, true, claim_.tau, limits_, lost);
    }
    const Rational bound = claim_.upper.value_or(claim_.quantile).value();
    if (is_evar_search()) {
      places_ = "times and states";
      why_open_ = "bounds of EVaR by recursions for some beta are not close enough to the claim.";
      return bound_evar(model_, policy_.setting, claim_.tau, bound, limits_);
    }
    BestWorth best(model_, policy_.setting, limits_);
    best.expand();
    places_ = std::to_string(best.places()) + " places";
    if (criterion_.kind == Kind::utility) return greatest_utility(best);
    if (criterion_.kind == Kind::mean_variance) {
      why_open_ = "it takes too many recursions.";
      return bound_mean_variance(best, criterion_.parameter, bound);
    }
    const auto value = greatest_of(best);
    if (value) return ValueBounds::exactly(*value);
    why_open_ = "a worst case is one of the graph alone, which the check of worst-case is about.";
    return std::nullopt;
  }

  // By the utility's bounds where it is not rational.
  std::optional<ValueBounds> greatest_utility(BestWorth& best) {
    bool is_finite = true;
    const auto bound = [&](bool upper) {
      return best.best([&](const Rational& total) {
        const auto at = utility_bounds(*criterion_.utility, total);
        is_finite = is_finite && at;
        return !at ? Rational(0) : upper ? at->upper : at->lower;
      });
    };
    why_open_ = "the utility of some total is infinite, or beyond what doubles hold.";
    const Rational upper = bound(true);
    if (!is_finite) return std::nullopt;
    return ValueBounds{criterion_.utility->is_exact() ? upper : bound(false), upper};
  }

  std::optional<Rational> greatest_of(BestWorth& best) {
    const bool is_mean =
        criterion_.kind == Kind::expectation || (criterion_.kind == Kind::evar && claim_.tau == 1);
    if (is_mean) return best.best([](const Rational& total) { return total; });
    const bool is_mixed = criterion_.kind == Kind::mean_cvar;
    if ((!is_mixed && criterion_.kind != Kind::cvar) || claim_.tau <= 0) return std::nullopt;
    const Rational weight = is_mixed ? criterion_.parameter : Rational(0);
    const Rational loss = (1 - weight) / claim_.tau;
    const std::set<Rational> totals = best.totals();
    if (totals.size() > kMostTotals || totals.size() * best.places() > 20 * kMostPlacesOfBest)
      throw TooLarge{};
    std::optional<Rational> greatest;
    for (const Rational& y : totals) {
      const Rational value = y + best.best([&](const Rational& total) {
        const Rational x = total - y;
        return x < 0 ? Rational((weight + loss) * x) : Rational(weight * x);
      });
      if (!greatest || value > *greatest) greatest = value;
    }
    return greatest;
  }

  std::string why_open_;
  std::string places_;
  const Model& model_;
  const Policy& policy_;
  const Criterion& criterion_;
  const PolicyClaim& claim_;
  CheckLimits& limits_;
  Findings& findings_;
};

}  // namespace

CheckReport check_criterion(const Model& model,
                            const Policy& policy,
                            const PolicyClaim& claim,
                            const Options& options) {
  Findings findings;
  const bool is_sound = claim.criterion && claim.quantile.is_finite() &&
                        (!claim.upper || claim.upper->is_finite()) && claim.tau >= 0 &&
                        claim.tau <= 1;
  if (!is_sound) {
    findings.refute("A claim about this criterion is about numbers, and a tau from 0 to 1.");
    return findings.take();
  }
  if (policy.setting.adversarial || !policy.setting.goal.empty() || policy.setting.is_infinite()) {
    findings.leave_open(
        "Of this criterion claims are rechecked over a finite horizon, without goals and "
        "adversaries.");
    return findings.take();
  }
  note_overrides(model, policy.setting, findings);
  CheckLimits limits(options);
  CriterionCheck check(model, policy, claim, limits, findings);
  try {
    check.confirm_own();
  } catch (const LimitMet&) {
    findings.leave_open(limits.policy_was_not_followed());
  }
  if (!findings.passed()) return findings.take();
  try {
    check.confirm_best();
  } catch (const LimitMet&) {
    findings.leave_out("That no policy does better was not rechecked: " + limits.reason());
  }
  return findings.take();
}

}  // namespace quantiplan::checking
