#include "domains/river.hpp"

#include <gtest/gtest.h>

#include "domains/model_rows.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

TEST(River, HasTheNumbersOfItsSource) {
  const Model model = river({});
  EXPECT_EQ(model.name(), "river-6");
  EXPECT_EQ(model.horizon(), 20u);
  EXPECT_EQ(model.discount(), Rational(1));
  EXPECT_EQ(model.state_count(), 6u);
  EXPECT_EQ(model.state_name(model.initial()->only()), "s1");
  EXPECT_EQ(actions_of(model, "s3"), Names({"left", "right"}));
  EXPECT_EQ(outcomes_of(model, "s0", "left"), Rows({{"s0", 1, 5}}));
  EXPECT_EQ(outcomes_of(model, "s3", "left"), Rows({{"s2", 1, 0}}));
  EXPECT_EQ(outcomes_of(model, "s0", "right"),
            Rows({{"s1", Rational(3, 10), 0}, {"s0", Rational(7, 10), 0}}));
  EXPECT_EQ(
      outcomes_of(model, "s3", "right"),
      Rows({{"s4", Rational(3, 10), 0}, {"s2", Rational(1, 10), 0}, {"s3", Rational(3, 5), 0}}));
  EXPECT_EQ(outcomes_of(model, "s5", "right"),
            Rows({{"s5", Rational(3, 10), 10000}, {"s4", Rational(7, 10), 0}}));
  expect_probabilities_sum_to_one(model);
}

// Two states, three steps from s0. Left thrice: 3 surely. The large reward needs right: a step to
// s1, then a hold in one of two steps. Right thrice: 1/2 * (1/2 + 1/2 * 0) arrives and holds at
// once, arriving in the second step and holding in the third 1/2 * 1/2 * 1/2.
TEST(River, TwoStatesByHand) {
  RiverParameters p;
  p.states = 2;
  p.initial = 0;
  p.horizon = 3;
  p.forward = Rational(1, 2);
  p.back = 0;
  p.small_reward = 1;
  p.large_reward = 100;
  Query query;
  query.taus = {Rational(1, 2), Rational(5, 8)};
  query.sides = Sides::upper;
  const Answer answer = solve(river(p), query);
  EXPECT_EQ(answer.results.at(0).quantile, Rational(3));
  EXPECT_EQ(answer.results.at(1).quantile, Rational(100));
  EXPECT_EQ(answer.results.at(1).probability.value().exact, Rational(3, 8));
}

// What the header says of the defaults.
TEST(River, SureRewardIsSmall) {
  Query query;
  query.taus = {Rational(1, 10), Rational(3, 4)};
  const Answer answer = solve(river({}), query);
  EXPECT_EQ(answer.results.at(0).quantile, Rational(95));
  EXPECT_EQ(answer.results.at(0).probability.value().nearest, 1);
  EXPECT_EQ(answer.results.at(1).quantile, Rational(10000));
  EXPECT_NEAR(answer.results.at(1).probability.value().nearest, 0.3163, 1e-4);
  const ExpectationComparison& other = answer.results.at(0).expectation_policy.value();
  EXPECT_EQ(other.quantile, Rational(0));
  EXPECT_NEAR(other.mean.nearest, 5304.05, 1e-2);
}

TEST(River, WrongParametersAreNamedAllAtOnce) {
  RiverParameters p;
  p.states = 1;
  p.initial = 1;
  p.forward = Rational(2, 3);
  p.back = Rational(1, 2);
  EXPECT_EQ(problems_of([&] { (void)river(p); }),
            Names({"--states: found 1, must be from 2 to 1000000",
                   "--initial: found 1, must be below states",
                   "--back: found 0.5, must be from 0 to 1 - forward"}));
}

}  // namespace
}  // namespace quantiplan
