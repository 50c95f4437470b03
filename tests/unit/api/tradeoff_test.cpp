#include "quantiplan/tradeoff.hpp"

#include <gtest/gtest.h>

#include "quantiplan/error.hpp"
#include "quantiplan/run.hpp"
#include "quantiplan/solve.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

TradeoffQuery by_level(const Rational& tau, Side side) {
  TradeoffQuery query;
  query.tau = tau;
  query.side = side;
  return query;
}

TradeoffQuery by_probability(const Rational& target) {
  TradeoffQuery query;
  query.target = target;
  return query;
}

Options exactly() {
  Options options;
  options.arithmetic = Arithmetic::exact;
  return options;
}

// The train reaches -55 with 0.982 and has the mean -31.89; only the bike surely has -40, and a coin
// of 50/99 for the train keeps P(W >= -40) >= 0.9.
TEST(Tradeoff, PricesTheLevelsOfTheCommute) {
  const Model model = testing::commute();
  const Tradeoff found = tradeoff(model, by_level(Rational(1, 10), Side::upper), exactly());
  EXPECT_EQ(found.status, Status::solved);
  ASSERT_EQ(found.points.size(), 2U);
  EXPECT_EQ(found.levels, 2U);
  const TradeoffPoint& first = found.points[0];
  EXPECT_EQ(first.level, -55);
  EXPECT_EQ(*first.probability.exact, Rational(491, 500));
  EXPECT_EQ(*first.mean.exact, Rational("-3189/100"));
  EXPECT_EQ(*first.mean_bound.exact, Rational("-3189/100"));
  const TradeoffPoint& last = found.points[1];
  EXPECT_EQ(last.level, -40);
  EXPECT_EQ(*last.probability.exact, 1);
  EXPECT_EQ(*last.mean.exact, -40);
  EXPECT_EQ(*last.mean_bound.exact,
            Rational(50, 99) * Rational(-3189, 100) + Rational(49, 99) * -40);
}

TEST(Tradeoff, TracesTheHullOfTheCommute) {
  const Model model = testing::commute();
  const Tradeoff found = tradeoff(model, by_probability(-40), exactly());
  ASSERT_EQ(found.points.size(), 2U);
  EXPECT_EQ(*found.points[0].probability.exact, Rational(401, 500));
  EXPECT_EQ(*found.points[0].mean.exact, Rational("-3189/100"));
  EXPECT_EQ(*found.points[1].probability.exact, 1);
  EXPECT_EQ(*found.points[1].mean.exact, -40);
  EXPECT_EQ(*found.above->exact, 0);
  for (const TradeoffPoint& point : found.points) {
    const Policy policy = point.policy();
    const Distribution law = evaluate(model, policy, exactly());
    EXPECT_EQ(*law.mean.exact, *point.mean.exact);
    EXPECT_EQ(*law.at_least(-40).exact, *point.probability.exact);
    EXPECT_TRUE(check(model, policy, *policy.claim, exactly()).passed);
  }
}

TEST(Tradeoff, OfATargetBeyondAllTotalsIsOnePoint) {
  const Model model = testing::commute();
  for (const int target : {-1000000, 1000000}) {
    const Tradeoff found = tradeoff(model, by_probability(target), exactly());
    ASSERT_EQ(found.points.size(), 1U);
    EXPECT_EQ(*found.points[0].probability.exact, target < 0 ? 1 : 0);
    EXPECT_EQ(*found.points[0].mean.exact, Rational("-3189/100"));
  }
}

TEST(Tradeoff, IsRefusedWhereThereIsNoMean) {
  const Model model = testing::commute();
  const auto refused = [&](Setting setting) {
    TradeoffQuery query = by_level(Rational(1, 10), Side::lower);
    query.setting = std::move(setting);
    EXPECT_THROW(tradeoff(model, query), Error);
  };
  Setting goal;
  goal.goal = {"office"};
  refused(goal);
  Setting adversarial;
  adversarial.adversarial = true;
  refused(adversarial);
  Setting infinite;
  infinite.horizon = kInfiniteHorizon;
  refused(infinite);
  EXPECT_THROW(tradeoff(model, {}), Error);
}

