#include <gtest/gtest.h>

#include <map>

#include "evaluate/wealth_models.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

// Shares of the wealths at which episodes ended.
std::map<std::string, double> shares(const std::vector<Episode>& episodes) {
  std::map<std::string, double> out;
  for (const Episode& episode : episodes)
    out[episode.wealth.class_text()] += 1 / static_cast<double>(episodes.size());
  return out;
}

TEST(WealthSimulation, PlaysByWealthUntilTheHorizon) {
  const Model model = testing::medals(2);
  const auto episodes =
      simulate(model, testing::bold_then_safe(model), {20'000, 7, KeepEpisodes::steps});
  ASSERT_EQ(episodes.size(), 20'000U);
  auto share = shares(episodes);
  EXPECT_EQ(share.size(), 3U);
  EXPECT_NEAR(share["1 gold, 1 silver"], 0.5, 0.02);
  EXPECT_NEAR(share["1 gold, 1 bronze"], 0.25, 0.02);
  for (const Episode& episode : episodes) {
    ASSERT_EQ(episode.steps.size(), 2U);
    const bool got_gold = episode.steps[0].reward == 2;
    EXPECT_EQ(model.action_name(episode.steps[1].choice), got_gold ? "safe" : "bold");
  }
}

TEST(WealthSimulation, RepeatsItselfForTheSameSeed) {
  const Model model = testing::medals(9);
  const Policy bold = testing::always(model, {{"field", "bold"}});
  const auto one = simulate(model, bold, {50, 3});
  const auto two = simulate(model, bold, {50, 3});
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].wealth, two[i].wealth);
    EXPECT_TRUE(one[i].steps.empty());
  }
}

TEST(WealthSimulation, EndsWhenTheClassIsDecided) {
  const Model model = testing::best_of_tries();
  const Policy tries = testing::always(model, {{"s", "try"}});
  const auto episodes = simulate(model, tries, {20'000, 1, KeepEpisodes::steps});
  auto share = shares(episodes);
  EXPECT_NEAR(share["0"], 1.0 / 3, 0.02);
  EXPECT_NEAR(share["1"], 1.0 / 6, 0.02);
  EXPECT_NEAR(share["2"], 0.5, 0.02);
  // Nothing exceeds 2: it is over, though the policy would go on.
  for (const Episode& episode : episodes) {
    if (episode.wealth.class_text() == "2") {
      EXPECT_EQ(episode.steps.back().next, *model.find_state("s"));
    }
  }
  const Model way = testing::worst_of_the_way();
  const auto walks =
      simulate(way,
               testing::always(way, {{"home", "go"}, {"road", "slow"}, {"swamp", "wade"}}),
               {10, 1, KeepEpisodes::steps});
  for (const Episode& walk : walks) EXPECT_LE(walk.steps.size(), 2U);
}

TEST(WealthSimulation, RefusesAWealthThatNeverSettles) {
  const Model model = testing::blinking_lamp(kInfiniteHorizon);
  const Policy policy = testing::always(model, {{"room", "wait"}});
  EXPECT_THROW((void)simulate(model, policy, {1, 1}), Error);
}

}  // namespace
}  // namespace quantiplan
