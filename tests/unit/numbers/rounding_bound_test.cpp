#include "numbers/rounding_bound.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

TEST(RoundingBound, OfABackwardPassIsTheFormula) {
  const RoundingBound bound = RoundingBound::of_backward_pass(100, 50);
  // n u / (1 - n u) with n = 100 * 52, u = 2^-53.
  Rational expected(5200, (Integer(1) << 53) - 5200);
  expected.canonicalize();
  EXPECT_EQ(bound.relative, expected);
  EXPECT_NEAR(to_nearest_double(bound.relative), 5.77e-13, 1e-14);
}

TEST(RoundingBound, SettlesWhatIsFarAndLeavesWhatIsNear) {
  const RoundingBound bound = RoundingBound::of_backward_pass(10, 3);
  const Rational theta("3/10");
  for (const Side side : {Side::lower, Side::upper}) {
    EXPECT_TRUE(bound.certainly_reaches(0.31, theta, side));
    EXPECT_FALSE(bound.certainly_misses(0.31, theta, side));
    EXPECT_TRUE(bound.certainly_misses(0.29, theta, side));
    EXPECT_FALSE(bound.certainly_reaches(0.29, theta, side));
    EXPECT_FALSE(bound.certainly_reaches(0.3, theta, side));
    EXPECT_FALSE(bound.certainly_misses(0.3, theta, side));
  }
}

TEST(RoundingBound, NeverRulesOutAPositiveProbabilityThatUnderflowed) {
  const RoundingBound bound = RoundingBound::of_backward_pass(3, 2);
  EXPECT_FALSE(bound.certainly_misses(0.0, 0, Side::lower));
  EXPECT_FALSE(bound.certainly_reaches(0.0, 0, Side::lower));
  EXPECT_TRUE(bound.certainly_reaches(1e-300, 0, Side::lower));
}

TEST(RoundingBound, SaysNothingForAbsurdHorizons) {
  const RoundingBound bound = RoundingBound::of_backward_pass(1'000'000'000, 100'000'000);
  EXPECT_FALSE(bound.certainly_reaches(1.0, Rational(1, 2), Side::upper));
}

TEST(Reaches, IsStrictOnTheLowerSideOnly) {
  EXPECT_TRUE(reaches(Rational(1, 2), Rational(1, 2), Side::upper));
  EXPECT_FALSE(reaches(Rational(1, 2), Rational(1, 2), Side::lower));
}

}  // namespace
}  // namespace quantiplan
