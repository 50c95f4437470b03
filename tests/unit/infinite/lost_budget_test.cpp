// Who has lost the budget still wants the goal: policies of quantiles and thresholds at the infinite
// horizon, by hand.
#include <gtest/gtest.h>

#include <string>

#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

ModelBuilder costs_to_goal() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s").rewards_are_costs(true).goal("goal");
  return b;
}

// P(goal) and E[C; goal] of a policy.
void expect_arrivals(const Model& model,
                     const Policy& policy,
                     const Rational& chance,
                     const Rational& cost) {
  const Distribution law = evaluate(model, policy);
  Rational reached = 0;
  Rational paid = 0;
  for (const Atom& atom : law.atoms) {
    if (!atom.wealth.is_finite()) continue;
    ASSERT_TRUE(atom.probability.exact);
    reached += *atom.probability.exact;
    paid -= atom.wealth.value() * *atom.probability.exact;
  }
  EXPECT_EQ(reached, chance);
  EXPECT_EQ(paid, cost);
}

// Of the quantile with theta = 9/10, in every arithmetic, and of its threshold.
void expect_everywhere(const Model& model,
                       const Rational& budget,
                       const Rational& chance,
                       const Rational& cost) {
  for (const Arithmetic arithmetic :
       {Arithmetic::automatic, Arithmetic::exact, Arithmetic::floating}) {
    Options options;
    options.arithmetic = arithmetic;
    options.check = true;
    Query query;
    query.taus = {Rational(1, 10)};
    query.sides = Sides::upper;
    query.prefer = Prefer::probability;
    const Result result = solve(model, query, options).results.front();
    EXPECT_EQ(result.quantile, Total(Rational(-budget)));
    EXPECT_TRUE(result.check && result.check->passed);
    expect_arrivals(model, result.policy(), chance, cost);
    ThresholdQuery threshold_query;
    threshold_query.targets = {Total(Rational(-budget))};
    const ThresholdResult reached = threshold(model, threshold_query, options).results.front();
    EXPECT_NEAR(reached.probability.value().nearest, 0.9, 1e-12);
    EXPECT_TRUE(reached.check && reached.check->passed);
    expect_arrivals(model, reached.policy(), chance, cost);
  }
}

// A test finds 9/10 mild and 1/10 severe. Severe: give up, dawdle, or a cure with 4/5 for 2.
Model severe_costs(int cost) {
  ModelBuilder b = costs_to_goal();
  b.begin_choice("s", "test").add_outcome("mild", "9/10", 1).add_outcome("severe", "1/10", cost);
  b.begin_choice("mild", "cure").add_outcome("goal", 1, 1);
  b.begin_choice("severe", "give up").add_outcome("dead", 1, 0);
  b.begin_choice("severe", "dawdle").add_outcome("severe", 1, 0);
  b.begin_choice("severe", "dear").add_outcome("goal", "4/5", 3).add_outcome("dead", "1/5", 1);
  b.begin_choice("severe", "cure").add_outcome("goal", "4/5", 2).add_outcome("dead", "1/5", 2);
  return b.build();
}

TEST(LostBudget, IsNoReasonToGiveUp) {
  expect_everywhere(severe_costs(5), 2, Rational(49, 50), Rational(59, 25));
}

TEST(LostBudget, IsLostAsSoonAsItIsNotEnough) {
  // After a cost of 1, 1 is left, and a cure takes 2.
  expect_everywhere(severe_costs(1), 2, Rational(49, 50), Rational(51, 25));
}

// Slow: the goal surely, for 50. Fast: 9/10 for 1, else hurt, and then as many steps for 1 each as
// there are states, the last with 1/2.
Model hurt_by_haste(int states) {
  ModelBuilder b = costs_to_goal();
  b.begin_choice("s", "slow").add_outcome("goal", 1, 50);
  b.begin_choice("s", "fast").add_outcome("goal", "9/10", 1).add_outcome("hurt 1", "1/10", 0);
  for (int i = 1; i <= states; ++i) {
    const std::string name = "hurt " + std::to_string(i);
    b.begin_choice(name, "give up").add_outcome("dead", 1, 0);
    if (i < states) {
      b.begin_choice(name, "on").add_outcome("hurt " + std::to_string(i + 1), 1, 1);
    } else {
      b.begin_choice(name, "on").add_outcome("goal", "1/2", 1).add_outcome("dead", "1/2", 1);
    }
  }
  return b.build();
}

TEST(LostBudget, WantsTheGoalWhereItIsNotSure) {
  expect_everywhere(hurt_by_haste(2), 1, Rational(19, 20), 1);
}

TEST(LostBudget, WantsTheGoalOfLargeModels) {
  // More states than rationals are spent on: P(goal) alone, in doubles.
  const Rational cost = Rational(9, 10) + Rational(1, 20) * 320;
  expect_everywhere(hurt_by_haste(320), 1, Rational(19, 20), cost);
}

TEST(LostBudget, OfAQuantileThatIsAMissIsLostFromTheStart) {
  ModelBuilder b = costs_to_goal();
  b.begin_choice("s", "give up").add_outcome("dead", 1, 0);
  b.begin_choice("s", "dear").add_outcome("goal", "1/2", 7).add_outcome("dead", "1/2", 0);
  b.begin_choice("s", "try").add_outcome("goal", "1/2", 3).add_outcome("dead", "1/2", 9);
  const Model model = b.build();
  Query query;
  query.taus = {Rational(1, 10)};
  const Result result = solve(model, query).results.front();
  EXPECT_EQ(result.quantile, Total::miss());
  expect_arrivals(model, result.policy(), Rational(1, 2), Rational(3, 2));
}

}  // namespace
}  // namespace quantiplan
