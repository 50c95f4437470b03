#include "base/team.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace quantiplan {
namespace {

TEST(Team, CoversEveryPieceOnceInStepAfterStep) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    Team team(threads);
    for (std::size_t count : {0U, 1U, 7U, 1000U}) {
      for (int step = 0; step < 50; ++step) {
        std::vector<std::atomic<int>> done(count);
        team.run(count, 3, [&](unsigned worker, std::size_t begin, std::size_t end) {
          EXPECT_LT(worker, threads);
          for (std::size_t i = begin; i < end; ++i) ++done[i];
        });
        for (const auto& times : done) ASSERT_EQ(times, 1);
      }
    }
  }
}

TEST(Team, RethrowsAndGoesOn) {
  Team team(3);
  const auto fail = [](unsigned, std::size_t begin, std::size_t) {
    if (begin == 40) throw std::runtime_error("forty");
  };
  EXPECT_THROW(team.run(100, 10, fail), std::runtime_error);
  std::atomic<std::size_t> sum = 0;
  team.run(100, 10, [&](unsigned, std::size_t begin, std::size_t end) { sum += end - begin; });
  EXPECT_EQ(sum, 100U);
}

}  // namespace
}  // namespace quantiplan
