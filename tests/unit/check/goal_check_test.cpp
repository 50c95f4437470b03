// Goals, costs and adversaries at a finite horizon: an errand within three steps.
//
//     walk    costs 2, arrives with 1/2, else home again
//     bus     costs 5, arrives
//     stray   costs 1, arrives with 1/4, else lost
//
// The greatest P(arrive at a cost of at most c): 1/4 for 1, 1/2 for 2, 5/8 for 3 (walk, stray), 3/4
// for 4, 1 for 5. The least: 0 below 5 (bus), 1/4 from 5 on (stray).
#include <gtest/gtest.h>

#include "check/check_models.hpp"
#include "check/verdicts_of_checks.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

Model errand() {
  ModelBuilder b;
  b.horizon(3).initial("home").goal("shop").rewards_are_costs();
  b.begin_choice("home", "walk").add_outcome("shop", "1/2", 2).add_outcome("home", "1/2", 2);
  b.begin_choice("home", "bus").add_outcome("shop", 1, 5);
  b.begin_choice("home", "stray").add_outcome("shop", "1/4", 1).add_outcome("lost", "3/4", 1);
  return b.build();
}

class Errand : public ::testing::Test {
 protected:
  // One action at each time.
  Policy doing(const std::vector<const char*>& actions,
               std::optional<Rational> target = std::nullopt,
               const Setting& setting = {}) {
    Policy policy = empty_policy(model_, std::move(target), setting);
    for (std::size_t t = 0; t < actions.size(); ++t)
      add_rule(policy, model_, t, "home", {{{}, actions[t]}});
    return policy;
  }
  // Whatever can still be had for y: stray for 1, walk for up to 4, else the bus.
  Policy by_residual(const char* target) {
    Policy policy = empty_policy(model_, number(target));
    for (std::uint64_t t = 0; t < 3; ++t)
      add_rule(policy,
               model_,
               t,
               "home",
               {{Rational(-5), "bus"}, {Rational(-2), "walk"}, {{}, "stray"}});
    return policy;
  }

  Model model_ = errand();
};

TEST_F(Errand, AQuantileIsConfirmed) {
  const std::string none_better =
      "The greatest P(W > -3) of any policy is 0.5: it is not more than 0.5, so no policy promises "
      "more.";
  const CheckReport report =
      check(model_, by_residual("-3"), claim("0.5", Side::lower, "-3", 0.625, number("5/8")));
  expect_confirmed(report);
  const std::string everywhere =
      "The policy has a rule wherever it comes; the outcome is open at 3 places (time, "
      "state, wealth).";
  EXPECT_EQ(report.findings,
            (std::vector<std::string>{everywhere,
                                      "P(W >= -3) is 0.625: it is more than 0.5, as claimed.",
                                      "The claimed probability 0.625 agrees with it.",
                                      "The exactly claimed probability is the policy's.",
                                      "P(W = -3) is positive.",
                                      none_better}));
  expect_confirmed(
      check(model_, by_residual("-2"), claim("0.5", Side::upper, "-2", 0.5, number("1/2"))));
  expect_confirmed(check(model_, by_residual("-5"), claim("0", Side::upper, "-5", 1, Rational(1))));
}

TEST_F(Errand, AQuantileThatIsOffIsRefuted) {
  expect_refuted(check(model_, by_residual("-2"), claim("0.5", Side::lower, "-2", 0.5)),
                 "P(W >= -2) is 0.5: it is not more than 0.5, as the quantile demands.");
  expect_refuted(check(model_, by_residual("-4"), claim("0.5", Side::lower, "-4", 0.75)),
                 "it is more than 0.5, so the quantile is not the optimum.");
  expect_refuted(check(model_, by_residual("-3"), claim("0.5", Side::lower, "-3", 0.63)),
                 "The claimed probability 0.63");
}

TEST_F(Errand, AnotherActionIsRefuted) {
  expect_refuted(check(model_, doing({"walk", "bus"}), claim("0.5", Side::lower, "-3", 0.625)),
                 "P(W >= -3) is 0.5: it is not more than 0.5");
  expect_refuted(check(model_, doing({"walk"}), claim("0.5", Side::lower, "-3", 0.625)),
                 "The policy reaches time 1, state 'home' and has no rule for it.");
}

TEST_F(Errand, AnotherGoalIsRefuted) {
  Policy policy = by_residual("-3");
  policy.setting.goal = {model_.find_state("lost").value()};
  const CheckReport report = check(model_, policy, claim("0.5", Side::lower, "-3", 0.625));
  expect_refuted(report, "as the quantile demands.");
  EXPECT_EQ(report.findings.front(),
            "Checked for the policy's goal 'lost'; the model says 'shop'.");
  // Without a goal every episode counts.
  policy.setting.goal.clear();
  expect_refuted(check(model_, policy, claim("0.5", Side::lower, "-3", 0.625)),
                 "The claimed probability 0.625 is wrong: P(W >= -3) is 1.");
}

TEST_F(Errand, CountedAsRewardsItIsRefuted) {
  Policy policy = by_residual("-3");
  policy.setting.cost = false;
  const CheckReport report = check(model_, policy, claim("0.5", Side::lower, "-3", 0.625));
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.findings.front(),
            "Checked for rewards, as the policy counts them; the model says costs.");
}

