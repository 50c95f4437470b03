// Stationary policies without end: gains and losses, infinities, goals and adversaries.
#include <gtest/gtest.h>

#include "check_models.hpp"
#include "quantiplan/solve.hpp"
#include "verdicts_of_checks.hpp"

namespace quantiplan::checking {
namespace {

PolicyClaim claim_of(const char* tau, Side side, const Total& quantile, const Rational& p) {
  return {number(tau), side, quantile, to_nearest_double(p), p};
}

Policy one_rule(const Model& model,
                const char* state,
                const std::vector<NamedRun>& runs,
                std::optional<Rational> target = std::nullopt,
                const Setting& setting = {}) {
  Policy policy = empty_policy(model, std::move(target), setting);
  add_rule(policy, model, 0, state, runs);
  return policy;
}

Setting adversary() {
  Setting setting;
  setting.adversarial = true;
  return setting;
}

// A prize of 1000 that is won with 1e-4 at every step.
Model rare_prize() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "try").add_outcome("end", "0.0001", 1000).add_outcome("s", "0.9999", 0);
  b.begin_choice("s", "rest").add_outcome("s", 1, 0);
  return b.build();
}

TEST(EndlessGains, ARarePrizeIsWonInTheEnd) {
  const Model model = rare_prize();
  const Policy trying = one_rule(model, "s", {{{}, "try"}}, Rational(1000));
  const CheckReport report = check(model, trying, claim_of("0.01", Side::lower, 1000, Rational(1)));
  expect_confirmed(report);
  EXPECT_EQ(report.findings,
            (std::vector<std::string>{
                "The policy has a rule wherever it comes: 2 places (state, wealth).",
                "P(W >= 1000) is 1: it is more than 0.99, as claimed.",
                "The claimed probability 1 agrees with it.",
                "The exactly claimed probability is the policy's.",
                "P(W = 1000) is positive.",
                "The greatest P(W > 1000) of any policy is 0: it is not more than 0.99, so no "
                "policy promises more."}));
  // Resting keeps the value, and wins nothing.
  expect_refuted(check(model,
                       one_rule(model, "s", {{{}, "rest"}}, Rational(1000)),
                       claim_of("0.01", Side::lower, 1000, Rational(1))),
                 "P(W >= 1000) is 0: it is not more than 0.99");
  expect_refuted(check(model, trying, claim_of("0.01", Side::lower, 0, Rational(1))),
                 "P(W = 0) is 0, which cannot be");
  expect_refuted(check(model, trying, claim_of("0.01", Side::lower, 1001, Rational(1))),
                 "P(W >= 1001) is 0");
}

// Each round gives 1 and goes on with 1/2: P(W >= k) = 2^-(k-1).
Model rounds() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "play").add_outcome("s", "1/2", 1).add_outcome("end", "1/2", 1);
  b.begin_choice("s", "quit").add_outcome("end", 1, 2);
  return b.build();
}

TEST(EndlessGains, AResidualIsFollowedAsFarAsItMatters) {
  const Model model = rounds();
  // 2 for certain by quitting; 3 with 1/2: play once, then quit.
  const auto playing = [&](const char* target) {
    return one_rule(model, "s", {{Rational(2), "quit"}, {{}, "play"}}, number(target));
  };
  expect_confirmed(check(model, playing("2"), claim_of("0.3", Side::lower, 2, Rational(1))));
  expect_confirmed(check(model, playing("3"), claim_of("0.5", Side::upper, 3, Rational(1, 2))));
  expect_confirmed(check(model, playing("5"), claim_of("0.9", Side::upper, 5, Rational(1, 8))));
  expect_refuted(check(model, playing("5"), claim_of("0.9", Side::upper, 4, Rational(1, 8))),
                 "P(W = 4) is 0");
  expect_refuted(check(model, playing("4"), claim_of("0.9", Side::upper, 4, Rational(1, 4))),
                 "it is at least 0.1, so the quantile is not the optimum.");
  expect_refuted(check(model, playing("6"), claim_of("0.9", Side::upper, 6, Rational(1, 16))),
                 "it is not at least 0.1");
  expect_refuted(check(model, playing("5"), claim_of("0.9", Side::upper, 5, Rational(1, 7))),
                 "The exactly claimed probability is not the policy's");
  expect_confirmed(check(model, playing("5"), threshold_claim(5, Rational(1, 8))));
  expect_refuted(check(model, playing("3"), threshold_claim(2, Rational(1, 2))),
                 "The greatest P(W >= 2) of any policy is 1: it is more than claimed, 0.5.");
}

