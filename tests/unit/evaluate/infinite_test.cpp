#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "evaluate/infinite/undiscounted.hpp"
#include "evaluate/stationary_chains.hpp"
#include "numbers/thrown.hpp"

namespace quantiplan {
namespace {

using testing::first_choices;
using testing::infinite;

void expect_atom(const Distribution& d, std::size_t i, const Total& wealth, const Rational& p) {
  ASSERT_LT(i, d.atoms.size());
  EXPECT_EQ(to_text(d.atoms[i].wealth), to_text(wealth));
  ASSERT_TRUE(d.atoms[i].probability.exact.has_value());
  EXPECT_EQ(*d.atoms[i].probability.exact, p);
}

// Stays with 1 at every step with probability p, else ends with nothing.
Model loop(const Number& stay, const Number& leave, const Number& reward = 1) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a").add_outcome("s", stay, reward).add_outcome("end", leave, 0);
  return b.build();
}

TEST(Infinite, AGeometricLoopIsGeometric) {
  const Model model = loop("1/2", "1/2");
  const Distribution d = infinite(model, first_choices(model));
  Rational p(1, 2);
  for (std::size_t n = 0; n < 40; ++n) {
    expect_atom(d, n, static_cast<int>(n), p);
    p /= 2;
  }
  EXPECT_EQ(d.atoms.size(), 40U);
  EXPECT_EQ(d.mean.exact, Rational(1));
  EXPECT_EQ(d.relative_error, 0);
  ASSERT_TRUE(d.rest.has_value());
  EXPECT_EQ(d.rest->from, Total(40));
  EXPECT_EQ(d.rest->to, Total::plus_infinity());
  EXPECT_GE(Rational(d.rest->probability), Rational(2 * p));
  EXPECT_LT(d.rest->probability, 1e-12);
  EXPECT_EQ(*d.at_least(10).exact, Rational(1, 1024));
  const auto quantile = d.quantile(Rational(9, 10), Side::lower);
  EXPECT_EQ(quantile.lower, Total(3));
  EXPECT_EQ(quantile.upper, Total(3));
}

TEST(Infinite, CostsAreNegativeTotals) {
  const Model model = loop("1/2", "1/2", "0.25");
  Policy policy = first_choices(model);
  policy.setting.cost = true;
  const Distribution d = infinite(model, policy);
  ASSERT_EQ(d.atoms.size(), 40U);
  expect_atom(d, 39, 0, Rational(1, 2));
  expect_atom(d, 38, Rational(-1, 4), Rational(1, 4));
  EXPECT_EQ(d.rest->from, Total::minus_infinity());
  EXPECT_EQ(d.rest->to, Total(-10));
  EXPECT_EQ(d.mean.exact, Rational(-1, 4));
}

// A goal worth 1000 reached with probability 1e-4 a step: the answer is 1000, not 0.
TEST(Infinite, ASlowLoopWithoutRewardIsFollowedToItsEnd) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a").add_outcome("s", "0.9999", 0).add_outcome("end", "0.0001", 1000);
  const Model model = b.build();
  const Distribution d = infinite(model, first_choices(model));
  ASSERT_EQ(d.atoms.size(), 1U);
  expect_atom(d, 0, 1000, 1);
  EXPECT_EQ(d.mean.exact, Rational(1000));
  EXPECT_FALSE(d.rest.has_value());
  const Distribution floating = infinite(model, first_choices(model), Arithmetic::floating);
  ASSERT_EQ(floating.atoms.size(), 1U);
  EXPECT_NEAR(floating.atoms[0].probability.nearest, 1, 1e-14);
  EXPECT_LT(floating.absolute_error, 1e-14);
  EXPECT_GT(floating.absolute_error, 0);
}

// From s, with 1/3 each: an end worth 2, a loop that pays 1 for ever, a loop that pays nothing.
Model three_ways() {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a")
      .add_outcome("end", "1/3", 2)
      .add_outcome("rich", "1/3", 0)
      .add_outcome("idle", "1/3", 0);
  b.begin_choice("rich", "a").add_outcome("rich", "1/2", 1).add_outcome("richer", "1/2", 0);
  b.begin_choice("richer", "a").add_outcome("rich", 1, 0);
  b.begin_choice("idle", "a").add_outcome("idler", 1, 0);
  b.begin_choice("idler", "a").add_outcome("idle", 1, 0);
  return b.build();
}

