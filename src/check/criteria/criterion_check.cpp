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
#include "check/criteria/arrival_check.hpp"
#include "check/criteria/best_worth.hpp"
#include "check/criteria/course.hpp"
#include "check/criteria/criterion_law.hpp"
#include "check/criteria/listed_optimum.hpp"
#include "check/criteria/optimum_searches.hpp"
#include "check/criteria/policy_moments.hpp"
#include "check/criteria/rounded_worth.hpp"
#include "check/criteria/shown_values.hpp"
#include "check/criteria/step_recursions.hpp"
#include "check/criteria/variance_bound.hpp"
#include "numbers/directed.hpp"

namespace quantiplan::checking {
namespace {

using Kind = Criterion::Kind;

constexpr std::size_t kFewPlaces = 20'000;
constexpr std::size_t kFewestPlaces = 1'000;

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
    if (may_miss_) {
      findings_.refute("The policy may miss the goal: its " + name() + " is no number.");
      return;
    }
    if (own_least_) {
      confirm_least(*own_least_);
      return;
    }
    if (!value) {
      findings_.leave_open(why_open_);
      return;
    }
    const Rational& claimed = claim_.quantile.value();
    const std::string sentence =
        name() + (has_law_ ? " of the policy's own law is " : " of the policy itself is ") +
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

  // Nobody reaches the goal surely.
  void confirm_miss() {
    set_course(0);
    if (!course_) {
      findings_.leave_open(
          "Whether the goal can be reached surely was not rechecked: too many places.");
      return;
    }
    if (step_bounds(*course_, policy_, Whose::best, LeastOfStep{}))
      findings_.refute("Some policy reaches the goal surely: " + name() +
                       " is a number, not a miss.");
    else
      findings_.say("No policy reaches the goal surely.");
    findings_.optimality_was_checked();
  }

