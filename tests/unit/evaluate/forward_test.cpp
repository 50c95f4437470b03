#include "evaluate/forward.hpp"

#include <gtest/gtest.h>

#include "policy/residual_rules.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

Policy policy_for(const Model& model, const Rational& tau, Sides side) {
  return solve(model, {{tau}, side, {}}).results.at(0).policy();
}

TEST(Evaluate, GivesTheExactDistributionOfTheExpectationPolicy) {
  const Model model = testing::commute();
  const Distribution d = evaluate(model, expectation_policy(model, {}));
  EXPECT_EQ(d.relative_error, 0);
  EXPECT_EQ(*d.mean.exact, Rational("-3189/100"));
  EXPECT_EQ(*d.at_least(-40).exact, Rational(401, 500));
  const auto q = d.quantile(Rational(1, 10), Side::upper);
  EXPECT_EQ(q.lower, -55);
  EXPECT_EQ(q.upper, -55);
}

TEST(Evaluate, GivesTheSameInDoublesWithinItsBound) {
  const Model model = testing::coin(50);
  Options doubles;
  doubles.arithmetic = Arithmetic::floating;
  const Policy policy = expectation_policy(model, {});
  const Distribution floating = evaluate(model, policy, doubles);
  const Distribution exact = evaluate(model, policy);
  ASSERT_EQ(floating.atoms.size(), 51U);
  EXPECT_GT(floating.relative_error, 0);
  EXPECT_LT(floating.relative_error, 1e-12);
  for (std::size_t i = 0; i < floating.atoms.size(); ++i) {
    const Rational truth = *exact.atoms[i].probability.exact;
    EXPECT_LE(abs(Rational(floating.atoms[i].probability.nearest) - truth),
              truth * Rational(floating.relative_error));
  }
}

TEST(Evaluate, KeepsItsPrecisionWhereTailsUnderflow) {
  const Model model = testing::coin(1200);
  Options doubles;
  doubles.arithmetic = Arithmetic::floating;
  const Distribution d = evaluate(model, expectation_policy(model, {}), doubles);
  EXPECT_LT(d.relative_error, 1e-11);
  const auto median = d.quantile(Rational(1, 2), Side::lower);
  EXPECT_EQ(median.lower, 600);
  EXPECT_EQ(median.upper, 600);
}

TEST(Evaluate, RefusesResidualsWithoutATarget) {
  const Model model = testing::safe_or_gamble();
  Policy policy = solve(model, {{Rational(1, 2)}, Sides::upper, {}}).results.at(0).policy();
  policy.rules.at(0).runs.insert(policy.rules.at(0).runs.begin(), {Rational(3), Choice{1}});
  policy.target.reset();
  EXPECT_THROW((void)evaluate(model, policy), Error);
}

TEST(Evaluate, NamesTheStateWithoutARule) {
  const Model model = testing::commute();
  Policy policy = expectation_policy(model, {});
  policy.rules.erase(policy.rules.begin() + 1, policy.rules.end());
  try {
    (void)evaluate(model, policy);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_policy);
    EXPECT_NE(std::string(error.what()).find("at time 1"), std::string::npos) << error.what();
  }
}

TEST(Tabulate, PlaysSafeBelowTheWindowAndFreelyBelowTheLeast) {
  const Model model = testing::safe_or_gamble();
  // Surely 5 is the best promise at tau 0; the better mean would lose it half the time.
  const Policy safe = policy_for(model, 0, Sides::upper);
  EXPECT_EQ(*safe.target, 5);
  EXPECT_EQ(model.action_name(safe.rules.at(0).runs.at(0).choice), "safe");
  const Policy bold = policy_for(model, Rational(1, 2), Sides::upper);
  EXPECT_EQ(*bold.target, 100);
  EXPECT_EQ(model.action_name(bold.rules.at(0).runs.at(0).choice), "gamble");
}

TEST(Tabulate, WritesResidualsInCurrentUnitsUnderDiscounting) {
  const Model model = testing::paper_example_2(3);
  const Policy policy = policy_for(model, Rational("19/20"), Sides::lower);
  EXPECT_EQ(*policy.target, Rational(19, 10));
  // After a1 paid 1, the residual is (1.9 - 1) / 0.9 = 1: take a2, worth 1.
  bool found = false;
  for (const PolicyRule& rule : policy.rules) {
    if (rule.time != 1 || model.state_name(rule.state) != "s1") continue;
    EXPECT_EQ(model.action_name(choose_by_residual(model, policy, 1, rule.state, 1)), "a2");
    found = true;
  }
  EXPECT_TRUE(found);
}

TEST(Simulate, RepeatsItselfForOneSeedAndAgreesWithTheDistribution) {
  const Model model = testing::commute();
  const Policy policy = expectation_policy(model, {});
  const auto first = simulate(model, policy, {20'000, 7, KeepEpisodes::steps});
  const auto second = simulate(model, policy, {20'000, 7, KeepEpisodes::steps});
  const auto other = simulate(model, policy, {20'000, 8});
  Rational total = 0;
  int reached = 0;
  bool differs = false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    ASSERT_EQ(first[i].wealth, second[i].wealth);
    differs = differs || first[i].wealth != other[i].wealth;
    total += first[i].wealth.value();
    reached += first[i].wealth >= -40 ? 1 : 0;
    Rational sum = 0;
    for (const Step& step : first[i].steps) sum += step.reward;
    ASSERT_EQ(sum, first[i].wealth.value());
  }
  EXPECT_TRUE(differs);
  EXPECT_TRUE(other[0].steps.empty());
  // Within five standard deviations: the mean's is 0.09, the frequency's 0.0028.
  EXPECT_NEAR(total.get_d() / 20'000, -31.89, 0.45);
  EXPECT_NEAR(reached / 20'000.0, 0.802, 0.0141);
}

}  // namespace
}  // namespace quantiplan
