#include "finite/cluster/slabs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace quantiplan {
namespace {

TEST(LevelProfile, AddsTheWorkBelowALevel) {
  LevelProfile profile;
  profile.add({0, 10}, 3);
  profile.add({5, 25}, 2);
  profile.add({7, 7}, 100);  // no level
  profile.close();
  EXPECT_EQ(profile.total(), 70);
  EXPECT_EQ(profile.upto(0), 0);
  EXPECT_EQ(profile.upto(5), 15);
  EXPECT_EQ(profile.upto(10), 40);
  EXPECT_EQ(profile.upto(100), 70);
  EXPECT_EQ(profile.within({5, 10}), 25);
  EXPECT_EQ(profile.within({10, 5}), 0);
}

TEST(LevelProfile, CutsIntoSlabsOfEqualWork) {
  LevelProfile profile;
  profile.add({-100, 100}, 1);
  profile.add({0, 100}, 3);
  profile.close();
  // 100 units below 0, 400 above.
  const std::vector<std::int64_t> expected{-100, 0, 25, 50, 75, 100};
  EXPECT_EQ(profile.cuts(5), expected);
}

TEST(LevelProfile, SlabsHoldEveryLevelOnceWhateverTheirNumber) {
  LevelProfile profile;
  profile.add({3, 6}, 5);
  profile.close();
  for (const std::uint32_t parts : {1U, 2U, 3U, 7U, 100U}) {
    const auto cuts = profile.cuts(parts);
    ASSERT_EQ(cuts.size(), parts + 1);
    EXPECT_EQ(cuts.front(), 3);
    EXPECT_EQ(cuts.back(), 6);
    EXPECT_TRUE(std::ranges::is_sorted(cuts));
  }
}

TEST(LevelProfile, NothingIsCutIntoEmptySlabs) {
  LevelProfile profile;
  profile.close();
  EXPECT_EQ(profile.total(), 0);
  for (std::uint32_t q = 0; q < 4; ++q) EXPECT_TRUE(slab(profile.cuts(4), q).empty());
}

TEST(Reach, IsTheSlabLessTheRewards) {
  const Interval needed = reach({10, 20}, -2, 5);
  EXPECT_EQ(needed.above, 5);
  EXPECT_EQ(needed.upto, 22);
  EXPECT_TRUE(reach({10, 10}, -2, 5).empty());
}

}  // namespace
}  // namespace quantiplan
