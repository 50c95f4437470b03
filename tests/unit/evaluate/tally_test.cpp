// Episodes counted as they are played are those that are played.
#include <gtest/gtest.h>

#include "evaluate/sampled.hpp"
#include "quantiplan/domains.hpp"
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

// A policy on a grid, whose totals have 30 digits.
struct Machine {
  Machine() {
    Query query;
    query.taus = {Rational(1, 10)};
    policy = solve(model, query).results.at(0).policy();
  }
  Model model = generate("machine", {{"levels", "5"}, {"horizon", "30"}});
  Policy policy;
};

TEST(SimulateTally, IsTheSameWithAnyNumberOfThreads) {
  const Machine machine;
  Options options;
  options.threads = 1;
  const SimulateQuery query{1000, 5, KeepEpisodes::order};
  const EpisodeTally alone = simulate_tally(machine.model, machine.policy, query, options);
  EXPECT_EQ(alone.slack, 0);
  for (const std::uint32_t threads : {2U, 7U}) {
    options.threads = threads;
    const EpisodeTally together = simulate_tally(machine.model, machine.policy, query, options);
    expect_same(together, alone);
    EXPECT_EQ(together.drawn, alone.drawn);
  }
}

TEST(SampledTally, RoundsTotalsWithinTheSlack) {
  const Machine machine;
  const SimulateQuery query{2000, 5, KeepEpisodes::order};
  const EpisodeTally exact = simulate_tally(machine.model, machine.policy, query);
  const EpisodeTally rounded = sampled_tally(machine.model, machine.policy, query, {});
  EXPECT_GT(rounded.slack, 0);
  EXPECT_LE(rounded.slack, Rational(1, 100));
  EXPECT_LT(rounded.totals.size(), exact.totals.size());
  ASSERT_EQ(rounded.drawn.size(), 2000U);
  for (std::size_t i = 0; i < rounded.drawn.size(); ++i) {
    const Rational total = exact.totals[exact.drawn[i]].wealth.value();
    const Rational found = rounded.totals[rounded.drawn[i]].wealth.value();
    EXPECT_LE(found, total);
    EXPECT_LE(total, found + rounded.slack);
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
