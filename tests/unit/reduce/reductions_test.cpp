// Each reduction on a model whose answer is a line of arithmetic.
#include <gtest/gtest.h>

#include "reduce/cut_off_problem.hpp"
#include "reduce/finite_problem.hpp"
#include "reduce/unfolded_problem.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

Result only(const FoundQuantiles& found) { return found.results.at(0).result; }

ResolvedSetting with(const Model& model, const Setting& setting) { return resolve(model, setting); }

// 1 at every step, for ever.
Model wage(const char* discount) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).discount(discount).initial("s");
  b.begin_choice("s", "work").add_outcome("s", 1, 1);
  return b.build();
}

// Each step: the goal with probability 1/2, at a cost of 1 either way.
Model knocks(const char* discount) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).discount(discount).initial("s");
  b.begin_choice("s", "knock").add_outcome("goal", "1/2", -1).add_outcome("s", "1/2", -1);
  return b.build();
}

TEST(FiniteProblem, AnAdversaryTakesWhatIsWorse) {
  const Model model = testing::safe_or_gamble();
  Setting setting;
  setting.adversarial = true;
  // 5 surely, or 0 and 100: against the gamble nothing but 0 is certain, and with 1/2 no more.
  const auto problem = finite_problem(model, with(model, setting), {});
  const Result sure =
      only(problem->quantiles({{Rational(0), Side::upper}}, {false, Prefer::probability}));
  EXPECT_EQ(*sure.quantile, Total(0));
  EXPECT_EQ(*sure.probability->exact, 1);
  const Result half =
      only(problem->quantiles({{Rational(1, 2), Side::upper}}, {false, Prefer::probability}));
  EXPECT_EQ(*half.quantile, Total(5));
  EXPECT_EQ(*half.probability->exact, Rational(1, 2));
  const FoundChance five = problem->chances({Total(5)}).chances.at(0);
  EXPECT_EQ(*five.low.exact, Rational(1, 2));
  EXPECT_EQ(*five.high.exact, Rational(1, 2));
}

TEST(FiniteProblem, TheGuaranteedCurveIsTheLeastOverPolicies) {
  const Model model = testing::safe_or_gamble();
  Setting setting;
  setting.adversarial = true;
  const Frontier curve = finite_problem(model, with(model, setting), {})->curve({});
  ASSERT_EQ(curve.steps.size(), 2U);
  EXPECT_EQ(curve.steps[0].wealth, Total(0));
  EXPECT_EQ(*curve.steps[0].probability.exact, 1);
  EXPECT_EQ(curve.steps[1].wealth, Total(5));
  EXPECT_EQ(*curve.steps[1].probability.exact, Rational(1, 2));
}

TEST(CutOffProblem, ASureStreamIsWorthItsSeries) {
  const Model model = wage("1/2");
  const auto problem = cut_off_problem(model, with(model, {}), {});
  const FoundQuantiles found =
      problem->quantiles({{Rational(1, 10), Side::lower}}, {false, Prefer::probability});
  const Result result = only(found);
  EXPECT_EQ(result.status, Status::solved);
  // 1 + 1/2 + 1/4 + ... = 2 lies in the bracket, which is no wider than was asked for.
  EXPECT_LE(*result.quantile, Total(2));
  EXPECT_GE(*result.upper, Total(2));
  EXPECT_LE(result.upper->value() - result.quantile->value(), *found.epsilon);
}

TEST(CutOffProblem, WhatFollowsTheCutIsPartOfThePolicy) {
  const Model model = wage("1/2");
  const auto problem = cut_off_problem(model, with(model, {}), {});
  const Policy policy =
      only(problem->quantiles({{Rational(1, 10), Side::lower}}, {false, Prefer::probability}))
          .policy();
  ASSERT_TRUE(policy.truncated_at);
  EXPECT_EQ(policy.setting.horizon, kInfiniteHorizon);
  EXPECT_EQ(policy.rules.back().time, *policy.truncated_at);
  const Distribution law = problem->law(policy);
  ASSERT_EQ(law.atoms.size(), 1U);
  EXPECT_LE(law.atoms[0].wealth, Total(2));
  EXPECT_GE(law.atoms[0].wealth.value() + law.slack, 2);
}

TEST(CutOffProblem, ChancesOnEitherSideOfTheOnlyTotal) {
  const Model model = wage("1/2");
  const FoundChances found =
      cut_off_problem(model, with(model, {}), {})->chances({Total(1), Total(3)});
  EXPECT_EQ(*found.chances[0].low.exact, 1);
  EXPECT_EQ(*found.chances[1].high.exact, 0);
}

TEST(UnfoldedProblem, DiscountedKnocksAtADoor) {
  // Arriving at the n-th knock costs 1 + 1/2 + ... = 2 - 2^(1-n), with probability 2^-n.
  const Model model = knocks("1/2");
  Setting setting;
  setting.goal = std::vector<std::string>{"goal"};
  const auto problem = unfolded_problem(model, with(model, setting), {});
  const FoundChances found = problem->chances({Total(Rational(-3, 2)), Total::minus_infinity()});
  // At most 3/2: two knocks, with 3/4.
  EXPECT_LE(found.chances[0].low.least(), Rational(3, 4));
  EXPECT_GE(found.chances[0].high.greatest(), Rational(3, 4));
  EXPECT_GE(found.chances[1].high.greatest(), 1);
  const Result result =
      only(problem->quantiles({{Rational(3, 10), Side::lower}}, {false, Prefer::probability}));
  EXPECT_LE(*result.quantile, Total(Rational(-3, 2)));
  EXPECT_GE(*result.upper, Total(Rational(-3, 2)));
}

TEST(UnfoldedProblem, ItsCurveHoldsTheTruthBetweenTwo) {
  const Model model = knocks("1/2");
  Setting setting;
  setting.goal = std::vector<std::string>{"goal"};
  const Frontier curve = unfolded_problem(model, with(model, setting), {})->curve({});
  ASSERT_FALSE(curve.steps.empty());
  ASSERT_FALSE(curve.upper_steps.empty());
  const auto at = [](const std::vector<FrontierStep>& steps, const Total& w) {
    for (const FrontierStep& step : steps) {
      if (step.wealth >= w) return step.probability;
    }
    return Value::exactly(0);
  };
  // P(W >= -3/2) = 3/4, and P(W >= -1) = 1/2.
  for (const auto& [w, p] :
       {std::pair(Rational(-3, 2), Rational(3, 4)), std::pair(Rational(-1), Rational(1, 2))}) {
    EXPECT_LE(at(curve.steps, Total(w)).least(), p);
    EXPECT_GE(at(curve.upper_steps, Total(w)).greatest(), p);
  }
}

}  // namespace
}  // namespace quantiplan