TEST(EndlessGains, AMissingRuleAndATimeAreRefuted) {
  const Model model = rounds();
  const Policy none = empty_policy(model, Rational(2));
  expect_refuted(check(model, none, claim_of("0.3", Side::lower, 2, Rational(1))),
                 "The policy reaches state 's' and has no rule for it.");
  Policy timed = one_rule(model, "s", {{{}, "quit"}}, Rational(2));
  timed.rules[0].time = 1;
  expect_refuted(check(model, timed, claim_of("0.3", Side::lower, 2, Rational(1))),
                 "has a time, but the policy is the same at all times.");
}

// Heaven pays for ever; half of those who spin get there.
Model heaven() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "spin").add_outcome("heaven", "1/2", 0).add_outcome("end", "1/2", 0);
  b.begin_choice("s", "take").add_outcome("end", 1, 7);
  b.begin_choice("heaven", "stay").add_outcome("heaven", 1, 1);
  return b.build();
}

TEST(EndlessGains, GainsWithoutEndAreInfinite) {
  const Model model = heaven();
  Policy spin = one_rule(model, "s", {{{}, "spin"}});
  add_rule(spin, model, 0, "heaven", {{{}, "stay"}});
  const auto infinite = [&](const char* tau, Side side, const Rational& p) {
    return check(model, spin, claim_of(tau, side, Total::plus_infinity(), p));
  };
  expect_confirmed(infinite("0.6", Side::lower, Rational(1, 2)));
  expect_confirmed(infinite("0.5", Side::upper, Rational(1, 2)));
  expect_refuted(infinite("0.5", Side::lower, Rational(1, 2)), "it is not more than 0.5");
  expect_refuted(infinite("0.6", Side::lower, Rational(1, 3)), "is not the policy's");
  const Policy take = one_rule(model, "s", {{{}, "take"}}, Rational(7));
  expect_confirmed(check(model, take, claim_of("0.5", Side::lower, 7, Rational(1))));
  expect_refuted(check(model, take, claim_of("0.6", Side::lower, 7, Rational(1))),
                 "so the quantile is not the optimum.");
  expect_refuted(
      check(model, take, claim_of("0.6", Side::lower, Total::plus_infinity(), Rational(1, 2))),
      "P(W >= inf) is 0");
}

// 'a' and 'b' lead to one another for nothing: iteration from above would stick at 1.
TEST(EndlessGains, ACircleForNothingIsWorthItsBestWayOut) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("a");
  b.begin_choice("a", "on").add_outcome("b", 1, 0);
  b.begin_choice("b", "back").add_outcome("a", 1, 0);
  b.begin_choice("b", "out").add_outcome("end", "1/2", 1).add_outcome("end", "1/2", 0);
  const Model model = b.build();
  Policy policy = empty_policy(model, Rational(1));
  add_rule(policy, model, 0, "a", {{{}, "on"}});
  add_rule(policy, model, 0, "b", {{{}, "out"}});
  expect_confirmed(check(model, policy, threshold_claim(1, Rational(1, 2))));
  policy.rules[1].runs[0].choice = *model.find_choice(*model.find_state("b"), "back");
  expect_refuted(check(model, policy, threshold_claim(1, Rational(1, 2))),
                 "The exactly claimed probability is not the policy's: it is 0");
}

