// The oracle of the preference tests is tested first: enumeration against recursion, policies of
// the product counted, its judge against cases worked out by hand, the generator.
#include "preferences/preference_oracle.hpp"

#include <gtest/gtest.h>

#include <set>

#include "harness/harness.hpp"
#include "preferences/preference_product.hpp"
#include "preferences/preference_random.hpp"
#include "wealth_of_kind.hpp"

namespace quantiplan::testing {
namespace {

Holding after_all(const Judge& judge, const std::vector<Rational>& rewards) {
  Holding wealth = judge.start();
  for (const Rational& r : rewards) wealth = judge.after(wealth, r);
  return wealth;
}

TEST(PreferenceOracle, JudgesExtremesOfNothing) {
  const Wealth max = of_kind(WealthKind::max), min = of_kind(WealthKind::min);
  const Judge best(max), worst(min);
  EXPECT_EQ(best.text(best.start()), "-inf");
  EXPECT_EQ(worst.text(worst.start()), "inf");
  EXPECT_LT(best.merit(best.start()), best.merit({-100}));
  EXPECT_GT(worst.merit(worst.start()), worst.merit({100}));
  EXPECT_EQ(best.text(after_all(best, {-3, -1, -2})), "-1");
  EXPECT_EQ(worst.text(after_all(worst, {-1, -3, -2})), "-3");
}

TEST(PreferenceOracle, JudgesCountsInBothOrders) {
  Wealth wealth = of_kind(WealthKind::counts);
  wealth.labels = {"bronze", "silver", "gold"};
  const Judge judge(wealth);
  const auto merit = [&](const std::vector<Rational>& labels) {
    return judge.merit(after_all(judge, labels));
  };
  EXPECT_EQ(judge.text(after_all(judge, {0, 2, 2, -1})), "2 gold, 1 bronze");
  EXPECT_EQ(judge.text(after_all(judge, {-1})), "nothing");
  EXPECT_LT(merit({0, 2, 2, 2}), merit({1, 1}));  // worst first: a bronze is worse than two silvers
  EXPECT_LT(merit({1}), merit({}));
  EXPECT_LT(merit({}), merit({2}));
  wealth.best_first = true;
  EXPECT_GT(merit({0, 2}), merit({1, 1, 1}));
  EXPECT_LT(merit({}), merit({1}));
  EXPECT_GT(merit({}), merit({0}));
}

TEST(PreferenceOracle, EnumerationAgreesWithTheRecursion) {
  std::size_t counted = 0;
  for (std::uint64_t seed = 1; seed <= case_count(0.5); ++seed) {
    PreferenceOracle oracle(tiny_preference(seed));
    const auto laws = oracle.laws(400);
    if (!laws) continue;
    ++counted;
    ASSERT_EQ(oracle.at_least(1), 1) << seed;
    std::vector<Rational> taus{0, 1, Rational(1, 3)};
    for (const auto& [level, value] : oracle.steps()) taus.emplace_back(1 - value);
    for (const Rational& tau : taus) {
      for (const Side side : {Side::lower, Side::upper}) {
        if (side == Side::lower ? tau == 0 : tau == 1) continue;
        const Optimum by_definition = optimum(*laws, tau, side);
        const Optimum by_recursion = oracle.optimum(tau, side);
        ASSERT_EQ(by_definition.quantile, by_recursion.quantile) << seed;
        ASSERT_EQ(by_definition.probability, by_recursion.probability) << seed;
      }
    }
  }
  EXPECT_GT(counted, case_count(0.5) / 2);
}

TEST(PreferenceOracle, SumsAgreeWithTheOlderReference) {
  for (std::uint64_t seed = 1; seed <= case_count(0.1); ++seed) {
    PreferenceModel model{tiny_preference(9 * seed).plain, {}};
    PreferenceOracle oracle(model);
    Reference reference(model.plain);
    const std::vector<CurveStep> found = oracle.steps(), expected = reference.steps();
    ASSERT_EQ(found.size(), expected.size()) << seed;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].probability, expected[i].probability) << seed;
      EXPECT_EQ(oracle.text(found[i].wealth.get_num().get_ui()), to_text(expected[i].wealth))
          << seed;
    }
  }
}

TEST(PreferenceOracle, StationaryPoliciesOfTheProductAreCounted) {
  std::size_t counted = 0;
  for (std::uint64_t seed = 1; seed <= case_count(0.2); ++seed) {
    const InfinitePreference truth(infinite_preference(seed));
    for (std::size_t i = 1; i <= truth.class_count(); ++i) {
      const auto by_counting = truth.at_least_by_counting(i, 256);
      if (!by_counting) continue;
      ++counted;
      ASSERT_EQ(*by_counting, truth.at_least(i)) << seed;
    }
  }
  EXPECT_GT(counted, case_count(0.2) / 2);
}

// A long finite horizon tends to the infinite one: from below where ranks rise, from above where
// they fall.
TEST(PreferenceOracle, FiniteHorizonsTendToTheInfiniteOne) {
  for (std::uint64_t seed = 1; seed <= case_count(0.05); ++seed) {
    PreferenceModel model = infinite_preference(seed);
    const InfinitePreference truth(model);
    for (const std::uint64_t horizon : {3U, 12U}) {
      model.plain.horizon = horizon;
      PreferenceOracle finite(model);
      for (std::size_t i = 1; i <= finite.class_count(); ++i) {
        const Rational limit = truth.at_least(truth.position(finite.text(i)));
        if (!truth.falls()) {
          ASSERT_LE(finite.at_least(i), limit) << seed;
        }
        if (!truth.rises()) {
          ASSERT_GE(finite.at_least(i), limit) << seed;
        }
      }
    }
  }
}

TEST(PreferenceOracle, RandomModelsHaveEveryKindAndManyClasses) {
  std::map<WealthKind, std::size_t> most_classes;
  std::set<bool> orders;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const PreferenceModel model = tiny_preference(seed);
    ASSERT_TRUE(makes_sense(model)) << seed;
    ASSERT_EQ(model.wealth.problem(), "") << seed;
    std::size_t& most = most_classes[model.wealth.kind];
    most = std::max(most, PreferenceOracle(model).class_count());
    if (model.wealth.kind == WealthKind::counts) orders.insert(model.wealth.best_first);
  }
  EXPECT_EQ(most_classes.size(), 8U);
  EXPECT_EQ(orders.size(), 2U);
  for (const auto& [kind, most] : most_classes) EXPECT_GE(most, 3U) << to_text(kind);
}

}  // namespace
}  // namespace quantiplan::testing