TEST(Mixed, AttainsTheBoundOfTheCommute) {
  const Model model = testing::commute();
  Query query{{Rational(1, 10)}, Sides::both, {}};
  query.mixed = true;
  const Answer answer = solve(model, query, exactly());
  const Result& upper = answer.results.at(1);
  ASSERT_TRUE(upper.mixed);
  EXPECT_EQ(upper.mixed->coin, Rational(50, 99));
  EXPECT_EQ(*upper.mixed->probability.exact, Rational(9, 10));
  EXPECT_EQ(*upper.mixed->mean.exact, *upper.mean_bound->exact);
  const Result& lower = answer.results.at(0);
  ASSERT_TRUE(lower.mixed);
  EXPECT_GT(*lower.mixed->probability.exact, Rational(9, 10));
  EXPECT_LT(*lower.mean_bound->exact - *lower.mixed->mean.exact, Rational(1, 100000));
  for (const Result& result : answer.results) {
    const Policy policy = result.mixed->policy();
    ASSERT_EQ(policy.mixture.size(), 2U);
    const Distribution law = evaluate(model, policy, exactly());
    EXPECT_EQ(*law.mean.exact, *result.mixed->mean.exact);
    EXPECT_EQ(*law.at_least(-40).exact, *result.mixed->probability.exact);
    EXPECT_TRUE(check(model, policy, *policy.claim, exactly()).passed);
    // A greater claim, a part that claims more than it has, and weights that favour it.
    PolicyClaim claim = *policy.claim;
    claim.exact_probability = Rational(95, 100);
    claim.probability = 0.95;
    EXPECT_FALSE(check(model, policy, claim, exactly()).passed);
    Policy other = policy;
    other.mixture[0].policy.claim->exact_probability = Rational(9, 10);
    other.mixture[0].policy.claim->probability = 0.9;
    EXPECT_FALSE(check(model, other, *other.claim, exactly()).passed);
    other = policy;
    other.mixture[0].weight = Rational(20, 33);
    other.mixture[1].weight = Rational(13, 33);
    EXPECT_FALSE(check(model, other, *other.claim, exactly()).passed);
    other.mixture[0].weight = Rational(1, 33);
    EXPECT_FALSE(check(model, other, *other.claim, exactly()).passed);
  }
}

TEST(Mixed, EpisodesDrawThePartFirst) {
  const Model model = testing::commute();
  Query query{{Rational(1, 10)}, Sides::upper, {}};
  query.mixed = true;
  const Policy policy = solve(model, query, exactly()).results.at(0).mixed->policy();
  const EpisodeTally played = simulate_tally(model, policy, {20'000, 7, KeepEpisodes::counts});
  std::uint64_t reached = 0;
  for (const EpisodeTally::Entry& entry : played.totals) {
    if (entry.wealth >= -40) reached += entry.count;
  }
  // 0.9, give or take five standard deviations.
  EXPECT_NEAR(static_cast<double>(reached), 18'000, 212);
}

TEST(Mixed, RunsFollowThePartThatWasDrawn) {
  const Model model = testing::commute();
  Query query{{Rational(1, 10)}, Sides::upper, {}};
  query.mixed = true;
  const Policy policy = solve(model, query, exactly()).results.at(0).mixed->policy();
  EXPECT_THROW(start(model, policy), Error);
  // The coin is 50/99, about 0.505.
  EXPECT_EQ(&drawn_part(policy, 0), &policy.mixture[0].policy);
  EXPECT_EQ(&drawn_part(policy, std::uint64_t{1} << 63U), &policy.mixture[0].policy);
  EXPECT_EQ(&drawn_part(policy, ~std::uint64_t{0}), &policy.mixture[1].policy);
  const Policy& part = drawn_part(policy, 0);
  EXPECT_EQ(&drawn_part(part, ~std::uint64_t{0}), &part);
  EXPECT_EQ(start(model, part).target(), Rational(-40));
}

}  // namespace
}  // namespace quantiplan
