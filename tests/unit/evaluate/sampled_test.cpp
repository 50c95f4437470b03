#include "evaluate/sampled.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "quantiplan/solve.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

TEST(Sampled, HasTheBandOfMassart) {
  // sqrt(ln(200) / 20000) = 0.01627624
  EXPECT_NEAR(simulation_band(10'000, 0.99), 0.01627624, 1e-8);
  EXPECT_EQ(simulation_band(1, 0.99), 1);
}

TEST(Sampled, CountsEqualTotalsTogether) {
  const std::vector<Episode> episodes{{3, {}}, {-1, {}}, {3, {}}, {Rational(1, 3), {}}};
  const Distribution d = sampled_distribution(tally(episodes), 5, 0.95);
  ASSERT_EQ(d.atoms.size(), 3U);
  EXPECT_EQ(d.atoms[0].wealth, -1);
  EXPECT_EQ(d.atoms[0].probability.nearest, 0.25);
  EXPECT_FALSE(d.atoms[0].probability.exact.has_value());
  EXPECT_EQ(d.atoms[1].wealth, Rational(1, 3));
  EXPECT_EQ(d.atoms[2].probability.nearest, 0.5);
  EXPECT_DOUBLE_EQ(d.mean.nearest, (3 - 1 + 3 + 1.0 / 3) / 4);
  ASSERT_TRUE(d.sample.has_value());
  EXPECT_EQ(d.sample->episodes, 4U);
  EXPECT_EQ(d.sample->seed, 5U);
  EXPECT_EQ(d.sample->confidence, 0.95);
}

TEST(Sampled, CountsMissesAndInfinitiesAsTheyAre) {
  const std::vector<Episode> episodes{
      {Total::plus_infinity(), {}}, {Total::miss(), {}}, {2, {}}, {Total::miss(), {}}};
  const Distribution d = sampled_distribution(tally(episodes), 5, 0.95);
  ASSERT_EQ(d.atoms.size(), 3U);
  EXPECT_TRUE(d.atoms[0].wealth.is_miss());
  EXPECT_EQ(d.atoms[0].probability.nearest, 0.5);
  EXPECT_EQ(d.atoms[2].wealth, Total::plus_infinity());
  EXPECT_TRUE(std::isnan(d.mean.nearest));
  const Distribution infinite =
      sampled_distribution(tally({{Total::minus_infinity(), {}}, {2, {}}}), 5, 0.95);
  EXPECT_EQ(infinite.mean.nearest, -std::numeric_limits<double>::infinity());
}

TEST(Sampled, WidensByWhatEpisodesLeftOpen) {
  std::vector<Episode> episodes(1000, Episode{2, {}, Rational(1, 8)});
  episodes.push_back({3, {}, 0});
  const Distribution d = sampled_distribution(tally(episodes), 5, 0.95);
  EXPECT_EQ(d.slack, Rational(1, 4));
  EXPECT_EQ(d.atoms[0].wealth, Total(Rational(15, 8)));
  const auto median = d.quantile(Rational(1, 2), Side::lower);
  EXPECT_EQ(median.lower, Total(Rational(15, 8)));
  EXPECT_EQ(median.upper, Total(Rational(17, 8)));
}

TEST(Sampled, HoldsTheTruthOfAPolicyThatIsKnown) {
  const Model model = testing::commute();
  const Policy policy = expectation_policy(model, {});
  const Distribution truth = evaluate(model, policy);
  const Distribution sample =
      sampled_distribution(simulate_tally(model, policy, {2000, 3, KeepEpisodes::counts}), 3, 0.99);
  for (const Atom& atom : truth.atoms) {
    const Rational p = *truth.at_least(atom.wealth).exact;
    const ProbabilityBracket bracket = sample.at_least_bracket(atom.wealth);
    EXPECT_LE(bracket.lower, p);
    EXPECT_GE(bracket.upper, p);
  }
}

}  // namespace
}  // namespace quantiplan
