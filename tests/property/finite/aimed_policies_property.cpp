// Policies of goals, costs, adversaries and the infinite horizon: played by the book, they attain
// what was said of them, survive their file, and pass the check.
#include <gtest/gtest.h>

#include "harness/aimed_case.hpp"
#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "oracles/infinite_reference.hpp"
#include "oracles/play.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan::testing {
namespace {

// The totals that tell a quantile from any greater one: each has to be missed.
std::vector<Total> just_above(const AimedCase& c, const Total& quantile) {
  switch (quantile.kind()) {
    case Total::Kind::miss:
      return {Total::minus_infinity()};
    case Total::Kind::minus_infinity: {
      std::vector<Total> some;
      for (const int k : {-40, -7, -1, 0}) some.emplace_back(Rational(c.unit() * k));
      return some;
    }
    case Total::Kind::finite: {
      // Discounted wealth is no multiple of a unit.
      const Rational off = c.plain.discount == 1 ? c.unit() : Rational(1, 1'000'000'000);
      return {Rational(quantile.value() + off)};
    }
    case Total::Kind::plus_infinity:
      break;
  }
  return {};
}

// The totals that a policy with this quantile reaches often enough.
std::vector<Total> up_to(const AimedCase& c, const Total& quantile) {
  if (quantile != Total::plus_infinity()) return {quantile};
  std::vector<Total> some;
  for (const int k : {0, 1, 7, 40}) some.emplace_back(Rational(c.unit() * k));
  return some;
}

void require_attained(
    AimedCase& c, Aim aim, const Result& result, const Policy& policy, const std::string& where) {
  const Play play(c.plain, c.model, policy);
  const Total& quantile = *result.quantile;
  if (aim == Aim::greatest) {
    for (const Total& w : up_to(c, quantile))
      require(suffices(play.at_least(w), result.tau, result.side),
              where + "the policy reaches " + shown(w) + " with " + shown(play.at_least(w)) +
                  " only; quantile " + shown(quantile));
    const Rational reached = play.at_least(quantile);
    const Rational best = c.truth(aim).optimum(result.tau, result.side).probability;
    require(result.probability->exact ? reached == best : best - reached <= Rational(0x1p-40),
            where + "the policy reaches " + shown(quantile) + " with " + shown(reached) +
                ", must be " + shown(best));
  } else {
    for (const Total& w : just_above(c, *result.upper))
      require(!suffices(play.at_least(w), result.tau, result.side),
              where + "the adversary leaves " + shown(play.at_least(w)) + " for " + shown(w) +
                  ", more than " + shown(*result.upper));
  }
}

void require_policies(AimedCase& c) {
  Dice dice(c.seed ^ 0x706F6C69U);
  for (const AimedRun& run : aimed_runs(c)) {
    for (const Aim aim : kBothAims) {
      const Answer answer = solve(c.model, c.query(aim), run.options);
      for (const Result& result : answer.results) {
        if (!result.attained || !dice.one_in(2)) continue;
        const std::string where = place(run, aim, result.tau, result.side);
        // For a miss any policy will do, and for the adversary any against +inf.
        const bool any_will_do = aim == Aim::greatest ? result.quantile->is_miss()
                                                      : *result.quantile == Total::plus_infinity();
        if (any_will_do && !result.policy) continue;
        require(static_cast<bool>(result.policy), where + "no policy");
        const Policy policy = result.policy();
        require_attained(c, aim, result, policy, where);
        const std::string text = format_policy(policy, c.model);
        const Policy again = parse_policy(text, c.model, "again");
        require(format_policy(again, c.model) == text,
                std::string(where).append("the second writing differs from\n").append(text));
        require_attained(c, aim, result, again, where + "read back, ");
        if (!result.quantile->is_finite() && !policy.claim) continue;
        require(policy.claim.has_value(), where + "no claim about " + shown(*result.quantile));
        require(policy.claim->quantile == *result.quantile && policy.claim->tau == result.tau &&
                    policy.claim->side == result.side,
                where + "quantile " + shown(*result.quantile) + ", but the claim is about " +
                    shown(policy.claim->quantile) + " at tau " + shown(policy.claim->tau) + " " +
                    std::string(to_text(policy.claim->side)));
      }
    }
  }
}

QUANTIPLAN_PROPERTY_OF(AimedCase, PoliciesForGoalsKeepTheirWord, goal_model, 0.15) {
  require_policies(c);
}
QUANTIPLAN_PROPERTY_OF(InfiniteCase, InfinitePoliciesKeepTheirWord, infinite_model, 0.25) {
  require_policies(c);
}
QUANTIPLAN_PROPERTY_OF(InfiniteCase, PoliciesWithoutCyclesKeepTheirWord, acyclic_model, 0.05) {
  require_policies(c);
}

void require_threshold_policies(AimedCase& c) {
  Dice dice(c.seed ^ 0x74687265U);
  for (const AimedRun& run : aimed_runs(c)) {
    for (const Aim aim : kBothAims) {
      const ThresholdAnswer answer =
          threshold(c.model, {c.targets(aim), c.setting(aim)}, run.options);
      for (const ThresholdResult& result : answer.results) {
        if (!dice.one_in(2)) continue;
        const std::string where =
            run.name + ", " + name_of(aim) + ", target " + shown(result.target) + ": ";
        require(static_cast<bool>(result.policy), where + "no policy");
        const Policy policy = result.policy();
        const Rational truth = c.truth(aim).at_least(result.target);
        const Rational reached = Play(c.plain, c.model, policy).at_least(result.target);
        const bool is_exact = result.probability->exact.has_value() && !result.upper;
        const auto end = [](const Value& v) { return v.exact.value_or(Rational(v.nearest)); };
        require(
            is_exact ? reached == truth
            : aim == Aim::greatest
                ? reached >= end(*result.probability) - Rational(0x1p-50)
                : reached <= end(result.upper.value_or(*result.probability)) + Rational(0x1p-50),
            where + "the policy has " + shown(reached) + ", the truth is " + shown(truth));
        require(policy.claim.has_value() && policy.claim->quantile == result.target &&
                    policy.claim->kind == PolicyClaim::Kind::threshold,
                where + "the claim is about something else");
        const std::string text = format_policy(policy, c.model);
        const std::string second = format_policy(parse_policy(text, c.model, "again"), c.model);
        require(
            second == text,
            std::string(where).append("the second writing differs\n").append(text).append(second));
      }
    }
  }
}

QUANTIPLAN_PROPERTY_OF(AimedCase, ThresholdPoliciesForGoalsKeepTheirWord, goal_model, 0.1) {
  require_threshold_policies(c);
}
QUANTIPLAN_PROPERTY_OF(InfiniteCase, InfiniteThresholdPoliciesKeepTheirWord, infinite_model, 0.1) {
  require_threshold_policies(c);
}

// The checker agrees, for answers and for thresholds.
void require_checks(AimedCase& c) {
  Dice dice(c.seed ^ 0x636865636BU);
  for (AimedRun run : aimed_runs(c)) {
    run.options.check = true;
    for (const Aim aim : kBothAims) {
      const Answer answer = solve(c.model, c.query(aim), run.options);
      for (const Result& result : answer.results) {
        const std::string where = place(run, aim, result.tau, result.side);
        require(result.check.has_value(), where + "was not checked");
        // Of totals beyond all numbers, and of misses on a grid, nothing is claimed.
        if (!result.quantile->is_finite() && result.check->nothing_to_check) continue;
        require(
            result.check->passed && result.check->optimality_checked,
            where + "quantile " + shown(*result.quantile) + ", check " + verdict(*result.check));
      }
      const ThresholdAnswer thresholds =
          threshold(c.model, {c.targets(aim), c.setting(aim)}, run.options);
      for (const ThresholdResult& result : thresholds.results) {
        const std::string where =
            run.name + ", " + name_of(aim) + ", target " + shown(result.target) + ": ";
        require(result.check.has_value(), where + "was not checked");
        require(result.check->passed && result.check->optimality_checked,
                where + "check " + verdict(*result.check));
      }
    }
  }
}

QUANTIPLAN_PROPERTY_OF(AimedCase, ChecksOfGoalsPass, goal_model, 0.05) { require_checks(c); }
QUANTIPLAN_PROPERTY_OF(InfiniteCase, InfiniteChecksPass, infinite_model, 0.1) { require_checks(c); }
QUANTIPLAN_PROPERTY_OF(InfiniteCase, ChecksWithoutCyclesPass, acyclic_model, 0.05) {
  require_checks(c);
}

}  // namespace
}  // namespace quantiplan::testing
