// The tests' own tools are tested first: two references against each other, generator, shrinker.
#include <gtest/gtest.h>

#include <set>

#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "harness/shrink.hpp"
#include "oracles/brute_force.hpp"

namespace quantiplan::testing {
namespace {

TEST(BruteForce, QuantilesFollowTheirDefinition) {
  const Law law{{1, Rational(1, 2)}, {2, Rational(1, 5)}, {3, Rational(3, 10)}};
  EXPECT_EQ(quantile(law, Rational(1, 2), Side::lower), 1);
  EXPECT_EQ(quantile(law, Rational(1, 2), Side::upper), 2);
  EXPECT_EQ(quantile(law, 1, Side::lower), 3);
  EXPECT_EQ(quantile(law, 0, Side::upper), 1);
  EXPECT_EQ(quantile(law, Rational(7, 10), Side::lower), 2);
  EXPECT_EQ(quantile(law, Rational(7, 10), Side::upper), 3);
  EXPECT_EQ(mean(law), Rational(9, 5));
}

TEST(BruteForce, CountsEveryHistoryDependentPolicy) {
  // Two coin flips with a bet of 1 or 3 on each: 2 first bets, then one of 2 after each of 2
  // results.
  PlainModel model;
  model.horizon = 2;
  model.states.resize(1);
  for (const int stake : {1, 3})
    model.states[0].choices.push_back({{{0, Rational(1, 2), stake}, {0, Rational(1, 2), -stake}}});
  const auto laws = all_laws(model, 100);
  ASSERT_TRUE(laws);
  // 8 policies, but always 1 then 3 and always 3 then 1 have the same law.
  EXPECT_EQ(laws->size(), 7U);
  for (const Law& law : *laws) EXPECT_EQ(mean(law), 0);
  EXPECT_FALSE(all_laws(model, 6));
}

TEST(BruteForce, EnumerationAgreesWithTheRecursion) {
  std::size_t counted = 0;
  for (std::uint64_t seed = 1; seed <= case_count(0.5); ++seed) {
    const PlainModel model = tiny_model(seed);
    const auto laws = all_laws(model, 400);
    if (!laws) continue;
    ++counted;
    Reference reference(model);
    Outlook outlook(model);
    Rational greatest_mean = mean(laws->front());
    for (const Law& law : *laws) greatest_mean = std::max(greatest_mean, mean(law));
    ASSERT_EQ(greatest_mean, outlook.at(model.horizon, model.initial).expectation) << seed;
    ASSERT_EQ(reference.steps().front().probability, 1) << seed;
    for (const auto& [level, value] : reference.steps()) {
      for (const Side side : {Side::lower, Side::upper}) {
        const Rational tau = 1 - value;
        if (side == Side::lower ? tau == 0 : tau == 1) continue;
        const Optimum by_definition = optimum(*laws, tau, side);
        const Optimum by_recursion = reference.optimum(tau, side);
        ASSERT_EQ(by_definition.quantile, by_recursion.quantile) << seed;
        ASSERT_EQ(by_definition.probability, by_recursion.probability) << seed;
      }
    }
  }
  EXPECT_GT(counted, case_count(0.5) / 2);
}

TEST(BruteForce, EnumerationAgreesWithTheRecursionOnGoalsAndForTheLeast) {
  std::size_t counted = 0;
  for (std::uint64_t seed = 1; seed <= case_count(0.25); ++seed) {
    const PlainModel model = goal_model(seed);
    const auto laws = all_laws(model, 400);
    if (!laws) continue;
    ++counted;
    for (const Aim aim : {Aim::greatest, Aim::least}) {
      Reference reference(model, aim);
      std::vector<Rational> taus{
          0, 1, Rational(1, 3), 1 - reference.at_least(Total::minus_infinity())};
      for (const auto& [level, value] : reference.steps()) taus.emplace_back(1 - value);
      for (const Rational& tau : taus) {
        for (const Side side : {Side::lower, Side::upper}) {
          if (side == Side::lower ? tau == 0 : tau == 1) continue;
          const Optimum by_definition = optimum(*laws, tau, side, aim);
          const Optimum by_recursion = reference.optimum(tau, side);
          ASSERT_EQ(by_definition.quantile, by_recursion.quantile) << seed;
          ASSERT_EQ(by_definition.probability, by_recursion.probability) << seed;
        }
      }
    }
  }
  EXPECT_GT(counted, case_count(0.25) / 2);
}

TEST(RandomModel, IsTheSameForTheSameSeed) {
  EXPECT_EQ(json_text(tiny_model(7)), json_text(tiny_model(7)));
  EXPECT_NE(json_text(tiny_model(7)), json_text(tiny_model(8)));
  EXPECT_EQ(Dice(1).next(), 0x910A2DEC89025CC1U);
}

TEST(RandomModel, CoversTheOddShapes) {
  bool negative = false, fraction = false, discounted = false, terminal = false, self_twice = false,
       unreachable = false, certain = false;
  std::set<std::uint64_t> horizons;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const PlainModel model = tiny_model(seed);
    horizons.insert(model.horizon);
    discounted = discounted || model.discount != 1;
    std::set<std::size_t> met{model.initial};
    for (const PlainState& state : model.states) {
      terminal = terminal || state.choices.empty();
      for (const PlainChoice& choice : state.choices) {
        certain = certain || choice.outcomes.size() == 1;
        for (const PlainOutcome& o : choice.outcomes) {
          met.insert(o.next);
          negative = negative || o.reward < 0;
          fraction = fraction || o.reward.get_den() != 1;
          for (const PlainOutcome& other : choice.outcomes)
            self_twice = self_twice || (o.next == other.next && o.reward != other.reward);
        }
      }
    }
    unreachable = unreachable || met.size() < model.states.size();
  }
  EXPECT_TRUE(negative && fraction && discounted && terminal && self_twice && unreachable &&
              certain);
  EXPECT_EQ(horizons, (std::set<std::uint64_t>{1, 2, 3, 4}));
}

TEST(RandomModel, SurvivesTheWayThroughTheLibrary) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const PlainModel model = tiny_model(seed);
    const PlainModel again = take_apart(build(model));
    Reference a(model), b(again);
    EXPECT_EQ(a.steps(), b.steps()) << seed;
  }
}