TEST(Infinite, ClosedComponentsAreTotalsOrInfinities) {
  const Model model = three_ways();
  const Distribution d = infinite(model, first_choices(model));
  ASSERT_EQ(d.atoms.size(), 3U);
  expect_atom(d, 0, 0, Rational(1, 3));
  expect_atom(d, 1, 2, Rational(1, 3));
  expect_atom(d, 2, Total::plus_infinity(), Rational(1, 3));
  EXPECT_FALSE(d.rest.has_value());
  EXPECT_EQ(d.mean.nearest, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(d.mean.exact.has_value());
  Policy policy = first_choices(model);
  policy.setting.cost = true;
  const Distribution costs = infinite(model, policy);
  ASSERT_EQ(costs.atoms.size(), 3U);
  expect_atom(costs, 0, Total::minus_infinity(), Rational(1, 3));
  expect_atom(costs, 1, -2, Rational(1, 3));
  expect_atom(costs, 2, 0, Rational(1, 3));
  EXPECT_EQ(costs.mean.nearest, -std::numeric_limits<double>::infinity());
}

TEST(Infinite, WithAGoalEverythingElseIsAMiss) {
  const Model model = three_ways();
  const Distribution d = infinite(model, first_choices(model, {"end"}));
  ASSERT_EQ(d.atoms.size(), 2U);
  expect_atom(d, 0, Total::miss(), Rational(2, 3));
  expect_atom(d, 1, 2, Rational(1, 3));
  EXPECT_TRUE(std::isnan(d.mean.nearest));
  // An episode ends on entering a goal, whatever could be done there.
  const Distribution rich = infinite(model, first_choices(model, {"rich"}));
  expect_atom(rich, 0, Total::miss(), Rational(2, 3));
  expect_atom(rich, 1, 0, Rational(1, 3));
}

TEST(Infinite, AMissOnTheWayIsCountedWithItsLevelsToCome) {
  // Each step pays 1: goal with 1/4, a trap with 1/4, again with 1/2.
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a")
      .add_outcome("goal", "1/4", 1)
      .add_outcome("trap", "1/4", 1)
      .add_outcome("s", "1/2", 1);
  b.begin_choice("trap", "a").add_outcome("trap", 1, 1);
  const Model model = b.build();
  for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::floating}) {
    const Distribution d = infinite(model, first_choices(model, {"goal"}), arithmetic);
    EXPECT_EQ(d.atoms.front().wealth, Total::miss());
    EXPECT_NEAR(d.atoms.front().probability.nearest, 0.5, 1e-15);
    EXPECT_EQ(d.atoms[1].wealth, Total(1));
    EXPECT_EQ(d.atoms[1].probability.nearest, 0.25);
    EXPECT_LT(d.rest->probability, 1e-12);
  }
  const Distribution d = infinite(model, first_choices(model, {"goal"}), Arithmetic::exact);
  expect_atom(d, 0, Total::miss(), Rational(1, 2));
}

// A walk without reward on 0..4, up or down with 1/2; 0 pays 1 and ends, 4 pays 3 and ends.
TEST(Infinite, CyclesWithoutRewardAreSolvedNotIterated) {
  ModelBuilder b;
  b.initial("1");
  b.begin_choice("1", "a").add_outcome("end", "1/2", 1).add_outcome("2", "1/2", 0);
  b.begin_choice("2", "a").add_outcome("1", "1/2", 0).add_outcome("3", "1/2", 0);
  b.begin_choice("3", "a").add_outcome("2", "1/2", 0).add_outcome("end", "1/2", 3);
  const Model model = b.build();
  const Distribution d = infinite(model, first_choices(model));
  ASSERT_EQ(d.atoms.size(), 2U);
  expect_atom(d, 0, 1, Rational(3, 4));
  expect_atom(d, 1, 3, Rational(1, 4));
  EXPECT_EQ(d.mean.exact, Rational(3, 2));
}

// Collect 1 with probability 1/2 a step while something is needed, then stop.
Model collector() {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "go")
      .add_outcome("s", "1/2", 1)
      .add_outcome("s", "1/4", 0)
      .add_outcome("lost", "1/4", 0);
  b.begin_choice("s", "stop").add_outcome("end", 1, 0);
  return b.build();
}

Policy collect(const Model& model, const Rational& target) {
  Policy policy = first_choices(model);
  policy.target = target;
  policy.rules[0].runs = {{Rational(0), Choice{1}}, {std::nullopt, Choice{0}}};
  return policy;
}

TEST(Infinite, RulesGoByWhatIsStillNeeded) {
  const Model model = collector();
  // 1 comes before the loss with 2/3.
  for (const char* target : {"3", "5/2"}) {
    const Distribution d = infinite(model, collect(model, Rational(target)));
    ASSERT_EQ(d.atoms.size(), 4U);
    expect_atom(d, 0, 0, Rational(1, 3));
    expect_atom(d, 1, 1, Rational(2, 9));
    expect_atom(d, 2, 2, Rational(4, 27));
    expect_atom(d, 3, 3, Rational(8, 27));
    EXPECT_EQ(d.mean.exact, Rational(2, 9) + Rational(8, 27) + Rational(24, 27));
  }
}

TEST(Infinite, AnAdversaryCountsTheNegative) {
  const Model model = collector();
  // y rises with every reward: "go" as long as y <= 2, until more than 2 has been collected.
  Policy policy = first_choices(model);
  policy.setting.adversarial = true;
  policy.target = 0;
  policy.rules[0].runs = {{Rational(2), Choice{0}}, {std::nullopt, Choice{1}}};
  const Distribution d = infinite(model, policy);
  ASSERT_EQ(d.atoms.size(), 4U);
  expect_atom(d, 0, 0, Rational(1, 3));
  expect_atom(d, 3, 3, Rational(8, 27));
  // With costs as well it counts rewards as they are, and the totals are their negatives.
  policy = collect(model, 3);
  policy.setting.adversarial = true;
  policy.setting.cost = true;
  const Distribution costs = infinite(model, policy);
  ASSERT_EQ(costs.atoms.size(), 4U);
  expect_atom(costs, 0, -3, Rational(8, 27));
  expect_atom(costs, 3, 0, Rational(1, 3));
}

