#include "domains/seeded.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace quantiplan {
namespace {

// The published sequence of splitmix64 for seed 1234567.
TEST(Seeded, FollowsTheReferenceSequence) {
  Seeded random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
  EXPECT_EQ(random.next(), 4593380528125082431u);
  EXPECT_EQ(random.next(), 16408922859458223821u);
}

TEST(Seeded, BelowOneIsAlwaysZero) {
  Seeded random(3);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random.below(1), 0u);
}

TEST(Seeded, BelowRejectsTheIncompleteRound) {
  // Half of all 64-bit values lie below 2^64 mod (2^63 + 1): those must be redrawn, not folded
  // over.
  constexpr std::uint64_t kBound = (std::uint64_t{1} << 63) + 1;
  Seeded drawn(42);
  Seeded raw(42);
  for (int i = 0; i < 20; ++i) {
    std::uint64_t z = raw.next();
    while (z < kBound - 2) z = raw.next();
    EXPECT_EQ(drawn.below(kBound), z % kBound);
  }
}

TEST(Seeded, BelowIsEvenOverItsRange) {
  Seeded random(7);
  std::array<int, 6> seen{};
  for (int i = 0; i < 6000; ++i) ++seen[random.below(6)];
  for (const int count : seen) {
    EXPECT_GT(count, 880);  // four standard deviations (29 each) around 1000
    EXPECT_LT(count, 1120);
  }
}

TEST(Seeded, SubsetOfEverythingIsEverything) {
  Seeded random(1);
  std::vector<std::uint64_t> subset;
  random.subset(5, 5, subset);
  EXPECT_EQ(subset, (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
  random.subset(0, 5, subset);
  EXPECT_TRUE(subset.empty());
}

TEST(Seeded, SubsetsAreAscendingDistinctAndEven) {
  Seeded random(11);
  std::vector<std::uint64_t> subset;
  std::array<std::array<int, 5>, 5> seen{};
  for (int i = 0; i < 10000; ++i) {
    random.subset(2, 5, subset);
    ASSERT_EQ(subset.size(), 2u);
    ASSERT_LT(subset[0], subset[1]);
    ASSERT_LT(subset[1], 5u);
    ++seen[subset[0]][subset[1]];
  }
  for (std::size_t a = 0; a < 5; ++a) {
    for (std::size_t b = a + 1; b < 5; ++b) {
      EXPECT_GT(seen[a][b], 880);  // four standard deviations (30 each) around 1000
      EXPECT_LT(seen[a][b], 1120);
    }
  }
}

}  // namespace
}  // namespace quantiplan
