// The reference of the best mean that keeps a promise: worked by hand, and against all laws.
#include "promises/promise_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/harness.hpp"
#include "harness/lowest_terms.hpp"
#include "harness/random_model.hpp"
#include "oracles/brute_force.hpp"

namespace quantiplan::testing {
namespace {

// A choice of state 0 that ends the episode: (probability, reward) of each outcome.
PlainChoice lottery(const std::vector<std::pair<Rational, Rational>>& prizes) {
  PlainChoice choice;
  for (const auto& [p, prize] : prizes) choice.outcomes.push_back({1, p, prize});
  return choice;
}

// One decision between lotteries.
PlainModel decision(std::vector<PlainChoice> choices) {
  PlainModel model;
  model.states = {{std::move(choices)}, {}};
  return model;
}

// Surely 1; or 100, 1 and 0 with 1/4, 7/10, 1/20; or 100 and 0, half each.
PlainModel three_lotteries() {
  return decision({lottery({{1, 1}}),
                   lottery({{q(1, 4), 100}, {q(7, 10), 1}, {q(1, 20), 0}}),
                   lottery({{q(1, 2), 100}, {q(1, 2), 0}})});
}

TEST(PromiseReference, TheSurestPolicyMayWasteTheMean) {
  PromiseReference reference(three_lotteries());
  EXPECT_EQ(reference.surest(1), (Fate{1, 1, 1}));
  EXPECT_EQ(reference.richest(1), (Fate{q(1, 2), 1, 50}));
  for (const Side side : {Side::lower, Side::upper}) {
    EXPECT_EQ(reference.best(1, q(9, 10), side), (Fate{q(19, 20), 1, q(257, 10)}));
    EXPECT_EQ(reference.mean_bound(1, q(9, 10), side), q(142, 5));
  }
  // At 19/20 sharp, the lottery of three keeps the promise on the upper side only.
  EXPECT_EQ(reference.best(1, q(19, 20), Side::upper), (Fate{q(19, 20), 1, q(257, 10)}));
  EXPECT_EQ(reference.best(1, q(19, 20), Side::lower), (Fate{1, 1, 1}));
  EXPECT_EQ(reference.mean_bound(1, q(19, 20), Side::lower), q(257, 10));
  EXPECT_FALSE(reference.bound_is_attained(1, q(19, 20), Side::lower));
  EXPECT_FALSE(reference.best(2, q(9, 10), Side::upper));
  EXPECT_FALSE(reference.mean_bound(2, q(9, 10), Side::upper));
}

TEST(PromiseReference, TheCurveHasTheVerticesOfTheHull) {
  PlainModel model = three_lotteries();
  // Below the chord from (1/2, 50) to (19/20, 257/10), and beyond reach of any l.
  model.states[0].choices.push_back(lottery({{q(3, 5), 60}, {q(2, 5), 0}}));
  PromiseReference reference(model);
  const std::vector<Fate> curve{{q(1, 2), 1, 50}, {q(19, 20), 1, q(257, 10)}, {1, 1, 1}};
  EXPECT_EQ(reference.curve(1), curve);
  // A deterministic policy may lie there all the same.
  EXPECT_EQ(reference.best(1, q(11, 20), Side::upper), (Fate{q(3, 5), 1, 36}));
  EXPECT_EQ(reference.mean_bound(1, q(11, 20), Side::upper), q(473, 10));
}

TEST(PromiseReference, EachLevelHasItsPrice) {
  PromiseReference reference(three_lotteries());
  const std::vector<PricedLevel> prices = reference.prices(q(9, 10), Side::upper);
  ASSERT_EQ(prices.size(), 2U);  // nobody promises 100
  EXPECT_EQ(prices[0].level, 0);
  EXPECT_EQ(prices[0].mean, 50);
  EXPECT_EQ(prices[0].bound, 50);
  EXPECT_EQ(prices[1].level, 1);
  EXPECT_EQ(prices[1].mean, q(257, 10));
  EXPECT_EQ(prices[1].bound, q(142, 5));
}

TEST(PromiseReference, OfEqualMeansTheOneThatKeepsThePromiseCounts) {
  PromiseReference reference(decision({lottery({{q(1, 2), 0}, {q(1, 2), 4}}), lottery({{1, 2}})}));
  EXPECT_EQ(reference.richest(2), (Fate{1, 1, 2}));
  EXPECT_EQ(reference.best(2, 1, Side::upper), (Fate{1, 1, 2}));
  EXPECT_EQ(reference.best(2, q(1, 2), Side::lower), (Fate{1, 1, 2}));
  EXPECT_EQ(reference.mean_bound(2, q(3, 4), Side::lower), 2);
  EXPECT_TRUE(reference.bound_is_attained(2, q(3, 4), Side::lower));
}

TEST(PromiseReference, OnTheLowerSideNobodyMayAttainTheBound) {
  PromiseReference reference(decision({lottery({{q(1, 2), 0}, {q(1, 2), 10}}), lottery({{1, 1}})}));
  EXPECT_EQ(reference.best(1, q(1, 2), Side::lower), (Fate{1, 1, 1}));
  EXPECT_EQ(reference.mean_bound(1, q(1, 2), Side::lower), 5);
  EXPECT_FALSE(reference.bound_is_attained(1, q(1, 2), Side::lower));
  EXPECT_EQ(reference.best(1, q(1, 2), Side::upper), (Fate{q(1, 2), 1, 5}));
  EXPECT_TRUE(reference.bound_is_attained(1, q(1, 2), Side::upper));
  EXPECT_TRUE(reference.bound_is_attained(1, q(2, 5), Side::lower));
  EXPECT_FALSE(reference.mean_bound(1, 1, Side::lower));
}

TEST(PromiseReference, CertaintyIsTheLexicographicForm) {
  PromiseReference reference(decision({lottery({{1, 5}}),
                                       lottery({{q(1, 2), 5}, {q(1, 2), 7}}),
                                       lottery({{q(1, 2), 0}, {q(1, 2), 100}})}));
  EXPECT_EQ(reference.surest(5), (Fate{1, 1, 6}));
  EXPECT_EQ(reference.best(5, 1, Side::upper), (Fate{1, 1, 6}));
  EXPECT_EQ(reference.mean_bound(5, 1, Side::upper), 6);
}

TEST(PromiseReference, BetweenLeastAndSureThePromiseIsNotKeptByEveryone) {
  // A step for nothing, then: 3; or 3 and 5, half each; or 0 and 20, half each.
  PlainModel model = decision({lottery({{1, 3}}),
                               lottery({{q(1, 2), 3}, {q(1, 2), 5}}),
                               lottery({{q(1, 2), 0}, {q(1, 2), 20}})});
  model.states.push_back({{{{{0, 1, 0}}}}});
  model.initial = 2;
  model.horizon = 2;
  PromiseReference reference(model);
  EXPECT_EQ(reference.surest(3), (Fate{1, 1, 4}));
  EXPECT_EQ(reference.surest(2), (Fate{1, 1, 4}));
  EXPECT_EQ(reference.best(3, q(3, 4), Side::upper), (Fate{1, 1, 4}));
  EXPECT_EQ(reference.mean_bound(3, q(3, 4), Side::upper), 7);
}

TEST(PromiseReference, IdlingIsWorthNothingInAnyOrder) {
  // Three steps at -1 each unless the episode ends: idle; go, which ends with 1/2; or -100.
  const std::vector<PlainChoice> choices{
      {{{0, 1, -1}}}, {{{1, q(1, 2), -1}, {0, q(1, 2), -1}}}, {{{0, 1, -100}}}};
  std::vector<std::size_t> order{0, 1, 2};
  do {
    PlainModel model = decision({choices[order[0]], choices[order[1]], choices[order[2]]});
    model.horizon = 3;
    PromiseReference reference(model);
    EXPECT_EQ(reference.surest(-3), (Fate{1, 1, q(-7, 4)}));
    EXPECT_EQ(reference.best(-3, q(19, 20), Side::lower), (Fate{1, 1, q(-7, 4)}));
    EXPECT_EQ(reference.mean_bound(-3, q(19, 20), Side::lower), q(-7, 4));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(PromiseReference, PoliciesGoByHistory) {
  // Two fair bets of 1 or 3. P(W >= 2) is 1/2 at most: 3 first, then 1 after a gain.
  PlainModel model;
  model.horizon = 2;
  model.states.resize(1);
  for (const int stake : {1, 3})
    model.states[0].choices.push_back({{{0, q(1, 2), stake}, {0, q(1, 2), -stake}}});
  const std::vector<Fate> all{{q(1, 4), 1, 0}, {q(1, 2), 1, 0}};
  const std::vector<Fate> best{{q(1, 2), 1, 0}};
  EXPECT_EQ(PromiseReference(model, KeepFates::all).fates(2), all);
  EXPECT_EQ(PromiseReference(model).fates(2), best);
  EXPECT_THROW(PromiseReference(model, KeepFates::all, 1).fates(2), std::length_error);
}

TEST(PromiseReference, DiscountsAndCostsCountAsTheyShould) {
  // 1 now, then 2, or 8 and 0, half each; worth half.
  PlainModel model = decision({lottery({{1, 2}}), lottery({{q(1, 2), 8}, {q(1, 2), 0}})});
  model.states.push_back({{{{{0, 1, 1}}}}});
  model.initial = 2;
  model.horizon = 2;
  model.discount = q(1, 2);
  const std::vector<Fate> fates{{q(1, 2), 1, 3}, {1, 1, 2}};
  EXPECT_EQ(PromiseReference(model).fates(2), fates);
  model.cost = true;
  for (PlainState& state : model.states)
    for (PlainChoice& choice : state.choices)
      for (PlainOutcome& o : choice.outcomes) o.reward = -o.reward;
  EXPECT_EQ(PromiseReference(model).fates(2), fates);
}

// State 0 is ill, 1 cured (the goal), 2 dead; costs.
PlainModel illness(std::vector<PlainChoice> treatments) {
  PlainModel model;
  model.states = {{std::move(treatments)}, {}, {}};
  model.goal = {1};
  model.cost = true;
  model.horizon = 2;
  return model;
}

TEST(PromiseReference, GoalsComeBeforeCosts) {
  // Cheap: 1 for a cure with 1/2, else ill still. Dear: 3 for a cure with 9/10, else dead.
  PromiseReference reference(
      illness({{{{1, q(1, 2), 1}, {0, q(1, 2), 1}}}, {{{1, q(9, 10), 3}, {2, q(1, 10), 3}}}}));
  // Cheap twice: (3/4, 3/4, -1). Cheap, then dear: (1/2, 19/20, -23/10).
  const Fate dear{q(9, 10), q(9, 10), q(-27, 10)};
  EXPECT_EQ(reference.surest(-3), dear);
  EXPECT_EQ(reference.richest(-3), (Fate{q(1, 2), q(19, 20), q(-23, 10)}));
  EXPECT_EQ(reference.best(-3, q(3, 4), Side::upper), dear);
  EXPECT_EQ(reference.arrival_bound(-3, q(3, 4), Side::upper), q(147, 160));
  const std::vector<Fate> arriving{reference.richest(-3)};
  EXPECT_EQ(reference.curve_of_arriving(-3), arriving);
}

TEST(PromiseReference, WhoGivesNothingOfTheGoalAwayAsksForTheLeastCost) {
  // Two cures that never fail: 2 surely; or 1 and 4, 4/5 and 1/5, which is less in the mean; and
  // one that kills. Budget 2.
  PromiseReference reference(illness({{{{1, 1, 2}}},
                                      {{{1, q(4, 5), 1}, {1, q(1, 5), 4}}},
                                      {{{1, q(9, 10), 0}, {2, q(1, 10), 0}}}}));
  const std::vector<Fate> arriving{{q(4, 5), 1, q(-8, 5)}, {1, 1, -2}};
  EXPECT_EQ(reference.curve_of_arriving(-2), arriving);
  EXPECT_EQ(reference.best(-2, q(3, 4), Side::lower), arriving.front());
  EXPECT_EQ(reference.best(-2, q(4, 5), Side::lower), arriving.back());
  EXPECT_EQ(reference.surest(-2), arriving.back());
}

TEST(PromiseReference, WhoHasLostTheBudgetStillWantsTheGoal) {
  // A test finds 9/10 mild (1) and 1/10 severe (5). Mild: a cure for 1. Severe: give up, or a cure
  // with 4/5 for 2.
  PlainModel model = illness({{{{3, q(9, 10), 1}, {4, q(1, 10), 5}}}});
  model.states.push_back({{{{{1, 1, 1}}}}});
  model.states.push_back({{{{{2, 1, 0}}}, {{{1, q(4, 5), 2}, {2, q(1, 5), 2}}}}});
  PromiseReference reference(model, KeepFates::all);
  EXPECT_EQ(reference.fates(-2).size(), 2U);
  EXPECT_EQ(reference.surest(-2), (Fate{q(9, 10), q(49, 50), q(-59, 25)}));
}

// (P, G, K) of every law.
std::vector<Fate> fates_of(const std::vector<Law>& laws, const Rational& level) {
  std::vector<Fate> fates;
  for (const Law& law : laws) {
    Fate fate{at_least(law, level), 0, 0};
    for (const auto& [wealth, p] : law) {
      if (wealth.is_miss()) continue;
      fate.arrival += p;
      fate.gain += p * wealth.value();
    }
    fates.push_back(fate);
  }
  return fates;
}

std::set<std::vector<Rational>> as_set(const std::vector<Fate>& fates) {
  std::set<std::vector<Rational>> set;
  for (const Fate& fate : fates) set.insert({fate.promise, fate.arrival, fate.gain});
  return set;
}

// The least of max (E + l P) - l theta over the slopes l between any two fates, and 0.
Rational dual_bound(const std::vector<Fate>& fates, const Rational& theta) {
  std::set<Rational> slopes{0};
  for (const Fate& a : fates)
    for (const Fate& b : fates)
      if (a.promise > b.promise && a.gain < b.gain)
        slopes.insert((b.gain - a.gain) / (a.promise - b.promise));
  std::optional<Rational> least;
  for (const Rational& l : slopes) {
    std::optional<Rational> most;
    for (const Fate& fate : fates) {
      const Rational value = fate.gain + l * (fate.promise - theta);
      if (!most || value > *most) most = value;
    }
    if (!least || *most < *least) least = *most;
  }
  return *least;
}

// 0, 1, and the promises of the fates with what lies between them.
std::vector<Rational> thetas_of(const std::vector<Fate>& fates) {
  std::set<Rational> thetas{0, 1};
  for (const Fate& fate : fates) {
    thetas.insert(fate.promise);
    thetas.insert((fate.promise + *std::prev(thetas.end())) / 2);
  }
  return {thetas.begin(), thetas.end()};
}

void expect_same_answers(PromiseReference& a, PromiseReference& b, const Rational& level) {
  EXPECT_EQ(a.surest(level), b.surest(level));
  EXPECT_EQ(a.richest(level), b.richest(level));
  EXPECT_EQ(a.curve(level), b.curve(level));
}

TEST(PromiseReference, AgreesWithTheLawsOfAllPolicies) {
  std::size_t counted = 0;
  for (std::uint64_t seed = 1; seed <= case_count(0.2); ++seed) {
    SCOPED_TRACE(seed);
    const PlainModel model = tiny_model(seed);
    const auto laws = all_laws(model, 60);
    if (!laws) continue;
    ++counted;
    PromiseReference all(model, KeepFates::all);
    PromiseReference undominated(model);
    PromiseReference hull(model, KeepFates::hull);
    for (const Rational& level : Reference(model).levels()) {
      const std::vector<Fate> fates = fates_of(*laws, level);
      ASSERT_EQ(as_set(all.fates(level)), as_set(fates));
      expect_same_answers(all, undominated, level);
      expect_same_answers(all, hull, level);
      for (const Rational& theta : thetas_of(undominated.fates(level))) {
        for (const Side side : {Side::lower, Side::upper}) {
          EXPECT_EQ(all.best(level, theta, side), undominated.best(level, theta, side));
          const auto bound = undominated.mean_bound(level, theta, side);
          EXPECT_EQ(bound, hull.mean_bound(level, theta, side));
          EXPECT_EQ(bound.has_value(), all.best(level, theta, side).has_value());
          if (bound) {
            EXPECT_EQ(*bound, dual_bound(fates, theta));
          }
        }
      }
    }
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(counted, case_count(0.2) / 10);
}

TEST(PromiseReference, AgreesWithTheLawsOfAllPoliciesOnGoals) {
  std::size_t counted = 0;
  for (std::uint64_t seed = 1; seed <= case_count(0.2); ++seed) {
    SCOPED_TRACE(seed);
    const PlainModel model = goal_model(seed);
    const auto laws = all_laws(model, 60);
    if (!laws || model.goal.empty()) continue;
    ++counted;
    PromiseReference all(model, KeepFates::all);
    PromiseReference undominated(model);
    PromiseReference hull(model, KeepFates::hull);
    for (const Rational& level : Reference(model).levels()) {
      // Laws tell misses apart from arrivals only: two policies of one law have one fate.
      ASSERT_EQ(as_set(all.fates(level)), as_set(fates_of(*laws, level)));
      EXPECT_EQ(all.surest(level), undominated.surest(level));
      EXPECT_EQ(all.richest(level), undominated.richest(level));
      EXPECT_EQ(all.curve(level), undominated.curve(level));
      EXPECT_EQ(all.surest(level), hull.surest(level));
      EXPECT_EQ(all.curve(level), hull.curve(level));
      for (const Rational& theta : thetas_of(undominated.fates(level))) {
        for (const Side side : {Side::lower, Side::upper}) {
          EXPECT_EQ(all.best(level, theta, side), undominated.best(level, theta, side));
          EXPECT_EQ(all.arrival_bound(level, theta, side),
                    undominated.arrival_bound(level, theta, side));
          EXPECT_EQ(all.arrival_bound(level, theta, side), hull.arrival_bound(level, theta, side));
        }
      }
    }
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(counted, case_count(0.2) / 10);
}

}  // namespace
}  // namespace quantiplan::testing
