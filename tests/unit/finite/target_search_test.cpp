#include "finite/target_search.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

TEST(TargetSearch, FindsEveryThresholdWithLogarithmicallyManyTests) {
  for (std::int64_t truth = -5; truth <= 11; ++truth) {
    int tests = 0;
    const SearchResult found = search_target(-5, 12, 1, [&](std::int64_t target) {
      ++tests;
      return target <= truth ? TargetTest::counts : TargetTest::does_not_count;
    });
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.lower, truth);
    EXPECT_EQ(found.upper, truth + 1);
    EXPECT_LE(tests, 5);
  }
}

TEST(TargetSearch, TestsTheGreatestLevelToo) {
  const SearchResult found =
      search_target(0, 2, 1, [](std::int64_t) { return TargetTest::counts; });
  EXPECT_EQ(found.lower, 1);
}

TEST(TargetSearch, KeepsABracketWhenATestCannotTell) {
  const SearchResult found = search_target(0, 100, 1, [](std::int64_t target) {
    return target > 60   ? TargetTest::does_not_count
           : target > 40 ? TargetTest::unknown
                         : TargetTest::counts;
  });
  EXPECT_FALSE(found.complete);
  EXPECT_LE(found.lower, 41);
  EXPECT_GT(found.upper, 41);
}

TEST(TargetSearch, EndsAtTheGapAskedFor) {
  const SearchResult found = search_target(0, 1000, 10, [](std::int64_t target) {
    return target > 777 ? TargetTest::does_not_count : TargetTest::counts;
  });
  EXPECT_TRUE(found.complete);
  EXPECT_LE(found.lower, 777);
  EXPECT_GT(found.upper, 777);
  EXPECT_LE(found.upper - found.lower, 10);
}

}  // namespace
}  // namespace quantiplan