// Paying 1 opens the gate with 1/2; waiting is free until one is fined, for ever.
Model toll() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "pay").add_outcome("s", "1/2", -1).add_outcome("end", "1/2", -1);
  b.begin_choice("s", "wait").add_outcome("s", "9/10", 0).add_outcome("fined", "1/10", 0);
  b.begin_choice("fined", "for ever").add_outcome("fined", 1, -1);
  return b.build();
}

TEST(EndlessLosses, BoundedLossesAreANumber) {
  const Model model = toll();
  // P(W >= -k) = 1 - 2^-k.
  const auto paying = [&](const char* target) {
    return one_rule(model, "s", {{{}, "pay"}}, number(target));
  };
  expect_confirmed(check(model, paying("-1"), claim_of("0.6", Side::lower, -1, Rational(1, 2))));
  expect_confirmed(check(model, paying("-3"), claim_of("0.2", Side::lower, -3, Rational(7, 8))));
  expect_refuted(check(model, paying("-3"), claim_of("0.2", Side::lower, -2, Rational(3, 4))),
                 "it is not more than 0.8");
  expect_refuted(check(model, paying("-3"), claim_of("0.2", Side::lower, -4, Rational(15, 16))),
                 "so the quantile is not the optimum.");
  Policy waiting = one_rule(model, "s", {{{}, "wait"}}, Rational(-3));
  waiting.rules.insert(waiting.rules.begin(),
                       {0,
                        *model.find_state("fined"),
                        {{std::nullopt, model.choices(*model.find_state("fined"))[0]}}});
  std::sort(waiting.rules.begin(), waiting.rules.end(), [](const auto& a, const auto& b) {
    return a.state < b.state;
  });
  expect_refuted(check(model, waiting, claim_of("0.2", Side::lower, -3, Rational(7, 8))),
                 "P(W >= -3) is 0");
}

TEST(EndlessLosses, NoBoundIsSureThoughNothingIsLostForEver) {
  const Model model = toll();
  const Policy paying = one_rule(model, "s", {{{}, "pay"}});
  const PolicyClaim sure = claim_of("0", Side::upper, Total::minus_infinity(), Rational(1));
  const CheckReport report = check(model, paying, sure);
  expect_confirmed(report);
  EXPECT_NE(report.findings.back().find("it is not at least 1, nor is it within any other number."),
            std::string::npos)
      << report.findings.back();
  expect_refuted(check(model, paying, claim_of("0.1", Side::upper, Total::minus_infinity(), 1)),
                 "it is at least 0.9, so the quantile is not the optimum.");
  expect_refuted(check(model, paying, claim_of("0", Side::upper, -100, Rational(1))),
                 "it is not at least 1");
}

TEST(EndlessLosses, StayingForNothingLosesNothing) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "rest").add_outcome("s", "1/2", 0).add_outcome("t", "1/2", 0);
  b.begin_choice("s", "leave").add_outcome("end", 1, -5);
  b.begin_choice("t", "back").add_outcome("s", 1, 0);
  const Model model = b.build();
  Policy resting = empty_policy(model, Rational(0));
  add_rule(resting, model, 0, "s", {{{}, "rest"}});
  add_rule(resting, model, 0, "t", {{{}, "back"}});
  expect_confirmed(check(model, resting, claim_of("0", Side::upper, 0, Rational(1))));
  const Policy leaving = one_rule(model, "s", {{{}, "leave"}}, Rational(-5));
  expect_refuted(check(model, leaving, claim_of("0", Side::upper, -5, Rational(1))),
                 "The greatest P(W > -5) of any policy is 1: it is at least 1");
}

TEST(EndlessLosses, LossesWithoutEndAreInfinite) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "pay").add_outcome("s", 1, -1);
  b.begin_choice("s", "bet").add_outcome("s", "3/4", -1).add_outcome("rest", "1/4", 0);
  b.begin_choice("rest", "on").add_outcome("rest", "1/2", 0).add_outcome("s", "1/2", 0);
  const Model model = b.build();
  const Policy paying = one_rule(model, "s", {{{}, "pay"}});
  expect_confirmed(
      check(model, paying, claim_of("0.5", Side::lower, Total::minus_infinity(), Rational(1))));
  expect_refuted(check(model, paying, claim_of("0.5", Side::lower, -9, Rational(1))),
                 "P(W >= -9) is 0");
}

