// Stationary policies with rewards of both signs, and on a grid.
#include <gtest/gtest.h>

#include "check/stationary_claims.hpp"
#include "check/verdicts_of_checks.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

TEST(Infinite, RewardsOfBothSignsAreFollowedToAnEnd) {
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

TEST(Infinite, RewardsOfBothSignsInACircleAreNotFollowed) {
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

TEST(Infinite, AnIndexCountsInStepsOfItsGrid) {
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
