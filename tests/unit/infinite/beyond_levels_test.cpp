#include "infinite/beyond_levels.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

constexpr Miss kEveryMiss[] = {Miss::none, Miss::worst, Miss::best};

TEST(BeyondLevels, AMissAsTheBestOfAllIsReachedByAvoidingTheGoal) {
  using enum BeyondLevels;
  EXPECT_EQ(beyond_levels({true, Miss::best}, Total::miss(), false), limit);
  EXPECT_EQ(beyond_levels({false, Miss::best}, Total::miss(), false), base);
  EXPECT_EQ(beyond_levels({true, Miss::best}, Total::miss(), true), zero);
  EXPECT_EQ(beyond_levels({false, Miss::best}, Total::miss(), true), zero);
}

TEST(BeyondLevels, AMissAsTheLeastOfAllIsExceededByWhateverIsNone) {
  using enum BeyondLevels;
  for (const Miss miss : {Miss::none, Miss::worst}) {
    EXPECT_EQ(beyond_levels({true, miss}, Total::miss(), false), one);
    EXPECT_EQ(beyond_levels({false, miss}, Total::miss(), false), one);
    EXPECT_EQ(beyond_levels({true, miss}, Total::miss(), true), base);
    EXPECT_EQ(beyond_levels({false, miss}, Total::miss(), true), limit);
  }
}

TEST(BeyondLevels, GainsAreAboveMinusInfinity) {
  using enum BeyondLevels;
  for (const Miss miss : kEveryMiss) {
    EXPECT_EQ(beyond_levels({true, miss}, Total::minus_infinity(), false), base);
    EXPECT_EQ(beyond_levels({true, miss}, Total::minus_infinity(), true), base);
  }
}

TEST(BeyondLevels, LossesMayComeToMinusInfinity) {
  using enum BeyondLevels;
  for (const Miss miss : kEveryMiss) {
    EXPECT_EQ(beyond_levels({false, miss}, Total::minus_infinity(), false),
              miss == Miss::worst ? limit : one);
    EXPECT_EQ(beyond_levels({false, miss}, Total::minus_infinity(), true), limit);
  }
}

TEST(BeyondLevels, OnlyAMissIsAbovePlusInfinity) {
  using enum BeyondLevels;
  for (const Miss miss : kEveryMiss) {
    EXPECT_EQ(beyond_levels({true, miss}, Total::plus_infinity(), false), limit);
    EXPECT_EQ(beyond_levels({true, miss}, Total::plus_infinity(), true),
              miss == Miss::best ? limit : zero);
    EXPECT_EQ(beyond_levels({false, miss}, Total::plus_infinity(), false), base);
    EXPECT_EQ(beyond_levels({false, miss}, Total::plus_infinity(), true), base);
  }
}

}  // namespace
}  // namespace quantiplan