TEST(Shrinker, KeepsOnlyWhatMakesTheModelFail) {
  // An artificial bug: wrong whenever some reward is a negative fraction and the horizon is
  // above 1.
  const auto fails = [](const PlainModel& model) {
    if (model.horizon < 2) return false;
    for (const PlainState& state : model.states)
      for (const PlainChoice& choice : state.choices)
        for (const PlainOutcome& o : choice.outcomes)
          if (o.reward < 0 && o.reward.get_den() != 1) return true;
    return false;
  };
  std::size_t shrunk = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const PlainModel model = tiny_model(seed);
    if (!fails(model)) continue;
    ++shrunk;
    const PlainModel small = shrink(model, fails);
    EXPECT_TRUE(fails(small));
    EXPECT_EQ(small.horizon, 2U);
    ASSERT_EQ(small.states.size(), 1U);
    ASSERT_EQ(small.states[0].choices.size(), 1U);
    EXPECT_EQ(small.states[0].choices[0].outcomes.size(), 1U);
    EXPECT_EQ(small.discount, 1);
  }
  EXPECT_GT(shrunk, 5U);
}

TEST(Shrinker, EveryCandidateIsLighterAndSumsToOne) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const PlainModel model = tiny_model(seed);
    for (const PlainModel& candidate : simpler(model)) {
      EXPECT_LT(weight(candidate), weight(model));
      for (const PlainState& state : candidate.states) {
        for (const PlainChoice& choice : state.choices) {
          Rational sum = 0;
          for (const PlainOutcome& o : choice.outcomes) {
            sum += o.probability;
            EXPECT_LT(o.next, candidate.states.size());
          }
          EXPECT_EQ(sum, 1);
        }
      }
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
