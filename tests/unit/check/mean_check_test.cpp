// Claimed means, and bounds of the means of all that keep the promise.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "check/verdicts_of_checks.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

// Nothing for sure; 10 or -4, a mean of 3; 1 or nothing, a mean of 1/2.
Model three_lotteries() {
  return lotteries({{{"1", "0"}}, {{"1/2", "10"}, {"1/2", "-4"}}, {{"1/2", "1"}, {"1/2", "0"}}});
}

// Who takes 2 has (P(W >= 0), E W) = (1, 1/2), who takes 1 has (1/2, 3): the line between them has
// the slope -5, and at P = 3/5 the mean 5/2.
Policy two_of_three(const Model& model) {
  Policy policy = empty_policy(model, Rational(0));
  add_rule(policy, model, 0, "start", {{std::nullopt, "take 2"}});
  policy.claim = claim("2/5", Side::upper, "0", 1, Rational(1));
  policy.claim->mean = Value::exactly(Rational(1, 2));
  policy.claim->mean_bound = Value::exactly(Rational(5, 2));
  policy.claim->weight = 5;
  return policy;
}

CheckReport checked(const Model& model, const Policy& policy) {
  return check(model, policy, *policy.claim);
}

TEST(MeanCheck, ConfirmsMeanAndBoundByOneWeight) {
  const Model model = three_lotteries();
  const CheckReport report = checked(model, two_of_three(model));
  expect_confirmed(report);
  const std::string text = all_findings(report.findings);
  EXPECT_NE(text.find("Its mean is 0.5, as claimed."), std::string::npos) << text;
  EXPECT_NE(text.find("No policy that keeps the promise has a mean above 2.5: proved with the "
                      "weight 5."),
            std::string::npos)
      << text;
}

TEST(MeanCheck, RefutesAnotherMean) {
  const Model model = three_lotteries();
  Policy policy = two_of_three(model);
  policy.claim->mean = Value::exactly(Rational(1));
  expect_refuted(checked(model, policy), "Its mean is not 1, as claimed: it is 0.5.");
  policy.claim->mean = Value{0.5000001};
  expect_refuted(checked(model, policy), "Its mean is not 0.5000001, as claimed: it");
  policy.claim->mean = Value{0.5};
  expect_confirmed(checked(model, policy));
}

TEST(MeanCheck, RefutesABoundThatDoesNotFollow) {
  const Model model = three_lotteries();
  Policy policy = two_of_three(model);
  policy.claim->mean_bound = Value::exactly(Rational(12, 5));
  expect_refuted(checked(model, policy), "is not proved with the weight 5");
  policy.claim->mean_bound = Value{2.4999999};
  expect_refuted(checked(model, policy), "is not proved with the weight 5");
  policy.claim->mean_bound = Value::exactly(Rational(3));
  expect_confirmed(checked(model, policy));
}

TEST(MeanCheck, RefutesAWeightThatProvesLess) {
  const Model model = three_lotteries();
  Policy policy = two_of_three(model);
  for (const char* weight : {"0", "4", "6", "1e-300", "1e300"}) {
    policy.claim->weight = number(weight);
    expect_refuted(checked(model, policy), "is not proved with the weight");
  }
  policy.claim->mean_bound = Value{2.5000001};
  for (const char* weight : {"0", "4", "6", "1e-900", "1e900"}) {
    policy.claim->weight = number(weight);
    expect_refuted(checked(model, policy), "is not proved with the weight");
  }
}

TEST(MeanCheck, RefutesATauThatPromisesLess) {
  const Model model = three_lotteries();
  Policy policy = two_of_three(model);
  // At P = 11/20 the mean may be 11/4.
  policy.claim->tau = number("9/20");
  expect_refuted(checked(model, policy), "which shows no less than 2.75");
}

TEST(MeanCheck, ProvesABoundOfThoseWhoKeepThePromiseSurely) {
  const Model model = three_lotteries();
  Policy policy = two_of_three(model);
  policy.claim->tau = 0;
  policy.claim->weight.reset();
  for (const bool exact : {true, false}) {
    policy.claim->mean_bound = exact ? Value::exactly(Rational(1, 2)) : Value{0.5000001};
    expect_confirmed(checked(model, policy));
  }
  policy.rules.clear();
  add_rule(policy, model, 0, "start", {{std::nullopt, "take 0"}});
  policy.claim->mean = Value::exactly(0);
  policy.claim->mean_bound = Value::exactly(Rational(2, 5));
  expect_refuted(checked(model, policy), "is not proved for those who keep it surely");
  policy.claim->mean_bound = Value{0.4};
  expect_refuted(checked(model, policy), "is not proved for those who keep it surely");
}

