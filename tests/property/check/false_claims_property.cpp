// False claims about policies for goals, costs, adversaries and no end are refuted.
#include <gtest/gtest.h>

#include "harness/aimed_case.hpp"
#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "oracles/play.hpp"

namespace quantiplan::testing {
namespace {

class Refuter {
 public:
  Refuter(const AimedCase& c, const Policy& policy, std::string where)
      : c_(c), policy_(policy), where_(std::move(where)) {}
  void refuted(const PolicyClaim& claim, const std::string& what) const {
    const CheckReport report = check(c_.model, policy_, claim);
    require(!report.passed, where_ + what + " was not noticed; check " + verdict(report));
  }

 private:
  const AimedCase& c_;
  const Policy& policy_;
  std::string where_;
};

// What a policy shows: that a total is reached often enough, or (an adversary's) that more is not.
bool shows(const AimedCase& c, Aim aim, const Policy& policy, const PolicyClaim& claim) {
  try {
    const Play play(c.plain, c.model, policy);
    if (aim == Aim::greatest)
      return suffices(play.at_least(claim.quantile), claim.tau, claim.side) &&
             play.at_least(claim.quantile) == claim.exact_probability;
    const Total above = Rational(claim.quantile.value() + c.unit());
    return !suffices(play.at_least(above), claim.tau, claim.side);
  } catch (const std::runtime_error&) {
    return false;  // it comes to places it has no rule for
  }
}

void require_worse_is_refuted(const AimedCase& c,
                              Aim aim,
                              const Policy& policy,
                              const std::string& where) {
  for (std::size_t i = 0; i < policy.rules.size(); ++i) {
    for (std::size_t j = 0; j < policy.rules[i].runs.size() && j < 4; ++j) {
      for (const Choice other : c.model.choices(policy.rules[i].state)) {
        Policy tampered = policy;
        tampered.rules[i].runs[j].choice = other;
        if (shows(c, aim, tampered, *policy.claim)) continue;
        Refuter(c, tampered, where).refuted(*policy.claim, "a worse action");
      }
    }
  }
}

void require_refutations(AimedCase& c) {
  Options options;
  options.arithmetic = Arithmetic::exact;
  options.time_limit_seconds = patience_seconds();
  Dice dice(c.seed ^ 0x66616C7365U);
  for (const Aim aim : kBothAims) {
    const Answer answer = solve(c.model, c.query(aim), options);
    for (const Result& result : answer.results) {
      if (!result.attained || !result.quantile->is_finite() || !dice.one_in(3)) continue;
      const std::string where = name_of(aim) + ", tau " + shown(result.tau) + " " +
                                std::string(to_text(result.side)) + ", quantile " +
                                shown(*result.quantile) + ": ";
      const Policy policy = result.policy();
      const Refuter refuter(c, policy, where);
      for (const int units : {-3, -1, 1, 3}) {
        PolicyClaim claim = *policy.claim;
        claim.quantile = Rational(result.quantile->value() + units * c.unit());
        refuter.refuted(claim, "a quantile off by " + std::to_string(units) + " units");
      }
      for (const Total& wrong : {Total::miss(), Total::minus_infinity(), Total::plus_infinity()}) {
        PolicyClaim claim = *policy.claim;
        claim.quantile = wrong;
        refuter.refuted(claim, "quantile " + shown(wrong));
      }
      PolicyClaim claim = *policy.claim;
      claim.exact_probability = *claim.exact_probability - Rational(0x1p-900);
      refuter.refuted(claim, "a wrong exact probability");
      claim = *policy.claim;
      claim.exact_probability.reset();
      claim.probability = claim.probability > 0.5 ? claim.probability * 0.999 : 0.75;
      refuter.refuted(claim, "a wrong probability");
      require_worse_is_refuted(c, aim, policy, where);
    }
    const ThresholdAnswer thresholds =
        threshold(c.model, {c.targets(aim), c.setting(aim)}, options);
    for (const ThresholdResult& result : thresholds.results) {
      if (!dice.one_in(3)) continue;
      const Policy policy = result.policy();
      const Refuter refuter(c, policy, name_of(aim) + ", target " + shown(result.target) + ": ");
      for (const Rational& off : {Rational(1, 1000), Rational(-1, 1000)}) {
        PolicyClaim claim = *policy.claim;
        const Rational wrong = *claim.exact_probability + off;
        if (wrong < 0 || wrong > 1) continue;
        claim.exact_probability = wrong;
        claim.probability = to_nearest_double(wrong);
        refuter.refuted(claim, "a probability off by " + shown(off));
        claim.exact_probability.reset();
        refuter.refuted(claim, "a double off by " + shown(off));
      }
    }
  }
}

QUANTIPLAN_PROPERTY_OF(InfiniteCase, FalseInfiniteClaimsAreRefuted, infinite_model, 0.05) {
  require_refutations(c);
}
QUANTIPLAN_PROPERTY_OF(AimedCase, FalseClaimsAboutGoalsAreRefuted, goal_model, 0.05) {
  if (c.plain.discount == 1) require_refutations(c);
}

}  // namespace
}  // namespace quantiplan::testing
