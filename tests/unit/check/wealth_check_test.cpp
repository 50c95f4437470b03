#include "check/classes/wealth_check.hpp"

#include <gtest/gtest.h>

#include "check/check_models.hpp"
#include "check/verdicts_of_checks.hpp"
#include "evaluate/wealth_models.hpp"

namespace quantiplan::checking {
namespace {

PolicyClaim level_claim(const char* tau, Side side, const std::string& level, const Rational& p) {
  PolicyClaim claim;
  claim.tau = number(tau);
  claim.side = side;
  claim.level = level;
  claim.probability = to_nearest_double(p);
  claim.exact_probability = p;
  return claim;
}

PolicyClaim rounded(PolicyClaim claim) {
  claim.exact_probability.reset();
  return claim;
}

CheckReport checked(const Model& model, const Policy& policy, const PolicyClaim& claim) {
  return check_wealth(model, structure_of(model), policy, claim, {});
}

// The best that reaches gold and silver half of the time; two golds are had a quarter of it.
TEST(WealthCheck, ConfirmsAnOptimalPolicy) {
  const Model model = testing::medals(2);
  const Policy policy = testing::bold_then_safe(model);
  const auto upper = level_claim("1/2", Side::upper, "1 gold, 1 silver", Rational(1, 2));
  const CheckReport report = checked(model, policy, upper);
  expect_confirmed(report);
  const std::string none_better =
      "The greatest P(W > '1 gold, 1 silver') of any policy is 0.25: it is not at least 0.5, so no "
      "policy promises more.";
  const std::vector<std::string> expected{
      "The policy has a rule wherever it comes: 6 places (time, state, wealth).",
      "P(W >= '1 gold, 1 silver') is 0.5: it is at least 0.5, as claimed.",
      "The claimed probability 0.5 agrees with it.",
      "The exactly claimed probability is the policy's.",
      "P(W = '1 gold, 1 silver') is positive.",
      none_better};
  EXPECT_EQ(report.findings, expected);
  expect_confirmed(checked(model, policy, rounded(upper)));
  expect_confirmed(
      checked(model, policy, level_claim("1/2", Side::lower, "1 gold, 1 bronze", Rational(3, 4))));
}

TEST(WealthCheck, RefutesALevelThatIsNotReachedOftenEnough) {
  const Model model = testing::medals(2);
  const Policy policy = testing::bold_then_safe(model);
  expect_refuted(
      checked(model,
              policy,
              rounded(level_claim("0.4", Side::upper, "1 gold, 1 silver", Rational(1, 2)))),
      "it is not at least 0.6, as the quantile demands");
}

TEST(WealthCheck, RefutesALevelThatOthersExceed) {
  const Model model = testing::medals(2);
  const Policy policy = testing::bold_then_safe(model);
  expect_refuted(
      checked(model, policy, level_claim("1/2", Side::upper, "1 gold, 1 bronze", Rational(3, 4))),
      "The greatest P(W > '1 gold, 1 bronze') of any policy is 0.5: it is at least 0.5, so the "
      "quantile is not the optimum.");
}

TEST(WealthCheck, RefutesWrongProbabilities) {
  const Model model = testing::medals(2);
  const Policy policy = testing::bold_then_safe(model);
  expect_refuted(
      checked(model,
              policy,
              rounded(level_claim("1/2", Side::upper, "1 gold, 1 silver", Rational(3, 5)))),
      "is wrong: P(W >= '1 gold, 1 silver') ");
  auto claim = level_claim("1/2", Side::upper, "1 gold, 1 silver", Rational(1, 2));
  claim.exact_probability = Rational(1, 2) + Rational(1, Integer(1) << 80);
  expect_refuted(checked(model, policy, claim),
                 "The exactly claimed probability is not the policy's");
}

TEST(WealthCheck, RefutesAClassThatIsNeverTheEnd) {
  const Model model = testing::medals(2);
  const Policy policy = testing::bold_then_safe(model);
  expect_refuted(checked(model, policy, level_claim("1/2", Side::upper, "3 gold", Rational(1, 2))),
                 "P(W = '3 gold') is 0");
  // Met on the way, but not at the end.
  expect_refuted(
      checked(model, policy, level_claim("1/2", Side::upper, "1 bronze", Rational(3, 4))),
      "P(W = '1 bronze') is 0");
}

TEST(WealthCheck, RefutesAPolicyWithHolesOrFaults) {
  const Model model = testing::medals(2);
  const auto claim = level_claim("1/2", Side::upper, "1 gold, 1 silver", Rational(1, 2));
  Policy policy = testing::bold_then_safe(model);
  policy.rules.pop_back();
  expect_refuted(checked(model, policy, claim),
                 "The policy reaches time 1, state 'field' and has no rule for it.");
  policy = testing::bold_then_safe(model);
  policy.rules.back().runs.insert(policy.rules.back().runs.begin(),
                                  policy.rules.back().runs.front());
  expect_refuted(checked(model, policy, claim), "wealth '1 gold' is there twice.");
  policy = testing::bold_then_safe(model);
  policy.rules.back().runs.front().wealths = {1};
  expect_refuted(checked(model, policy, claim), "a run names a wealth the policy does not list.");
  policy = testing::bold_then_safe(model);
  policy.setting.discount = Rational(1, 2);
  expect_refuted(checked(model, policy, claim), "The policy's discount is 0.5");
}

TEST(WealthCheck, RefutesAClaimThatIsNone) {
  const Model model = testing::medals(2);
  const Policy policy = testing::bold_then_safe(model);
  PolicyClaim claim = level_claim("1/2", Side::upper, "1 gold, 1 silver", Rational(1, 2));
  claim.tau = 1;
  expect_refuted(checked(model, policy, claim), "an upper quantile needs it in [0, 1).");
  claim.level.reset();
  expect_refuted(checked(model, policy, claim), "names no class");
}

TEST(WealthCheck, SaysWhenOptimalityIsTooMuch) {
  // 130 rounds of three medals have 133 * 132 * 131 / 6 places, more than 300 000.
  const Model model = testing::medals(130);
  const Policy policy = testing::always(model, {{"field", "safe"}});
  const CheckReport report =
      checked(model, policy, level_claim("1/2", Side::upper, "130 silver", Rational(1)));
  EXPECT_TRUE(report.passed) << all_findings(report.findings);
  EXPECT_FALSE(report.optimality_checked);
  EXPECT_EQ(report.findings.back(),
            "Optimality was not rechecked: too many places can be reached.");
}

// Trying for ever comes to 2 half of the time, and nothing does so more often.
TEST(WealthCheck, ConfirmsAMaximumWithoutEnd) {
  const Model model = testing::best_of_tries();
  const Policy tries = testing::always(model, {{"s", "try"}});
  expect_confirmed(checked(model, tries, level_claim("1/2", Side::upper, "2", Rational(1, 2))));
  expect_confirmed(checked(model, tries, level_claim("1/2", Side::lower, "1", Rational(2, 3))));
  expect_refuted(checked(model, tries, level_claim("1/2", Side::upper, "1", Rational(2, 3))),
                 "The greatest P(W > 1) of any policy is 0.5: it is at least 0.5");
  expect_refuted(checked(model, tries, level_claim("1/2", Side::upper, "2", Rational(3, 5))),
                 "P(W >= 2) is 0.5");
  expect_refuted(checked(model, tries, level_claim("1/2", Side::upper, "7", Rational(1, 2))),
                 "No policy comes to the claimed class 7.");
}

// The swamp is half of the way; on the road nothing above 3 lasts.
TEST(WealthCheck, ConfirmsAMinimumWithoutEnd) {
  const Model model = testing::worst_of_the_way();
  const Policy slow = testing::always(model, {{"home", "go"}, {"road", "slow"}, {"swamp", "wade"}});
  expect_confirmed(checked(model, slow, level_claim("1/2", Side::upper, "3", Rational(1, 2))));
  expect_confirmed(checked(model, slow, level_claim("1/2", Side::lower, "2", Rational(1))));
  expect_refuted(checked(model, slow, level_claim("1/2", Side::upper, "2", Rational(1))),
                 "The greatest P(W > 2) of any policy is 0.5: it is at least 0.5");
  const Policy fast = testing::always(model, {{"home", "go"}, {"road", "fast"}, {"swamp", "wade"}});
  expect_refuted(checked(model, fast, level_claim("1/2", Side::upper, "3", Rational(1, 2))),
                 "P(W >= 3) is 0");
}

TEST(WealthCheck, LeavesOpenWhatNeverSettles) {
  const Model model = testing::blinking_lamp(kInfiniteHorizon);
  const Policy policy = testing::always(model, {{"room", "wait"}});
  const CheckReport report =
      checked(model, policy, level_claim("1/2", Side::upper, "on", Rational(1)));
  EXPECT_FALSE(report.passed);
  EXPECT_TRUE(report.ended_early);
}

PolicyClaim target_claim(const std::string& level, const Rational& p) {
  PolicyClaim claim = level_claim("0", Side::lower, level, p);
  claim.kind = PolicyClaim::Kind::threshold;
  return claim;
}

TEST(WealthCheck, ConfirmsAThreshold) {
  const Model model = testing::medals(2);
  const Policy policy = testing::bold_then_safe(model);
  const CheckReport report =
      checked(model, policy, target_claim("1 gold, 1 silver", Rational(1, 2)));
  expect_confirmed(report);
  const std::vector<std::string> expected{
      "The policy has a rule wherever it comes: 6 places (time, state, wealth).",
      "P(W >= '1 gold, 1 silver') is 0.5.",
      "The claimed probability 0.5 agrees with it.",
      "The exactly claimed probability is the policy's.",
      std::string("The greatest P(W >= '1 gold, 1 silver') of any policy is 0.5: ") +
          "it is no more than claimed, 0.5."};
  EXPECT_EQ(report.findings, expected);
  auto bracket = rounded(target_claim("1 gold, 1 silver", Rational(1, 4)));
  bracket.most_probability = 0.75;
  expect_confirmed(checked(model, policy, bracket));
  bracket.most_probability = 0.25;
  expect_refuted(checked(model, policy, bracket), "more than claimed, 0.25");
}

TEST(WealthCheck, RefutesThresholdsThatAreWrongOrExceeded) {
  const Model model = testing::medals(2);
  const Policy policy = testing::bold_then_safe(model);
  expect_refuted(checked(model, policy, target_claim("1 gold, 1 silver", Rational(3, 5))),
                 "is wrong: P(W >= '1 gold, 1 silver') is 0.5");
  // Two golds are had a quarter of the times by others, and never by this policy.
  expect_refuted(checked(model, policy, target_claim("2 gold", 0)),
                 "The greatest P(W >= '2 gold') of any policy is 0.25: it is more than claimed, 0");
  expect_refuted(checked(model, policy, target_claim("3 gold", 0)),
                 "No policy comes to the claimed class '3 gold'.");
  auto crossed = target_claim("1 gold, 1 silver", Rational(1, 2));
  crossed.most_probability = 0.25;
  expect_refuted(checked(model, policy, crossed), "The claimed bracket ends at 0.25");
}

}  // namespace
}  // namespace quantiplan::checking