TEST(Infinite, RewardsOfBothSignsAreFineWithoutPayingCycles) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a").add_outcome("t", "1/2", 5).add_outcome("t", "1/2", -5);
  b.begin_choice("t", "a").add_outcome("t", "1/3", 0).add_outcome("u", "2/3", -1);
  b.begin_choice("u", "a").add_outcome("end", "1/2", 3).add_outcome("u", "1/2", 0);
  b.begin_choice("u", "b").add_outcome("end", 1, 0);
  const Model model = b.build();
  const Distribution d = infinite(model, first_choices(model));
  ASSERT_EQ(d.atoms.size(), 2U);
  expect_atom(d, 0, -3, Rational(1, 2));
  expect_atom(d, 1, 7, Rational(1, 2));
  EXPECT_EQ(d.mean.exact, Rational(2));
  // By residual: b where 6 or more is still needed at u, that is after -6.
  Policy policy = first_choices(model);
  policy.target = 0;
  policy.rules[2].runs = {{Rational(5), Choice{2}}, {std::nullopt, Choice{3}}};
  const Distribution by_need = infinite(model, policy);
  ASSERT_EQ(by_need.atoms.size(), 2U);
  expect_atom(by_need, 0, -6, Rational(1, 2));
  expect_atom(by_need, 1, 7, Rational(1, 2));
}

TEST(Infinite, RefusesRewardsOfBothSignsOnACycle) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a").add_outcome("s", "1/2", 1).add_outcome("t", "1/2", -1);
  b.begin_choice("t", "a").add_outcome("s", 1, 0);
  const Model model = b.build();
  EXPECT_EQ(thrown(ErrorCode::refused, [&] { infinite(model, first_choices(model)); }),
            "policy: rewards of both signs on a cycle of the policy: the total need not have a "
            "limit; give a finite horizon or a discount");
}

TEST(Infinite, WhatAMemoryLimitLeavesIsTheRest) {
  Options options;
  options.memory_limit_bytes = 1;
  const Model model = collector();
  const auto cut = [&](const Policy& policy) {
    Limits limits(options);
    return undiscounted_distribution(model, policy, options, limits).value();
  };
  // Rules depend on the count: anything may become of what is left.
  Policy policy = collect(model, 3);
  const Distribution d = cut(policy);
  EXPECT_TRUE(d.atoms.empty());
  EXPECT_EQ(d.rest->from, Total(0));
  EXPECT_EQ(d.rest->to, Total::plus_infinity());
  EXPECT_EQ(d.rest->probability, 1);
  EXPECT_TRUE(std::isnan(d.mean.nearest));
  policy.setting.goal = {*model.find_state("end")};
  EXPECT_EQ(cut(policy).rest->from, Total::miss());
  policy.setting.cost = true;
  EXPECT_EQ(cut(policy).rest->to, Total(0));
  // They do not: the limit of the chain is known all the same.
  const Distribution settled = cut(first_choices(model, {"end"}));
  ASSERT_EQ(settled.atoms.size(), 1U);
  EXPECT_EQ(settled.atoms[0].wealth, Total::miss());
  EXPECT_EQ(settled.atoms[0].probability.exact, Rational(1));
  EXPECT_EQ(cut(first_choices(model)).mean.exact, Rational(2));
}

TEST(Infinite, EndsWithItsLimits) {
  std::atomic<bool> stop = true;
  Options options;
  options.stop = &stop;
  Limits limits(options);
  const Model model = collector();
  EXPECT_FALSE(undiscounted_distribution(model, first_choices(model), options, limits).has_value());
}

TEST(Infinite, NamesTheStateWithoutARule) {
  const Model model = three_ways();
  Policy policy = first_choices(model);
  policy.rules.erase(policy.rules.begin() + 1);
  EXPECT_NE(thrown(ErrorCode::bad_policy, [&] { infinite(model, policy); }).find("state 'rich'"),
            std::string::npos);
}

TEST(Infinite, ASureEndIsOneAtom) {
  ModelBuilder b;
  b.initial("end");
  b.begin_choice("s", "a").add_outcome("end", 1, 0);
  const Model model = b.build();
  const Distribution d = infinite(model, first_choices(model));
  ASSERT_EQ(d.atoms.size(), 1U);
  expect_atom(d, 0, 0, 1);
  EXPECT_EQ(d.mean.exact, Rational(0));
  const Distribution missed = infinite(model, first_choices(model, {"s"}));
  ASSERT_EQ(missed.atoms.size(), 1U);
  expect_atom(missed, 0, Total::miss(), 1);
}

}  // namespace
}  // namespace quantiplan
