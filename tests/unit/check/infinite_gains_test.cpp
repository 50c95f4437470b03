// Stationary policies that gain for ever, for themselves and against an adversary.
#include <gtest/gtest.h>

#include "check/stationary_claims.hpp"
#include "check/verdicts_of_checks.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

// A prize of 1000 that is won with 1e-4 at every step.
Model rare_prize() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "try").add_outcome("end", "0.0001", 1000).add_outcome("s", "0.9999", 0);
  b.begin_choice("s", "rest").add_outcome("s", 1, 0);
  return b.build();
}

TEST(InfiniteGains, ARarePrizeIsWonInTheEnd) {
  const std::string none_better =
      "The greatest P(W > 1000) of any policy is 0: it is not more than 0.99, so no policy "
      "promises "
      "more.";
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
                none_better}));
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

TEST(InfiniteGains, AResidualIsFollowedAsFarAsItMatters) {
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

TEST(InfiniteGains, AMissingRuleAndATimeAreRefuted) {
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

TEST(InfiniteGains, GainsWithoutEndAreInfinite) {
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
TEST(InfiniteGains, ACircleForNothingIsWorthItsBestWayOut) {
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

TEST(InfiniteGains, WhatIsGuaranteedAgainstAnAdversary) {
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

}  // namespace
}  // namespace quantiplan::checking
