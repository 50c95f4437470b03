// The truth at the infinite horizon, tested on its own: against closed forms, against counting all
// policies, and against long finite horizons.
#include "oracles/infinite_reference.hpp"

#include <gtest/gtest.h>

#include "harness/harness.hpp"
#include "harness/lowest_terms.hpp"
#include "harness/random_model.hpp"
#include "oracles/brute_force.hpp"

namespace quantiplan::testing {
namespace {

const Total kMiss = Total::miss();
const Total kMinus = Total::minus_infinity();
const Total kPlus = Total::plus_infinity();

// A model in a line: for each state its choices, for each choice its outcomes.
PlainModel model_of(std::vector<std::vector<std::vector<PlainOutcome>>> states,
                    std::vector<std::size_t> goal = {}) {
  PlainModel model;
  model.horizon = kInfiniteHorizon;
  model.goal = std::move(goal);
  for (auto& choices : states) {
    PlainState& state = model.states.emplace_back();
    for (auto& outcomes : choices) state.choices.push_back({std::move(outcomes)});
  }
  return model;
}

struct ExpectedQuantiles {
  Rational tau;
  Total lower, upper;
};
void expect(const PlainModel& model, Aim aim, const std::vector<ExpectedQuantiles>& all) {
  InfiniteReference reference(model, aim);
  for (const ExpectedQuantiles& e : all) {
    if (e.tau > 0) {
      EXPECT_EQ(to_text(reference.optimum(e.tau, Side::lower).quantile), to_text(e.lower))
          << "lower " << e.tau;
    }
    if (e.tau < 1) {
      EXPECT_EQ(to_text(reference.optimum(e.tau, Side::upper).quantile), to_text(e.upper))
          << "upper " << e.tau;
    }
  }
}

// 1 more with probability 1/2, again and again: P(W >= y) = 2^-y.
const PlainModel kGeometric = model_of({{{{0, q(1, 2), 1}, {1, q(1, 2), 0}}}, {}});

TEST(InfiniteReference, SumsAGeometricLoop) {
  for (const Aim aim : {Aim::greatest, Aim::least}) {
    InfiniteReference reference(kGeometric, aim);
    for (int y = 0; y < 6; ++y) EXPECT_EQ(reference.at_least(y), q(1, 1U << y));
    EXPECT_EQ(reference.limit(), 0);
    EXPECT_FALSE(reference.meets_limit());
    expect(
        kGeometric,
        aim,
        {{q(0), kMiss, 0}, {q(1, 2), 0, 1}, {q(3, 4), 1, 2}, {q(4, 5), 2, 2}, {1, kPlus, kMiss}});
  }
}

TEST(InfiniteReference, WaitsForAPrizeHoweverRare) {
  const PlainModel model = model_of({{{{0, q(9999, 10000), 0}, {1, q(1, 10000), 1000}}}, {}});
  expect(model, Aim::greatest, {{q(0), 0, 1000}, {q(1, 2), 1000, 1000}, {1, 1000, 0}});
  expect(model, Aim::least, {{q(0), 0, 1000}, {q(1, 2), 1000, 1000}, {1, 1000, 0}});
}

TEST(InfiniteReference, StaysInACycleForNothingWhereThatIsBest) {
  // Stay for nothing, or leave at a loss of 3.
  PlainModel model = model_of({{{{0, 1, 0}}, {{1, 1, -3}}}, {}});
  expect(model, Aim::greatest, {{q(0), 0, 0}, {q(1, 2), 0, 0}, {1, 0, 0}});
  expect(model, Aim::least, {{q(0), 0, -3}, {q(1, 2), -3, -3}, {1, -3, 0}});
  // With a goal staying is a miss.
  model.goal = {1};
  expect(model, Aim::greatest, {{q(0), 0, -3}, {q(1, 2), -3, -3}, {1, -3, 0}});
  expect(model, Aim::least, {{q(0), 0, kMiss}, {q(1, 2), kMiss, kMiss}, {1, kMiss, 0}});
}

TEST(InfiniteReference, DoesNotCountACycleForNothingAsAGain) {
  // Iteration from above would keep 1 in the cycle s0 <-> s1; the best exit wins 5 with 1/3.
  const PlainModel model =
      model_of({{{{1, 1, 0}}, {{2, q(1, 3), 5}, {2, q(2, 3), 0}}}, {{{0, 1, 0}}}, {}});
  InfiniteReference greatest(model, Aim::greatest);
  EXPECT_EQ(greatest.at_least(5), q(1, 3));
  EXPECT_EQ(greatest.at_least(6), 0);
  InfiniteReference least(model, Aim::least);
  EXPECT_EQ(least.at_least(1), 0);
  expect(model, Aim::greatest, {{q(2, 3), 0, 5}, {q(3, 4), 5, 5}});
}

TEST(InfiniteReference, LosesWithoutEnd) {
  // 1/2: a loss at every step for ever; 1/2: over.
  const PlainModel model = model_of({{{{1, q(1, 2), 0}, {2, q(1, 2), -1}}}, {}, {{{2, 1, -1}}}});
  for (const Aim aim : {Aim::greatest, Aim::least})
    expect(model,
           aim,
           {{q(0), 0, kMinus}, {q(1, 4), kMinus, kMinus}, {q(1, 2), kMinus, 0}, {q(3, 4), 0, 0}});
}

TEST(InfiniteReference, AtEqualityLossesAreANumberOnlyIfTheyAreBounded) {
  // Half of the mass is lost for ever; the other half loses a geometric number: no bound.
  const PlainModel unbounded = model_of({{{{1, q(1, 2), 0}, {2, q(1, 2), 0}}},
                                         {{{1, q(1, 2), -1}, {3, q(1, 2), 0}}},
                                         {{{2, 1, -1}}},
                                         {}});
  for (const Aim aim : {Aim::greatest, Aim::least})
    expect(unbounded,
           aim,
           {{q(1, 2), kMinus, kMinus}, {q(49, 100), kMinus, kMinus}, {q(3, 4), 0 - 1, 0}});
  const PlainModel bounded =
      model_of({{{{1, q(1, 2), 0}, {2, q(1, 2), 0}}}, {{{3, 1, -7}}}, {{{2, 1, -1}}}, {}});
  for (const Aim aim : {Aim::greatest, Aim::least})
    expect(bounded, aim, {{q(1, 2), kMinus, -7}, {q(49, 100), kMinus, kMinus}, {q(3, 4), -7, -7}});
}

TEST(InfiniteReference, GainsWithoutEnd) {
  // 1/2: a gain at every step for ever; 1/2: 3, and over.
  const PlainModel model = model_of({{{{1, q(1, 2), 3}, {2, q(1, 2), 0}}}, {}, {{{2, 1, 1}}}});
  for (const Aim aim : {Aim::greatest, Aim::least})
    expect(model,
           aim,
           {{q(0), 0, 3},
            {q(1, 4), 3, 3},
            {q(1, 2), 3, kPlus},
            {q(3, 4), kPlus, kPlus},
            {1, kPlus, 0}});
}

TEST(InfiniteReference, AtEqualityTheLowerQuantileIsInfiniteIfTheRestHasNoBound) {
  // 1/2 there, 1/4 for ever, 1/4 over; the loop through s0 pays 1: P(W >= y) > 1/2 for all y.
  const PlainModel model =
      model_of({{{{0, q(1, 2), 1}, {1, q(1, 4), 0}, {2, q(1, 4), 0}}}, {{{1, 1, 1}}}, {}});
  for (const Aim aim : {Aim::greatest, Aim::least}) {
    InfiniteReference reference(model, aim);
    EXPECT_EQ(reference.limit(), q(1, 2));
    EXPECT_EQ(reference.optimum(q(1, 2), Side::lower).probability, q(1, 2));
    expect(model, aim, {{q(1, 2), kPlus, kPlus}, {q(49, 100), 5, 5}, {q(51, 100), kPlus, kPlus}});
  }
}

TEST(InfiniteReference, AGoalBeyondInfiniteGainIsASupremum) {
  // Gain 1 as often as you like, then try for the goal, which succeeds with 2/3.
  const PlainModel model =
      model_of({{{{0, 1, 1}}, {{1, q(2, 3), 0}, {2, q(1, 3), 0}}}, {}, {}}, {1});
  InfiniteReference reference(model, Aim::greatest);
  for (const int y : {-5, 0, 1, 40}) EXPECT_EQ(reference.at_least(y), q(2, 3));
  EXPECT_EQ(reference.at_least(kPlus), 0);
  EXPECT_EQ(reference.at_least(kMinus), q(2, 3));
  expect(model,
         Aim::greatest,
         {{q(1, 3), kMiss, kPlus}, {q(1, 2), kPlus, kPlus}, {q(1, 4), kMiss, kMiss}});
  EXPECT_FALSE(reference.optimum(q(1, 2), Side::lower).attained);
  // The adversary never tries.
  expect(model, Aim::least, {{q(1, 2), kMiss, kMiss}, {1, kMiss, 0}});
}

TEST(InfiniteReference, AGoalAtACostHasNoLeastCost) {
  // 1/2: over, no goal; else a cost of 1 until the goal comes, with 1/2 each time.
  PlainModel model = model_of(
      {{{{1, q(1, 2), 0}, {2, q(1, 2), 0}}}, {}, {{{2, q(1, 2), 1}, {3, q(1, 2), 1}}}, {}}, {3});
  model.cost = true;
  for (const Aim aim : {Aim::greatest, Aim::least}) {
    InfiniteReference reference(model, aim);
    EXPECT_EQ(reference.at_least(-1), q(1, 4));
    EXPECT_EQ(reference.at_least(-2), q(3, 8));
    EXPECT_EQ(reference.at_least(kMinus), q(1, 2));
    expect(model,
           aim,
           {{q(1, 2), kMiss, kMinus}, {q(49, 100), kMiss, kMiss}, {q(5, 8), -3, -2}, {1, -1, 0}});
  }
}

TEST(InfiniteReference, MixedSignsEndWhereThereIsNoCycle) {
  const PlainModel model =
      model_of({{{{1, q(1, 2), 5}, {2, q(1, 2), -5}}}, {{{2, 1, -7}}, {{2, 1, 1}}}, {}});
  expect(model, Aim::greatest, {{q(0), 0, -5}, {q(1, 2), -5, 6}, {1, 6, 0}});
  expect(model, Aim::least, {{q(0), 0, -5}, {q(1, 2), -5, -2}, {1, -2, 0}});
}

TEST(InfiniteReference, DiscountsExactly) {
  // A fair coin for ever, halved each time: uniform on [0, 2].
  PlainModel model = model_of({{{{0, q(1, 2), 1}, {0, q(1, 2), 0}}}});
  model.discount = q(1, 2);
  for (const Rational& y : {q(0), q(1), q(3, 2), q(5, 8), q(1, 3), q(2)})
    EXPECT_EQ(chance(unfold(model, y), Aim::greatest), 1 - y / 2) << y;
  EXPECT_EQ(chance(unfold(model, q(-1, 2)), Aim::greatest), 1);
  EXPECT_EQ(chance(unfold(model, q(17, 8)), Aim::greatest), 0);
  // Never to stop is never to come to the goal.
  model.states[0].choices.push_back({{{1, 1, 0}}});
  model.states.emplace_back();
  model.goal = {1};
  EXPECT_EQ(chance(unfold(model, 0), Aim::greatest), 1);
  EXPECT_EQ(chance(unfold(model, 1), Aim::greatest), q(1, 2));  // after tails, never quite
  EXPECT_EQ(chance(unfold(model, 0), Aim::least), 0);
}

}  // namespace
}  // namespace quantiplan::testing
