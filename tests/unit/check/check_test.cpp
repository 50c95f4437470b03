#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "check/check_models.hpp"
#include "check/verdicts_of_checks.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

Policy taking(const Model& model, const char* action) {
  Policy policy = empty_policy(model);
  add_rule(policy, model, 0, "start", {{{}, action}});
  return policy;
}

Policy bike(const Model& model) {
  Policy policy = empty_policy(model, number("-40"));
  add_rule(policy, model, 0, "home", {{{}, "bike"}});
  return policy;
}

// One rule serves 1.9 and 2.71: insure while the residual is 1 or less.
Policy hold_out(const Model& model, const char* target) {
  Policy policy = empty_policy(model, number(target));
  for (std::uint64_t t = 0; t < policy.setting.horizon; ++t) {
    add_rule(policy, model, t, "s1", {{Rational(1), "a2"}, {{}, "a1"}});
    if (t > 0) add_rule(policy, model, t, "s2", {{{}, "stay"}});
  }
  return policy;
}

TEST(Checker, ConfirmsTheBikeOfTheCommute) {
  const std::string none_better =
      "The greatest P(W > -40) of any policy lies in [0.8019999999999996, "
      "0.80200000000000038]: it is not at least 0.9, so no policy promises more.";
  const Model model = commute();
  const CheckReport report =
      check(model, bike(model), claim("0.1", Side::upper, "-40", 1, Rational(1)));
  expect_confirmed(report);
  const std::string everywhere =
      "The policy has a rule wherever it comes; the outcome is open at 2 places (time, "
      "state, wealth).";
  EXPECT_EQ(report.findings,
            (std::vector<std::string>{everywhere,
                                      "P(W >= -40) is 1: it is at least 0.9, as claimed.",
                                      "The claimed probability 1 agrees with it.",
                                      "The exactly claimed probability is the policy's.",
                                      "P(W = -40) is positive.",
                                      none_better}));
}

TEST(Checker, RefutesAQuantileThePolicyDoesNotReach) {
  const Model model = commute();
  expect_refuted(check(model, bike(model), claim("0.1", Side::upper, "-39", 1)),
                 "P(W >= -39) is 0: it is not at least 0.9, as the quantile demands.");
}

TEST(Checker, RefutesAQuantileBelowTheOptimum) {
  const Model model = lotteries({{{"1", "5"}}, {{"1", "7"}}});
  expect_refuted(check(model, taking(model, "take 0"), claim("0.5", Side::lower, "5", 1)),
                 "The greatest P(W > 5) of any policy is 1: it is more than 0.5, so the "
                 "quantile is not the optimum.");
}

TEST(Checker, RefutesAQuantileThatIsNoAttainedLevel) {
  const Model model = lotteries({{{"1", "5"}}});
  expect_refuted(check(model, taking(model, "take 0"), claim("0.5", Side::lower, "9/2", 1)),
                 "P(W = 4.5) is 0");
}

TEST(Checker, RefutesAWrongProbability) {
  const Model model = commute();
  expect_refuted(check(model, bike(model), claim("0.1", Side::upper, "-40", 0.999999)),
                 "The claimed probability 0.99999899999999997 is wrong: P(W >= -40) is 1.");
  expect_refuted(
      check(
          model, bike(model), claim("0.1", Side::upper, "-40", 1, number("0.9999999999999999999"))),
      "The exactly claimed probability is not the policy's: it is 1, the claim is "
      "0.9999999999999999999.");
  expect_refuted(check(model, bike(model), claim("0.1", Side::upper, "-40", NAN)), "nan is wrong");
}

TEST(Checker, RefutesADoubleBesideTheExactProbability) {
  const Model model = lotteries({{{"0.3", "1"}, {"0.7", "0"}}});
  const Policy policy = taking(model, "take 0");
  const double nearest = to_nearest_double(number("0.3"));
  expect_confirmed(check(model, policy, claim("0.7", Side::upper, "1", nearest, number("0.3"))));
  // By itself it is a lower bound.
  expect_confirmed(check(model, policy, claim("0.7", Side::upper, "1", nearest)));
  expect_confirmed(
      check(model, policy, claim("0.7", Side::upper, "1", std::nextafter(nearest, 0.0))));
  const double above = std::nextafter(nearest, 1.0);
  expect_refuted(check(model, policy, claim("0.7", Side::upper, "1", above)), "is too high: ");
  for (const double beside : {std::nextafter(nearest, 0.0), std::nextafter(nearest, 1.0)}) {
    expect_refuted(check(model, policy, claim("0.7", Side::upper, "1", beside, number("0.3"))),
                   "The claimed probability is not the nearest double to the exactly claimed one.");
  }
}