// 'try' costs 3 and arrives with 1/3, 'slow' costs 1 and arrives with
// 1/10, 'trap' costs 1 and arrives with 1/2 or never; 'idle' costs nothing and never arrives.
Model road() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s").goal("g").rewards_are_costs();
  b.begin_choice("s", "try").add_outcome("g", "1/3", 3).add_outcome("s", "2/3", 3);
  b.begin_choice("s", "idle").add_outcome("s", 1, 0);
  b.begin_choice("s", "slow").add_outcome("g", "1/10", 1).add_outcome("s", "9/10", 1);
  b.begin_choice("s", "trap").add_outcome("g", "1/2", 1).add_outcome("dead", "1/2", 1);
  return b.build();
}

TEST(EndlessGoals, WithinACostTheGoalIsReached) {
  const Model model = road();
  // Once slowly, then the trap: 1/10 + 9/10 * 1/2.
  const auto going = [&](const char* target, const char* first) {
    return one_rule(model, "s", {{Rational(-2), first}, {{}, "trap"}}, number(target));
  };
  const PolicyClaim half = claim_of("0.5", Side::lower, -2, number("0.55"));
  expect_confirmed(check(model, going("-2", "slow"), half));
  expect_refuted(check(model, going("-2", "idle"), half), "P(W >= -2) is 0");
  expect_refuted(check(model, going("-2", "try"), half), "it is not more than 0.5");
  expect_refuted(check(model, going("-1", "slow"), half), "it is not more than 0.5");
  expect_refuted(
      check(model, going("-2", "slow"), claim_of("0.5", Side::lower, -3, number("0.595"))),
      "The claimed probability 0.59499999999999997 is wrong");
  expect_confirmed(check(model, going("-2", "slow"), threshold_claim(-2, number("0.55"))));
  Policy elsewhere = going("-2", "slow");
  elsewhere.setting.goal = {*model.find_state("dead")};
  EXPECT_FALSE(check(model, elsewhere, half).passed);
}

TEST(EndlessGoals, MerelyToArrive) {
  const Model model = road();
  const Policy slowly = one_rule(model, "s", {{{}, "slow"}});
  expect_confirmed(check(model, slowly, threshold_claim(Total::minus_infinity(), 1)));
  expect_refuted(check(model,
                       one_rule(model, "s", {{{}, "trap"}}),
                       threshold_claim(Total::minus_infinity(), Rational(1, 2))),
                 "The greatest P(W >= -inf) of any policy");
  // For certain, but within no cost: lower than every number, above a miss.
  expect_confirmed(
      check(model, slowly, claim_of("0", Side::upper, Total::minus_infinity(), Rational(1))));
  expect_refuted(check(model, slowly, claim_of("0", Side::upper, Total::miss(), Rational(1))),
                 "P(W = miss) is 0");
}

TEST(EndlessGoals, AMissIsTheQuantileWhereTheGoalIsTooFar) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s").goal("g");
  b.begin_choice("s", "go")
      .add_outcome("g", "1/4", 1)
      .add_outcome("s", "1/2", 1)
      .add_outcome("dead", "1/4", 1);
  const Model model = b.build();
  const Policy going = one_rule(model, "s", {{{}, "go"}});
  const PolicyClaim missed = claim_of("0.4", Side::lower, Total::miss(), Rational(1));
  expect_confirmed(check(model, going, missed));
  expect_refuted(check(model, going, claim_of("0.6", Side::lower, Total::miss(), Rational(1))),
                 "it is more than 0.4, so the quantile is not the optimum.");
}