TEST_F(Errand, AMissIsTheQuantileWhereTheGoalIsTooFar) {
  Setting one_step;
  one_step.horizon = 1;
  ModelBuilder b;
  b.horizon(1).initial("home").goal("shop");
  b.begin_choice("home", "walk").add_outcome("shop", "1/2", 2).add_outcome("home", "1/2", 2);
  const Model model = b.build();
  Policy policy = empty_policy(model);
  add_rule(policy, model, 0, "home", {{{}, "walk"}});
  PolicyClaim missed = claim("0.25", Side::lower, "0", 1, Rational(1));
  missed.quantile = Total::miss();
  expect_confirmed(check(model, policy, missed));
  missed.tau = number("0.75");
  expect_refuted(check(model, policy, missed),
                 "The greatest P(W > miss) of any policy is 0.5: it is more than 0.25");
}

TEST_F(Errand, AThresholdIsConfirmedAndRefuted) {
  const Policy policy = by_residual("-3");
  expect_confirmed(check(model_, policy, threshold_claim(-3, number("5/8"))));
  expect_confirmed(check(model_, policy, threshold_claim(-3, number("0.6"), 0.7)));
  expect_refuted(check(model_, policy, threshold_claim(-3, number("0.6"))),
                 "The exactly claimed probability is not the policy's");
  expect_refuted(check(model_, policy, threshold_claim(-3, number("0.63"), 0.7)),
                 "The claimed probability 0.63 is too high: P(W >= -3)");
  // Walking and then the bus has 1/2; another policy has more.
  expect_refuted(check(model_, doing({"walk", "bus"}), threshold_claim(-3, number("1/2"))),
                 "it is more than claimed, 0.5.");
  expect_refuted(check(model_, doing({"walk", "bus"}), threshold_claim(-3, number("0.4"), 0.6)),
                 "it is more than claimed, 0.59999999999999998.");
  // Merely to arrive.
  expect_confirmed(check(model_, doing({"bus"}), threshold_claim(Total::minus_infinity(), 1)));
  expect_refuted(check(model_, doing({"stray"}), threshold_claim(Total::minus_infinity(), 1)),
                 "is not the policy's");
}

TEST_F(Errand, WhatIsGuaranteedIsShownByAnAdversary) {
  const std::string none_less =
      "The greatest P(W < -5) of any policy is 0.75: it is not at least 0.8, so no policy has "
      "less.";
  // Whatever is done, one arrives for 5 with probability more than 0.2.
  const Policy bus = doing({"bus"}, Rational(5), adversary());
  const CheckReport report = check(model_, bus, claim("0.8", Side::lower, "-5", 1, Rational(1)));
  expect_confirmed(report);
  const std::string everywhere =
      "The policy has a rule wherever it comes; the outcome is open at 2 places (time, "
      "state, wealth).";
  EXPECT_EQ(report.findings,
            (std::vector<std::string>{everywhere,
                                      "P(W <= -5) is 1: it is at least 0.8, as claimed.",
                                      "The claimed probability 1 agrees with it.",
                                      "The exactly claimed probability is the policy's.",
                                      "P(W = -5) is positive.",
                                      none_less}));
  expect_refuted(check(model_, bus, claim("0.8", Side::lower, "-6", 1)),
                 "P(W <= -6) is 0: it is not at least 0.8");
  expect_refuted(check(model_, bus, claim("0.7", Side::lower, "-5", 1)),
                 "The greatest P(W < -5) of any policy is 0.75: it is at least 0.7");
  const Policy walk = doing({"walk", "walk", "walk"}, Rational(5), adversary());
  expect_refuted(check(model_, walk, claim("0.8", Side::lower, "-5", 1)), "it is not at least 0.8");
}

TEST_F(Errand, AnAdversaryShowsThatTheGoalIsNotGuaranteed) {
  const Policy stray = doing({"stray"}, std::nullopt, adversary());
  PolicyClaim missed = claim("0.5", Side::lower, "0", 0.75, number("3/4"));
  missed.quantile = Total::miss();
  expect_confirmed(check(model_, stray, missed));
  const Policy bus = doing({"bus"}, std::nullopt, adversary());
  expect_refuted(check(model_, bus, missed), "P(W <= miss) is 0: it is not at least 0.5");
}

TEST_F(Errand, AnAdversarysBracketShowsItsUpperEnd) {
  const Policy bus = doing({"bus"}, Rational(5), adversary());
  PolicyClaim bracket = claim("0.8", Side::lower, "-6", 1);
  bracket.upper = Total(-5);
  expect_confirmed(check(model_, bus, bracket));
  bracket.quantile = Total(-4);
  bracket.upper = Total(-3);
  expect_refuted(check(model_, bus, bracket), "so the lower end is too high.");
}

TEST_F(Errand, AThresholdOfAnAdversaryIsTheLeast) {
  const Policy stray = doing({"stray"}, Rational(5), adversary());
  expect_confirmed(check(model_, stray, threshold_claim(-5, number("1/4"))));
  expect_confirmed(check(model_, stray, threshold_claim(-5, number("0.2"), 0.3)));
  expect_refuted(check(model_, stray, threshold_claim(-5, number("0.1"), 0.2)),
                 "The claimed probability 1 - 0.20000000000000001 is too high: P(W < -5)");
  expect_refuted(check(model_, stray, threshold_claim(-5, number("0.26"), 0.3)),
                 "more than claimed, 1 - 0.26000000000000001.");
  const Policy walk = doing({"walk", "stray"}, Rational(5), adversary());
  expect_refuted(
      check(model_, walk, threshold_claim(-5, number("5/8"))),
      "The greatest P(W < -5) of any policy is 0.75: it is more than claimed, 1 - 0.625.");
}

}  // namespace
}  // namespace quantiplan::checking
