// Episodes counted as they are played are those that are played.
#include <gtest/gtest.h>

#include "quantiplan/solve.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

void expect_same(const EpisodeTally& found, const EpisodeTally& wanted) {
  EXPECT_EQ(found.episodes, wanted.episodes);
  EXPECT_EQ(found.slack, wanted.slack);
  ASSERT_EQ(found.totals.size(), wanted.totals.size());
  for (std::size_t i = 0; i < found.totals.size(); ++i) {
    EXPECT_EQ(found.totals[i].wealth, wanted.totals[i].wealth);
    EXPECT_EQ(found.totals[i].count, wanted.totals[i].count);
  }
}

TEST(SimulateTally, CountsTheEpisodesOfSimulate) {
  const Model model = testing::commute();
  const Policy policy = expectation_policy(model, {});
  const EpisodeTally wanted = tally(simulate(model, policy, {500, 7, KeepEpisodes::steps}));
  EXPECT_GT(wanted.totals.size(), 3U);
  for (const KeepEpisodes keep : {KeepEpisodes::counts, KeepEpisodes::order, KeepEpisodes::steps}) {
    const EpisodeTally found = simulate_tally(model, policy, {500, 7, keep});
    expect_same(found, wanted);
    EXPECT_EQ(found.drawn.size(), keep == KeepEpisodes::counts ? 0U : 500U);
    EXPECT_EQ(found.steps.size(), keep == KeepEpisodes::steps ? 500U : 0U);
    if (keep != KeepEpisodes::counts) {
      EXPECT_EQ(found.drawn, wanted.drawn);
    }
  }
}

TEST(SimulateTally, EndsAtALimitWithWhatWasPlayed) {
  const Model model = testing::commute();
  const Policy policy = expectation_policy(model, {});
  Options options;
  options.memory_limit_bytes = 3U << 20U;
  // What the steps will take is asked for, whatever the heap has left from before.
  const EpisodeTally found =
      simulate_tally(model, policy, {1'000'000, 7, KeepEpisodes::steps}, options);
  EXPECT_GT(found.episodes, 0U);
  EXPECT_LT(found.episodes, 1'000'000U);
  EXPECT_EQ(found.drawn.size(), found.episodes);
}

}  // namespace
}  // namespace quantiplan
