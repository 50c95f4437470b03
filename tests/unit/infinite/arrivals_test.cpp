// The policy that reaches the goal most probably and then most cheaply, at the infinite horizon:
// against all stationary policies, and on models whose answers follow by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "stationary_brute_force.hpp"

namespace quantiplan {
namespace {

using testing::ArrivalPair;

std::string shown_pair(const ArrivalPair& pair) {
  return to_text(pair.chance) + ", " + to_text(pair.mean) + (pair.is_infinite ? ", inf" : "");
}

void expect_best(const testing::TinyModel& tiny, std::uint64_t seed) {
  const Model model = testing::built(tiny);
  const ArrivalPair best = testing::best_of_all(tiny);
  Policy policy;
  try {
    policy = expectation_policy(model, {});
  } catch (const Error& error) {
    // What can be gained before the goal has no bound.
    EXPECT_TRUE(tiny.has_goal && tiny.sign > 0) << seed << error.what();
    EXPECT_NE(std::string(error.what()).find("no bound"), std::string::npos) << error.what();
    return;
  }
  const ArrivalPair own =
      testing::TinyChain(tiny, testing::choices_of(tiny, model, policy)).at_start();
  EXPECT_EQ(own, best) << seed << ": " << shown_pair(own) << ", best " << shown_pair(best);
}

TEST(Arrivals, AreTheBestOfAllStationaryPolicies) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    for (const int sign : {-1, 1})
      for (const bool has_goal : {true, false})
        expect_best(testing::tiny_model(seed, 4, has_goal, sign), seed);
  }
}

TEST(Arrivals, AreFoundInDoublesWhereRationalsAreDear) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    // One after another: the ends of each lead to the next, so that there are many groups.
    testing::TinyModel tiny = testing::tiny_model(seed, 1, true, -1);
    tiny.states.assign(72, {});
    for (std::size_t s = 0; s + 2 < tiny.states.size(); ++s) {
      const std::size_t on = s + 3 < tiny.states.size() ? s + 1 : tiny.goal();
      tiny.states[s] = {{{on, Rational(1, 4), -1}, {s, Rational(3, 4), -1}},
                        {{on, Rational(1, 2), -3}, {0, Rational(1, 2), 0}},
                        {{on, 1, s % 2 == 0 ? -3 : -5}},
                        {{s, 1, 0}}};
    }
    const Model model = testing::built(tiny);
    const Policy policy = expectation_policy(model, {});
    const ArrivalPair own =
        testing::TinyChain(tiny, testing::choices_of(tiny, model, policy)).at_start();
    // 3 on every second way; four tries, or 5 at once, on the others: 35 * 3 + 35 * 4.
    EXPECT_EQ(own, (ArrivalPair{1, -245}));
  }
}

// A step costs 1 and arrives half of the times; the bus costs nothing and is missed once in ten;
// waiting costs nothing and arrives nowhere.
Model two_ways_home() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("road").goal("home").rewards_are_costs(true);
  b.begin_choice("road", "wait").add_outcome("road", 1, 0);
  b.begin_choice("road", "walk").add_outcome("home", "1/2", 1).add_outcome("road", "1/2", 1);
  b.begin_choice("road", "bus").add_outcome("home", "9/10", 1).add_outcome("lost", "1/10", 0);
  return b.build();
}

TEST(Arrivals, ResultsSayHowOftenTheGoalIsReached) {
  const Answer answer = solve(two_ways_home(), {{Rational(1, 5)}, Sides::lower, {}});
  const Result& result = answer.results.front();
  EXPECT_EQ(result.quantile, Total(-1));
  EXPECT_EQ(result.goal_probability->exact, Rational(9, 10));
  EXPECT_EQ(result.goal_mean->exact, Rational(-9, 10));
  EXPECT_FALSE(result.mean);
  const ExpectationComparison& other = *result.expectation_policy;
  EXPECT_EQ(other.goal_probability->exact, Rational(1));
  EXPECT_EQ(other.mean.exact, Rational(-2));
  EXPECT_EQ(other.goal_mean->exact, Rational(-2));
  EXPECT_EQ(other.quantile, Total(-3));
  EXPECT_EQ(other.probability.exact, Rational(1, 2));
  Query bare{{Rational(1, 5)}, Sides::lower, {}};
  bare.compare = false;
  EXPECT_FALSE(solve(two_ways_home(), bare).results.front().goal_probability);
}

TEST(Arrivals, MeansWithoutAGoalMayBeInfinite) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "stop").add_outcome("end", 1, 4);
  b.begin_choice("s", "gamble").add_outcome("spring", "1/10", 0).add_outcome("end", "9/10", 0);
  b.begin_choice("spring", "drink").add_outcome("spring", 1, 1);
  const Answer answer = solve(b.build(), {{Rational(1, 2)}, Sides::lower, {}});
  const Result& result = answer.results.front();
  EXPECT_EQ(result.quantile, Total(4));
  EXPECT_EQ(result.mean->exact, Rational(4));
  EXPECT_FALSE(result.goal_probability);
  EXPECT_EQ(result.expectation_policy->mean.nearest, HUGE_VAL);
  EXPECT_EQ(result.expectation_policy->probability.exact, Rational(1, 10));
}

TEST(Arrivals, LossesThatNobodyCanEndAreMinusInfinity) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "go").add_outcome("leak", "1/2", -1).add_outcome("end", "1/2", -3);
  b.begin_choice("leak", "drip").add_outcome("leak", 1, -1);
  const Answer answer = solve(b.build(), {{Rational(3, 4)}, Sides::lower, {}});
  const Result& result = answer.results.front();
  EXPECT_EQ(result.quantile, Total(-3));
  EXPECT_EQ(result.mean->nearest, -HUGE_VAL);
  EXPECT_EQ(result.expectation_policy->mean.nearest, -HUGE_VAL);
}

TEST(Arrivals, AnAdversaryHasNoneAndIsTold) {
  Setting setting;
  setting.adversarial = true;
  EXPECT_THROW(static_cast<void>(expectation_policy(two_ways_home(), setting)), Error);
  const Answer answer = solve(two_ways_home(), {{Rational(1, 5)}, Sides::lower, setting});
  EXPECT_FALSE(answer.results.front().expectation_policy);
  EXPECT_EQ(answer.results.front().goal_probability->exact, Rational(0));
}

TEST(Arrivals, GainsOnTheWayToTheGoalMayHaveNoBound) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s").goal("home");
  b.begin_choice("s", "earn").add_outcome("s", 1, 1);
  b.begin_choice("s", "leave").add_outcome("home", 1, 0);
  const Model model = b.build();
  EXPECT_THROW(static_cast<void>(expectation_policy(model, {})), Error);
  // What is left almost surely has one: 1 + 1/2 + 1/4 + ...
  ModelBuilder other;
  other.horizon(kInfiniteHorizon).initial("s").goal("home");
  other.begin_choice("s", "earn").add_outcome("s", "1/2", 1).add_outcome("home", "1/2", 1);
  other.begin_choice("s", "leave").add_outcome("home", 1, 1);
  const Result result = solve(other.build(), {{Rational(1, 2)}, Sides::lower, {}}).results.front();
  EXPECT_EQ(result.expectation_policy->mean.exact, Rational(2));
}

}  // namespace
}  // namespace quantiplan