TEST(Checker, TellsSafeFiveFromTheGamble) {
  const Model model = lotteries({{{"1", "5"}}, {{"0.5", "0"}, {"0.5", "100"}}});
  expect_confirmed(check(model, taking(model, "take 0"), claim("0.1", Side::lower, "5", 1)));
  expect_refuted(check(model, taking(model, "take 1"), claim("0.1", Side::lower, "5", 1)),
                 "it is not more than 0.9");
}

TEST(Checker, SettlesATieInRationals) {
  // In doubles 0.3 >= 1 - 0.7 is false.
  const Model model = lotteries({{{"0.3", "1"}, {"0.7", "0"}}});
  expect_confirmed(check(model, taking(model, "take 0"), claim("0.7", Side::upper, "1", 0.3)));
  expect_refuted(check(model, taking(model, "take 0"), claim("0.7", Side::lower, "1", 0.3)),
                 "P(W >= 1) is 0.3: it is not more than 0.3, as the quantile demands.");
  expect_confirmed(check(model, taking(model, "take 0"), claim("0.7", Side::lower, "0", 1)));
  expect_refuted(check(model, taking(model, "take 0"), claim("0.7", Side::upper, "0", 1)),
                 "so the quantile is not the optimum");
}

TEST(Checker, SettlesANearTieOfTwoActions) {
  const Model model = lotteries({{{"0.3", "1"}, {"0.7", "0"}},
                                 {{"299999999999999999/1000000000000000000", "1"},
                                  {"700000000000000001/1000000000000000000", "0"}}});
  expect_confirmed(check(model, taking(model, "take 0"), claim("0.7", Side::upper, "1", 0.3)));
  expect_refuted(check(model, taking(model, "take 1"), claim("0.7", Side::upper, "1", 0.3)),
                 "P(W >= 1) is 0.299999999999999999: it is not at least 0.3");
}

TEST(Checker, TreatsCertaintyAsAFactOfTheGraph) {
  const Model model =
      lotteries({{{"1e-30", "9"}, {"999999999999999999999999999999e-30", "10"}}, {{"1", "9.5"}}});
  expect_confirmed(check(model, taking(model, "take 1"), claim("0", Side::upper, "9.5", 1)));
  expect_refuted(check(model, taking(model, "take 0"), claim("0", Side::upper, "10", 1)),
                 "it is not at least 1");
  expect_confirmed(
      check(model, taking(model, "take 0"), claim("1", Side::lower, "10", std::nextafter(1, 0))));
  expect_refuted(check(model, taking(model, "take 1"), claim("1", Side::lower, "9.5", 1)),
                 "so the quantile is not the optimum");
}

TEST(Checker, KnowsExactCertaintyFromTheGraph) {
  // Sums of thirds are never exactly 1 as intervals.
  const Model model = lotteries({{{"1/3", "1"}, {"1/3", "2"}, {"1/3", "3"}}});
  const Policy policy = taking(model, "take 0");
  expect_confirmed(check(model, policy, claim("0", Side::upper, "1", 1, Rational(1))));
  expect_confirmed(check(model, policy, claim("0.1", Side::lower, "1", 1, Rational(1))));
  expect_refuted(check(model, policy, claim("0.5", Side::upper, "2", 1, Rational(1))),
                 "The exactly claimed probability is not the policy's: it is 2/3, the claim is 1.");
}

TEST(Checker, SurvivesUnderflow) {
  ModelBuilder b;
  b.horizon(3).initial("s");
  b.begin_choice("s", "try")
      .add_outcome("s", Number(Rational(1 / Rational(number("1e200")))), 1)
      .add_outcome("s", Number(Rational(1 - 1 / Rational(number("1e200")))), 0);
  const Model model = b.build();
  Policy policy = empty_policy(model);
  for (std::uint64_t t = 0; t < 3; ++t) add_rule(policy, model, t, "s", {{{}, "try"}});
  expect_confirmed(check(model, policy, claim("1", Side::lower, "3", 0)));
  expect_confirmed(check(model, policy, claim("1", Side::lower, "3", 0, number("1e-600"))));
  expect_refuted(check(model, policy, claim("1", Side::lower, "3", 1e-300)), "is wrong");
}

TEST(Checker, CarriesTheResidualTarget) {
  const Model model = example_two(5);
  expect_confirmed(check(model, hold_out(model, "1.9"), claim("0.9", Side::upper, "1.9", 0.1)));
  expect_confirmed(check(model, hold_out(model, "1.9"), claim("0.95", Side::lower, "1.9", 0.1)));
  expect_confirmed(check(model, hold_out(model, "2.71"), claim("0.99", Side::upper, "2.71", 0.01)));
  expect_refuted(check(model, hold_out(model, "1"), claim("0.9", Side::upper, "1.9", 0.1)),
                 "it is not at least 0.1");
}