  void confirm_best() {
    try {
      const auto greatest = greatest_value();
      if (!greatest) {
        leave_out(why_open_);
        return;
      }
      const bool is_more = greatest->lower > bound();
      const std::string value =
          !is_bound_ ? shown_bounds(*greatest)
          : is_more  ? "at least " + shown_bound(greatest->lower, round_down(greatest->lower))
                     : "no more than " + shown_bound(greatest->upper, round_up(greatest->upper));
      const std::string sentence =
          "The greatest " + name() + " of all policies is " + value + ", by " + means_;
      if (is_more) {
        findings_.refute(sentence + ": more than the claimed " + level_text(bound()) + ".");
      } else if (greatest->upper > bound() && greatest->lower != greatest->upper) {
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
  [[nodiscard]] Rational bound() const { return claim_.upper.value_or(claim_.quantile).value(); }
  [[nodiscard]] bool is_evar_search() const {
    return criterion_.kind == Kind::evar && claim_.tau > 0 && claim_.tau < 1;
  }
  [[nodiscard]] bool is_mean() const {
    return criterion_.kind == Kind::expectation ||
           (criterion_.kind == Kind::evar && claim_.tau == 1);
  }
  [[nodiscard]] bool is_worst_case() const {
    return criterion_.kind == Kind::worst_case ||
           (claim_.tau == 0 && (criterion_.kind == Kind::evar || criterion_.kind == Kind::cvar));
  }
  // CVaR, or its mixture with the mean.
  [[nodiscard]] std::optional<ShareWorth> share() const {
    if (claim_.tau <= 0) return std::nullopt;
    if (criterion_.kind == Kind::cvar) return ShareWorth{0, claim_.tau};
    if (criterion_.kind == Kind::mean_cvar) return ShareWorth{criterion_.parameter, claim_.tau};
    return std::nullopt;
  }
  [[nodiscard]] bool is_infinite() const { return policy_.setting.is_infinite(); }
  void leave_out(const std::string& why) {
    findings_.leave_out("That no policy does better was not rechecked: " + why);
  }
  // What a grid shows is at least that, whatever the true totals are.
  void confirm_least(double least) {
    const std::string sentence =
        name() + " of the policy, by the index it carries, is at least " + shown(least) + ": ";
    if (claim_.upper && Rational(least) > claim_.upper->value())
      findings_.refute(sentence + "more than the claimed bound " + level_text(*claim_.upper) + ".");
    else if (Rational(least) >= claim_.quantile.value())
      findings_.say(sentence + "as claimed.");
    else if (const auto most = most_of_all(claim_.quantile.value());
             most && *most < claim_.quantile.value())
      findings_.refute(sentence + "no policy has as much as the claimed " +
                       level_text(claim_.quantile) + ".");
    else
      findings_.leave_open(sentence + "that it is the claimed " + level_text(claim_.quantile) +
                           " is not shown.");
  }

  // So far that what follows is that small a part of what the claim leaves open.
  void set_course(double part) {
    const bool is_open = claim_.quantile.is_finite();
    const Rational rest =
        is_open ? Rational((bound() - claim_.quantile.value()) * Rational(part)) : Rational(0);
    course_.reset();
    if (const auto course = course_of(model_, policy_.setting, rest, limits_))
      course_.emplace(*course);
  }

  std::optional<ValueBounds> own_value(std::string& lost) {
    why_open_ = "The policy was not followed: too many places can be reached.";
    const ResolvedSetting& setting = policy_.setting;
    set_course(is_evar_search() ? 0x1p-12 : 0x1p-36);
    const bool is_by_state = !policy_.target && course_;
    if (criterion_.kind == Kind::nested_cvar && policy_.target) {
      why_open_ = "Nested CVaR is rechecked of policies that go by time and state alone.";
      return std::nullopt;
    }
    if (is_by_state) {
      lost = place_without_rule(*course_, policy_);
      if (!lost.empty()) return std::nullopt;
    }
    if (!setting.goal.empty()) {
      if (!is_by_state) return std::nullopt;
      may_miss_ = !step_bounds(*course_, policy_, Whose::policy, LeastOfStep{});
      if (may_miss_) return std::nullopt;
    }
    if (is_by_state) {
      if (is_mean()) return step_bounds(*course_, policy_, Whose::policy, MeanOfStep{});
      if (is_worst_case()) return step_bounds(*course_, policy_, Whose::policy, LeastOfStep{});
      if (criterion_.kind == Kind::nested_cvar)
        return step_bounds(*course_, policy_, Whose::policy, WorstShareOfStep{claim_.tau});
      if (criterion_.kind == Kind::entropic)
        return entropic_value(*course_, policy_, false, criterion_.parameter);
    }
    // On a grid a few places are listed, and more only if the grid shows too little.
    std::optional<ValueBounds> value;
    if (follow(policy_.grid ? kFewPlaces : kMostPlacesOfBest, lost, value)) return value;
    if (is_evar_search() && is_by_state) {
      const Rational& claimed = claim_.quantile.value();
      value = evar_of_steps(*course_, policy_, claim_.tau, claimed);
      const bool is_open = value && value->lower < claimed && claimed <= value->upper;
      if (!is_open || !is_infinite()) return value;
      set_course(0x1p-36);
      return course_ ? evar_of_steps(*course_, policy_, claim_.tau, claimed) : value;
    }
    if (const auto worth = share())
      own_least_ = least_worth(model_, policy_, *worth, limits_);
    else if (criterion_.kind == Kind::utility)
      own_least_ = least_worth(model_, policy_, *criterion_.utility, limits_);
    else if (criterion_.kind == Kind::mean_variance)
      own_least_ = least_mean_variance(model_, policy_, criterion_.parameter, limits_);
    const bool is_shown = own_least_ && Rational(*own_least_) >= claim_.quantile.value();
    if (!is_shown && policy_.grid && follow(kMostPlacesOfBest, lost, value)) own_least_.reset();
    return value;
  }

  // By the law of the policy's totals, place by place; false if there are too many.
  bool follow(std::size_t most_places, std::string& lost, std::optional<ValueBounds>& value) {
    // Without end a law is known where all episodes end soon.
    if (is_infinite()) most_places = kFewestPlaces;
    const auto law = law_of_policy(model_, policy_, most_places, limits_, lost);
    if (!law) return !lost.empty();
    has_law_ = true;
    why_open_ = "The utility of some total is infinite, or beyond what doubles hold.";
    value = value_of_law(*law, criterion_, claim_.tau);
    return true;
  }

  std::optional<ValueBounds> greatest_value() {
    why_open_ = "too many places can be reached.";
    const bool is_by_state = is_mean() || is_worst_case() || is_evar_search() ||
                             criterion_.kind == Kind::nested_cvar ||
                             criterion_.kind == Kind::entropic;
    if (is_by_state) return course_ ? greatest_of_steps() : std::nullopt;
    if (is_infinite()) return greatest_rounded();
    try {
      return greatest_listed(policy_.grid ? kFewPlaces : kMostPlacesOfBest);
    } catch (const TooLarge&) {
      if (auto found = greatest_rounded(); found || !policy_.grid) return found;
    }
    return greatest_listed(kMostPlacesOfBest);
  }

  std::optional<ValueBounds> greatest_of_steps() {
    means_ = "a recursion over times and states";
    if (is_mean()) return step_bounds(*course_, policy_, Whose::best, MeanOfStep{});
    if (is_worst_case()) return step_bounds(*course_, policy_, Whose::best, LeastOfStep{});
    if (criterion_.kind == Kind::nested_cvar)
      return step_bounds(*course_, policy_, Whose::best, WorstShareOfStep{claim_.tau});
    if (criterion_.kind == Kind::entropic) {
      auto found = entropic_value(*course_, policy_, true, criterion_.parameter);
      // By Jensen's inequality nobody has more than the greatest mean.
      const auto mean = step_bounds(*course_, policy_, Whose::best, MeanOfStep{});
      if (!found || !mean) return std::nullopt;
      found->upper = std::min(found->upper, mean->upper);
      found->lower = std::min(found->lower, found->upper);
      return found;
    }
    is_bound_ = true;
    means_ = "recursions over times and states";
    why_open_ = "bounds of EVaR by recursions for some beta are not close enough to the claim.";
    auto found = bound_evar(*course_, policy_, true, claim_.tau, bound());
    if (found || !course_->is_cut()) return found;
    set_course(0x1p-48);
    return course_ ? bound_evar(*course_, policy_, true, claim_.tau, bound()) : std::nullopt;
  }

  std::optional<ValueBounds> greatest_listed(std::size_t most_places) {
    BestWorth best(model_, policy_.setting, limits_);
    best.expand(most_places);
    is_bound_ = false;
    means_ = "a recursion over " + std::to_string(best.places()) + " places";
    if (criterion_.kind == Kind::utility) {
      why_open_ = "the utility of some total is infinite, or beyond what doubles hold.";
      return greatest_utility(best, *criterion_.utility);
    }
    if (criterion_.kind == Kind::mean_variance) {
      is_bound_ = true;
      means_ = "recursions over " + std::to_string(best.places()) + " places";
      why_open_ = "it takes too many recursions.";
      return bound_mean_variance(best, criterion_.parameter, bound());
    }
    return ValueBounds::exactly(greatest_share(best, share().value()));
  }

  // No policy that has as much as `claimed` has more than that.
  std::optional<Rational> most_of_all(const Rational& claimed) {
    if (criterion_.kind == Kind::mean_variance) {
      const auto mean =
          course_ ? step_bounds(*course_, policy_, Whose::best, MeanOfStep{}) : std::nullopt;
      if (!mean) return std::nullopt;
      return most_mean_variance(*course_, criterion_.parameter, mean->upper, claimed);
    }
    std::optional<double> most;
    const ValueBounds ends{claim_.quantile.value(), bound()};
    if (const auto worth = share())
      most = most_worth(model_, policy_, *worth, ends, limits_);
    else if (criterion_.kind == Kind::utility)
      most = most_worth(model_, policy_, *criterion_.utility, ends, limits_);
    if (!most) return std::nullopt;
    return Rational(*most);
  }

  std::optional<ValueBounds> greatest_rounded() {
    const auto most = most_of_all(bound());
    if (!most) return std::nullopt;
    const bool is_quadratic = criterion_.kind == Kind::mean_variance;
    is_bound_ = true;
    means_ = is_quadratic ? "a recursion over times, states and levels, with chords between these"
                          : "a recursion with rewards rounded up";
    why_open_ = "such bounds show no more than that it is at most " + shown(round_up(*most)) + ".";
    if (*most > bound()) return std::nullopt;
    return ValueBounds::exactly(is_quadratic ? bound() : *most);
  }

  std::string why_open_;
  std::string means_;  // how what is best was found
  bool is_bound_ = false;
  bool has_law_ = false;
  bool may_miss_ = false;
  std::optional<double> own_least_;  // by a grid
  std::optional<Course> course_;
  const Model& model_;
  const Policy& policy_;
  const Criterion& criterion_;
  const PolicyClaim& claim_;
  CheckLimits& limits_;
  Findings& findings_;
};

std::string why_not_rechecked(const ResolvedSetting& setting, const Criterion& criterion) {
  if (setting.adversarial) return "Of this criterion claims are not rechecked against adversaries.";
  if (is_cost_to_goal(setting, criterion)) return {};
  const bool is_by_state = criterion.kind == Kind::entropic || criterion.kind == Kind::evar ||
                           criterion.kind == Kind::nested_cvar;
  if (!setting.goal.empty() && (setting.is_infinite() || !is_by_state))
    return "With a goal, claims of this criterion are not rechecked.";
  if (setting.is_infinite() && setting.discount == 1)
    return "At an infinite horizon without a discount, claims of this criterion are not rechecked.";
  return {};
}

}  // namespace

CheckReport check_criterion(const Model& model,
                            const Policy& policy,
                            const PolicyClaim& claim,
                            const Options& options) {
  Findings findings;
  const bool is_miss = claim.quantile.is_miss() && !claim.upper && !policy.setting.goal.empty();
  const bool is_sound = claim.criterion && (is_miss || claim.quantile.is_finite()) &&
                        (!claim.upper || claim.upper->is_finite()) && claim.tau >= 0 &&
                        claim.tau <= 1;
  if (!is_sound) {
    findings.refute("A claim about this criterion is about numbers, and a tau from 0 to 1.");
    return findings.take();
  }
  if (const std::string why = why_not_rechecked(policy.setting, *claim.criterion); !why.empty()) {
    findings.leave_open(why);
    return findings.take();
  }
  note_overrides(model, policy.setting, findings);
  CheckLimits limits(options);
  if (is_cost_to_goal(policy.setting, *claim.criterion)) {
    check_arrival(model, policy, claim, limits, findings);
    return findings.take();
  }
  CriterionCheck check(model, policy, claim, limits, findings);
  try {
    if (is_miss) {
      check.confirm_miss();
      return findings.take();
    }
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
