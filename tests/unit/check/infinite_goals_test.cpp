// Stationary policies that make for a goal, with costs, and those that avoid it.
#include <gtest/gtest.h>

#include "check/stationary_claims.hpp"
#include "check/verdicts_of_checks.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

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

TEST(InfiniteGoals, WithinACostTheGoalIsReached) {
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

TEST(InfiniteGoals, MerelyToArrive) {
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

TEST(InfiniteGoals, AMissIsTheQuantileWhereTheGoalIsTooFar) {
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

TEST(InfiniteGoals, WhatIsGuaranteedAgainstAnAdversary) {
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

}  // namespace
}  // namespace quantiplan::checking