TEST(MeanCheck, RefutesClaimsThatMakeNoSense) {
  const Model model = three_lotteries();
  Policy policy = two_of_three(model);
  policy.claim->mean_bound = Value::exactly(0);
  expect_refuted(checked(model, policy), "is below the mean");
  policy = two_of_three(model);
  policy.claim->weight = -1;
  expect_refuted(checked(model, policy), "weight is below 0");
  policy = two_of_three(model);
  policy.claim->weight.reset();
  expect_refuted(checked(model, policy), "without a weight");
  policy = two_of_three(model);
  policy.claim->mean->nearest = 0.6;
  expect_refuted(checked(model, policy), "not the nearest double");
  policy = two_of_three(model);
  policy.claim->mean = Value{HUGE_VAL};
  expect_refuted(checked(model, policy), "not the nearest double");
  policy = two_of_three(model);
  policy.claim->mean.reset();
  expect_refuted(checked(model, policy), "without a mean");
}

// What solve() claims, by a rounded index, over an exact wealth, and cut off.
class SolvedMeans : public ::testing::TestWithParam<const char*> {};

Model steps_of_work() {
  ModelBuilder b;
  b.horizon(6).initial("s");
  b.begin_choice("s", "work").add_outcome("s", 1, "1/3");
  b.begin_choice("s", "risk").add_outcome("s", "1/2", "7/5").add_outcome("s", "1/2", "-1/7");
  b.begin_choice("s", "bet").add_outcome("s", "1/5", "9/2").add_outcome("t", "4/5", "-1");
  b.begin_choice("t", "back").add_outcome("s", "2/3", 0).add_outcome("t", "1/3", "1/4");
  b.begin_choice("t", "stay").add_outcome("t", 1, "1/5");
  return b.build();
}

TEST_P(SolvedMeans, AreConfirmedAndRefutedWhenChanged) {
  const std::string kind = GetParam();
  const Model model = steps_of_work();
  Query query;
  query.taus = {number("0.11"), number("0.32"), number("0.47")};
  query.sides = kind == "infinite" ? Sides::lower : Sides::both;  // of the same policies there
  query.prefer = Prefer::mean;
  query.setting.cost = kind == "costs";
  if (kind == "grid" || kind == "infinite") query.setting.discount = number("3/4");
  if (kind == "infinite") query.setting.horizon = kInfiniteHorizon;
  Options options;
  if (kind == "exact") options.arithmetic = Arithmetic::exact;
  if (kind == "grid") options.engine = Engine::lattice;
  const Answer answer = solve(model, query, options);
  int claims = 0;
  for (const Result& result : answer.results) {
    // Where the lower end is sure, its grid may be too fine to search for means on.
    if (!result.mean_bound && (kind == "grid" || kind == "infinite")) continue;
    ++claims;
    ASSERT_TRUE(result.mean_bound.has_value());
    const Policy policy = result.policy();
    const PolicyClaim& claim = *policy.claim;
    ASSERT_TRUE(claim.mean && claim.mean_bound && claim.weight);
    expect_confirmed(check(model, policy, claim));
    PolicyClaim changed = claim;
    changed.mean = Value{claim.mean->nearest + 1};
    changed.mean_bound = Value{claim.mean_bound->nearest + 1};
    expect_refuted(check(model, policy, changed), "Its mean is not");
    changed = claim;
    changed.mean = Value{claim.mean->nearest - 2};
    changed.mean_bound = Value{claim.mean_bound->nearest - 1};
    // A lower bound of the mean may be lower.
    expect_refuted(check(model, policy, changed),
                   kind == "infinite" ? "bound of the mean" : "Its mean is not");
    changed = claim;
    *changed.weight += 1000;
    // Who is just sure of the level may miss it by an index, for which such a weight makes up: what it
    // proves is then not known well enough to refute the claim, and not taken for a proof.
    const CheckReport weighed = check(model, policy, changed);
    if (kind == "infinite" && result.probability->exact == Rational(1))
      EXPECT_FALSE(weighed.optimality_checked) << all_findings(weighed.findings);
    else
      expect_refuted(weighed, "bound of the mean");
  }
  EXPECT_GT(claims, 1);
}

INSTANTIATE_TEST_SUITE_P(OfAllKinds,
                         SolvedMeans,
                         ::testing::Values("doubles", "exact", "costs", "grid", "infinite"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace quantiplan::checking