TEST(Checker, FallsBackToRationalWealth) {
  // 0.9^39 needs the unit 10^-39, far below 64 bits.
  const Model model = example_two(40);
  expect_confirmed(check(model, hold_out(model, "2.71"), claim("0.99", Side::upper, "2.71", 0.01)));
  expect_refuted(check(model, hold_out(model, "2.71"), claim("0.99", Side::lower, "2.71", 0.01)),
                 "it is not more than 0.01");
}

TEST(Checker, RefutesAPolicyWithoutANeededRule) {
  const Model model = example_two(5);
  Policy policy = hold_out(model, "1.9");
  policy.rules.pop_back();
  expect_refuted(check(model, policy, claim("0.9", Side::upper, "1.9", 0.1)),
                 "The policy reaches time 4, state 's2' and has no rule for it.");
}

TEST(Checker, SaysWhereThePolicyDiffersFromTheModel) {
  const Model model = example_two(5);
  Policy policy = hold_out(model, "1.9");
  policy.setting.horizon = 4;
  const CheckReport report = check(model, policy, claim("0.9", Side::upper, "1.9", 0.1));
  expect_confirmed(report);
  EXPECT_EQ(report.findings.front(), "Checked for the policy's horizon 4; the model says 5.");
}

TEST(Checker, RefutesATauThatHasNoSuchQuantile) {
  const Model model = commute();
  expect_refuted(check(model, bike(model), claim("0", Side::lower, "-40", 1)),
                 "The claimed tau is 0: a lower quantile needs it in (0, 1].");
  expect_refuted(check(model, bike(model), claim("1", Side::upper, "-40", 1)),
                 "The claimed tau is 1: an upper quantile needs it in [0, 1).");
}

TEST(Checker, DoesNotPassWhenItIsStopped) {
  const Model model = commute();
  const std::atomic<bool> stop = true;
  Options options;
  options.stop = &stop;
  const CheckReport report =
      check(model, bike(model), claim("0.1", Side::upper, "-40", 1), options);
  EXPECT_FALSE(report.passed);
  EXPECT_TRUE(report.ended_early);
  EXPECT_EQ(report.findings.back(),
            "The check ended early, before the policy was followed to its end.");
}

// A walk on the integers: many places, each with its own probability.
Model walk(std::uint64_t horizon) {
  ModelBuilder b;
  b.horizon(horizon).initial("s");
  b.begin_choice("s", "step").add_outcome("s", "1/2", 1).add_outcome("s", "1/2", -1);
  return b.build();
}

Policy walk_on(const Model& model) {
  Policy policy = empty_policy(model);
  for (std::uint64_t t = 0; t < policy.setting.horizon; ++t)
    add_rule(policy, model, t, "s", {{{}, "step"}});
  return policy;
}

TEST(Checker, ConfirmsOptimalityWherePlacesAreTooManyToBeListed) {
  const Model model = walk(1500);
  // The median of a symmetric walk of even length; P(W >= 0) = 1/2 + C(1500, 750) / 2^1501.
  const CheckReport report =
      check(model, walk_on(model), claim("0.5", Side::lower, "0", 0.5102989287562374));
  EXPECT_TRUE(report.passed) << all_findings(report.findings);
  EXPECT_TRUE(report.optimality_checked) << all_findings(report.findings);
}

TEST(Checker, PassesWithoutOptimalityWhereThatIsTooLarge) {
  const Model model = walk(1501);
  // P(W >= 1) is 1/2, not more: rounded sums cannot tell, and exact ones would be too many.
  const CheckReport report =
      check(model, walk_on(model), claim("0.5", Side::lower, "-1", 0.5205841438922937));
  EXPECT_TRUE(report.passed) << all_findings(report.findings);
  EXPECT_FALSE(report.optimality_checked);
  EXPECT_EQ(report.findings.back(),
            "Optimality was not rechecked: too many places can be reached.");
}

TEST(Checker, FollowsALongHorizonWithoutAStack) {
  ModelBuilder b;
  b.horizon(1'000'000).initial("on");
  b.begin_choice("on", "wait").add_outcome("on", 1, 1);
  const Model model = b.build();
  Policy policy = empty_policy(model);
  for (std::uint64_t t = 0; t < policy.setting.horizon; ++t)
    add_rule(policy, model, t, "on", {{{}, "wait"}});
  expect_confirmed(check(model, policy, claim("0.5", Side::lower, "1000000", 1)));
}

}  // namespace
}  // namespace quantiplan::checking
