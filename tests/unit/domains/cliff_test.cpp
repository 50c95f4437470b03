#include "domains/cliff.hpp"

#include <gtest/gtest.h>

#include "domains/model_rows.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

TEST(Cliff, HasTheGridOfItsSource) {
  const Model model = cliff({});
  EXPECT_EQ(model.name(), "cliff-12x4");
  EXPECT_EQ(model.horizon(), 50u);
  EXPECT_EQ(model.discount(), Rational(1));
  EXPECT_EQ(model.state_count(), 38u);
  EXPECT_EQ(model.state_name(model.initial()->only()), "x=0,y=0");
  EXPECT_FALSE(model.find_state("x=1,y=0").has_value());
  EXPECT_FALSE(model.find_state("x=10,y=0").has_value());
  EXPECT_TRUE(model.is_terminal(model.find_state("x=11,y=0").value()));
  EXPECT_EQ(actions_of(model, "x=0,y=0"), Names({"up", "right", "down", "left"}));
  expect_probabilities_sum_to_one(model);
}

TEST(Cliff, SlipsToBothSides) {
  const Model model = cliff({});
  const Rational side(1, 20);
  EXPECT_EQ(outcomes_of(model, "x=3,y=2", "up"),
            Rows({{"x=3,y=3", Rational(9, 10), -1}, {"x=4,y=2", side, -1}, {"x=2,y=2", side, -1}}));
  EXPECT_EQ(outcomes_of(model, "x=3,y=2", "left"),
            Rows({{"x=2,y=2", Rational(9, 10), -1}, {"x=3,y=3", side, -1}, {"x=3,y=1", side, -1}}));
}

TEST(Cliff, FallsBackToTheStart) {
  const Model model = cliff({});
  const Rational side(1, 20);
  EXPECT_EQ(
      outcomes_of(model, "x=3,y=1", "right"),
      Rows({{"x=4,y=1", Rational(9, 10), -1}, {"x=0,y=0", side, -100}, {"x=3,y=2", side, -1}}));
  // Falling from the start and being stopped by the edge of the grid are two outcomes.
  EXPECT_EQ(
      outcomes_of(model, "x=0,y=0", "right"),
      Rows({{"x=0,y=0", Rational(9, 10), -100}, {"x=0,y=0", side, -1}, {"x=0,y=1", side, -1}}));
  EXPECT_EQ(
      outcomes_of(model, "x=11,y=1", "down"),
      Rows({{"x=11,y=0", Rational(9, 10), -1}, {"x=10,y=1", side, -1}, {"x=11,y=1", side, -1}}));
}

// Without slipping the way along the edge has 13 steps, as in the source.
TEST(Cliff, WithoutSlippingTheShortWayIsSure) {
  CliffParameters p;
  p.slip = 0;
  Query query;
  query.taus = {Rational(1, 10)};
  const Result result = solve(cliff(p), query).results.at(0);
  EXPECT_EQ(result.quantile, Rational(-13));
  EXPECT_EQ(result.probability.value().exact, Rational(1));
}

// A corridor above one cell of cliff; a step costs 2, a fall 7, and every second step slips. Within
// five steps a total of -8 or more means the goal in four: up, right, right, down, each with 1/2.
// No other action enters the next cell with more.
TEST(Cliff, NarrowWayByHand) {
  CliffParameters p;
  p.width = 3;
  p.height = 2;
  p.horizon = 5;
  p.slip = Rational(1, 2);
  p.step_cost = 2;
  p.fall_cost = 7;
  const Model model = cliff(p);
  EXPECT_EQ(model.state_count(), 5u);
  EXPECT_EQ(outcomes_of(model, "x=1,y=1", "right"),
            Rows({{"x=2,y=1", Rational(1, 2), -2},
                  {"x=0,y=0", Rational(1, 4), -7},
                  {"x=1,y=1", Rational(1, 4), -2}}));
  EXPECT_EQ(outcomes_of(model, "x=2,y=1", "right"),
            Rows({{"x=2,y=1", Rational(3, 4), -2}, {"x=2,y=0", Rational(1, 4), -2}}));
  Query query;
  query.taus = {Rational(15, 16)};
  query.sides = Sides::upper;
  const Result result = solve(model, query).results.at(0);
  EXPECT_EQ(result.quantile, Rational(-8));
  EXPECT_EQ(result.probability.value().exact, Rational(1, 16));
}

TEST(Cliff, WrongParametersAreNamedAllAtOnce) {
  CliffParameters p;
  p.width = 1;
  p.height = 1001;
  p.slip = Rational(-1, 2);
  EXPECT_EQ(problems_of([&] { (void)cliff(p); }),
            Names({"--width: found 1, must be from 2 to 1000",
                   "--height: found 1001, must be from 2 to 1000",
                   "--slip: found -0.5, must be from 0 to 1"}));
}

}  // namespace
}  // namespace quantiplan