TEST(EndlessGoals, WhatIsGuaranteedAgainstAnAdversary) {
  const Model model = road();
  const Policy idle = one_rule(model, "s", {{{}, "idle"}}, std::nullopt, adversary());
  // It need never arrive.
  expect_confirmed(check(model, idle, claim_of("0.5", Side::lower, Total::miss(), Rational(1))));
  expect_confirmed(check(model, idle, threshold_claim(Total::minus_infinity(), 0)));
  const Policy trap = one_rule(model, "s", {{{}, "trap"}}, std::nullopt, adversary());
  expect_confirmed(check(model, trap, claim_of("0.5", Side::lower, Total::miss(), Rational(1, 2))));
  expect_refuted(check(model, trap, threshold_claim(Total::minus_infinity(), Rational(1, 2))),
                 "The greatest P(W < -inf) of any policy is 1: it is more than claimed");
}

TEST(EndlessGains, WhatIsGuaranteedAgainstAnAdversary) {
  const Model model = rounds();
  // At least 1, for certain; 2 with 1/2, when it plays for ever.
  const Policy playing = one_rule(model, "s", {{{}, "play"}}, Rational(-1), adversary());
  expect_confirmed(check(model, playing, claim_of("0.3", Side::lower, 1, Rational(1, 2))));
  expect_confirmed(check(model, playing, threshold_claim(2, Rational(1, 2))));
  expect_refuted(check(model, playing, claim_of("0.3", Side::lower, 2, Rational(3, 4))),
                 "it is at least 0.3, so the quantile is not the optimum.");
  const Policy quitting = one_rule(model, "s", {{{}, "quit"}}, Rational(-1), adversary());
  expect_refuted(check(model, quitting, threshold_claim(2, Rational(1))),
                 "it is more than claimed, 1 - 1.");
}

TEST(Endless, RewardsOfBothSignsAreFollowedToAnEnd) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "risk").add_outcome("t", "1/2", 3).add_outcome("end", "1/2", -1);
  b.begin_choice("s", "safe").add_outcome("end", 1, 1);
  b.begin_choice("t", "pay").add_outcome("end", 1, -1);
  const Model model = b.build();
  Policy risking = empty_policy(model, Rational(2));
  add_rule(risking, model, 0, "s", {{{}, "risk"}});
  add_rule(risking, model, 0, "t", {{{}, "pay"}});
  expect_confirmed(check(model, risking, claim_of("0.5", Side::upper, 2, Rational(1, 2))));
  expect_refuted(check(model, risking, claim_of("0.4", Side::upper, 2, Rational(1, 2))),
                 "it is not at least 0.6");
}

TEST(Endless, RewardsOfBothSignsInACircleAreNotFollowed) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "up").add_outcome("t", 1, 1);
  b.begin_choice("t", "down").add_outcome("s", "1/2", -1).add_outcome("end", "1/2", -1);
  const Model model = b.build();
  Policy policy = empty_policy(model, Rational(0));
  add_rule(policy, model, 0, "s", {{{}, "up"}});
  add_rule(policy, model, 0, "t", {{{}, "down"}});
  const CheckReport report = check(model, policy, claim_of("0.5", Side::lower, 0, Rational(1)));
  EXPECT_FALSE(report.passed);
  EXPECT_TRUE(report.ended_early);
  EXPECT_EQ(report.findings.back(),
            "The policy was not followed: it can come round with rewards of both signs.");
}

TEST(Endless, AnIndexCountsInStepsOfItsGrid) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "play").add_outcome("s", "1/2", "1.4").add_outcome("end", "1/2", 0);
  const Model model = b.build();
  Policy policy = one_rule(model, "s", {{Rational(1), "play"}, {{}, "play"}}, Rational(2));
  policy.grid = PolicyGrid{1, {}};
  // Twice 1.4 counts as 2: 1/4.
  PolicyClaim bracket = claim_of("0.8", Side::lower, 2, Rational(1, 4));
  bracket.upper = number("2.8");
  expect_confirmed(check(model, policy, bracket));
  bracket.quantile = number("2.8");
  expect_refuted(check(model, policy, bracket), "it is not more than 0.2");
  policy.grid->halved_at = {1};
  expect_refuted(check(model, policy, bracket), "must ascend from 1 to below the horizon.");
}

}  // namespace
}  // namespace quantiplan::checking
