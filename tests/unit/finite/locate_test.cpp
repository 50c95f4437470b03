#include "finite/solve/locate.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

Curve<double> two_steps() {
  Curve<double> curve;
  curve.sure = 0;
  curve.possible = 9;
  curve.upto = {3, 9};
  curve.value = {0.5, 0.25};
  return curve;
}

TEST(Locate, ReadsBothSidesOffTheCurve) {
  const auto bound = RoundingBound::of_backward_pass(4, 2);
  const auto curve = two_steps();
  const LevelRange upper = locate(curve, bound, Rational(2, 5), Side::upper);
  EXPECT_EQ(upper.lower, 3);
  EXPECT_EQ(upper.upper, 3);
  const LevelRange last = locate(curve, bound, 0, Side::lower);
  EXPECT_EQ(last.lower, 9);
  EXPECT_EQ(last.upper, 9);
  const LevelRange sure = locate(curve, bound, 1, Side::upper);
  EXPECT_EQ(sure.lower, 0);
  EXPECT_EQ(sure.upper, 0);
}

TEST(Locate, LeavesATieOpenInDoublesAndNotInRationals) {
  const auto bound = RoundingBound::of_backward_pass(4, 2);
  const LevelRange open = locate(two_steps(), bound, Rational(1, 2), Side::lower);
  EXPECT_EQ(open.lower, 0);
  EXPECT_EQ(open.upper, 3);
  Curve<Rational> exact;
  exact.possible = 9;
  exact.upto = {3, 9};
  exact.value = {Rational(1, 2), Rational(1, 4)};
  EXPECT_EQ(locate(exact, bound, Rational(1, 2), Side::lower).lower, 0);
  EXPECT_EQ(locate(exact, bound, Rational(1, 2), Side::upper).lower, 3);
}

TEST(Locate, DecidesNearAndFarFromThetaAlike) {
  const auto bound = RoundingBound::of_backward_pass(4, 2);
  Curve<double> curve;
  for (int i = 1; i <= 100; ++i) {
    curve.upto.push_back(i);
    // From 1/2 + 5e-5 down through 1/2 in steps of 1e-6.
    curve.value.push_back(0.5 + (50 - i) * 1e-6);
  }
  curve.possible = 100;
  for (const Side side : {Side::lower, Side::upper}) {
    const LevelRange range = locate(curve, bound, Rational(1, 2), side);
    EXPECT_EQ(range.lower, 49);
    EXPECT_EQ(range.upper, 50);
  }
  const LevelRange clear = locate(curve, bound, Rational(1, 3), Side::lower);
  EXPECT_EQ(clear.lower, 100);
  EXPECT_EQ(clear.upper, 100);
}

TEST(CloseRange, FindsTheLastLevelThatCountsWhereverItIs) {
  for (std::int64_t truth = 2; truth <= 20; ++truth) {
    const Located located =
        close_range({2, 20}, Rational(1, 2), Side::upper, [&](std::int64_t level) {
          return std::optional(Settled{level <= truth ? Rational(1, 2) : Rational(1, 3), nullptr});
        });
    EXPECT_EQ(located.range.lower, truth);
    EXPECT_EQ(located.range.upper, truth);
    EXPECT_EQ(located.settled.has_value(), truth > 2);
  }
}

TEST(CloseRange, KeepsTheBracketWhenALimitIsMet) {
  const Located located = close_range(
      {2, 20}, Rational(1, 2), Side::upper, [](std::int64_t) { return std::optional<Settled>(); });
  EXPECT_EQ(located.range.lower, 2);
  EXPECT_EQ(located.range.upper, 20);
}

}  // namespace
}  // namespace quantiplan
