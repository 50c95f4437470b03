#include "quantiplan/value.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "numbers/mean_value.hpp"

namespace quantiplan {
namespace {

const Rational kThird(1, 3);

TEST(Value, IsTheNearestDoubleOfAnExactNumber) {
  const Value third = Value::exactly(kThird);
  EXPECT_EQ(third.nearest, 1.0 / 3);
  EXPECT_EQ(third.exact, kThird);
  EXPECT_EQ(relative_error(third), 0);
}

TEST(Value, RoundsALowerBoundDownAndAnUpperBoundUp) {
  for (const Rational& bound : {kThird, Rational(2, 3), Rational(1, 10), Rational(7, 10)}) {
    const Value least = Value::at_least(bound);
    EXPECT_EQ(least.is, Value::Is::lower_bound);
    EXPECT_LE(Rational(least.nearest), bound);
    EXPECT_GT(Rational(least.nearest) * (1 + Rational(0x1p-51)), bound);
    const Value most = Value::at_most(bound);
    EXPECT_EQ(most.is, Value::Is::upper_bound);
    EXPECT_GE(Rational(most.nearest), bound);
    EXPECT_LT(Rational(most.nearest) * (1 - Rational(0x1p-51)), bound);
  }
}

// 2186/2187 lies between the double below it and that double's shortest text.
TEST(Value, RoundsBoundsSoThatTheirTextsHold) {
  for (int denominator = 3; denominator < 3000; ++denominator) {
    const Rational bound(denominator - 1, denominator);
    const auto text = [](double value) {
      return Number::parse(fmt::format("{}", value)).rational();
    };
    EXPECT_LE(text(Value::at_least(bound).nearest), bound);
    EXPECT_GE(text(Value::at_most(bound).nearest), bound);
  }
}

TEST(Value, IsExactWhereABoundLeavesNothingOpen) {
  EXPECT_EQ(Value::at_least(1).exact, Rational(1));
  EXPECT_EQ(Value::at_most(0).exact, Rational(0));
  EXPECT_EQ(Value::between(kThird, kThird).exact, kThird);
  EXPECT_EQ(Value::between(0, 0).exact, Rational(0));
  EXPECT_EQ(Value::between(1, 1).exact, Rational(1));
}

TEST(Value, KeepsBothBounds) {
  const Value value = Value::between(kThird, Rational(1, 2));
  EXPECT_EQ(value.is, Value::Is::lower_bound);
  EXPECT_LE(value.least(), kThird);
  EXPECT_EQ(value.most, 0.5);
  EXPECT_EQ(value.greatest(), Rational(1, 2));
  EXPECT_NEAR(relative_error(value), 0.5, 1e-15);
  EXPECT_GE(Rational(value.nearest) * (1 + Rational(relative_error(value))), Rational(1, 2));
}

// The label turns with the value: otherwise a bound on one side is shown as one on the other.
TEST(Value, ComplementTurnsALowerBoundIntoAnUpperOne) {
  const Value most = complement(Value::at_least(kThird));
  EXPECT_EQ(most.is, Value::Is::upper_bound);
  EXPECT_GE(Rational(most.nearest), Rational(2, 3));
  const Value least = complement(Value::at_most(kThird));
  EXPECT_EQ(least.is, Value::Is::lower_bound);
  EXPECT_LE(Rational(least.nearest), Rational(2, 3));
}

TEST(Value, ComplementOfABracketIsOne) {
  const Value value = complement(Value::between(kThird, Rational(1, 2)));
  EXPECT_EQ(value.is, Value::Is::lower_bound);
  EXPECT_EQ(value.nearest, 0.5);
  ASSERT_TRUE(value.most);
  EXPECT_GE(Rational(*value.most), Rational(2, 3));
}

TEST(Value, ComplementOfAnExactNumberIsExact) {
  EXPECT_EQ(complement(Value::exactly(kThird)).exact, Rational(2, 3));
  EXPECT_EQ(complement(Value::at_most(1)).least(), 0);
  // A bound that says nothing must not become the certainty of its opposite.
  EXPECT_FALSE(complement(Value::at_most(1)).exact);
  EXPECT_FALSE(complement(Value::at_least(0)).exact);
}

// A coin between two policies whose means are both 0, as doubles have it, has the mean 0.
TEST(Value, AMixtureOfRoundedMeansIsRoundedLikeThem) {
  for (const double mean : {0.0, 1.0, -2.5, 0x1p-1074, 0x1p1000}) {
    const MeanEnds ends = ends_of(Value{mean});
    EXPECT_LE(ends.low, Rational(mean));
    EXPECT_GE(ends.high, Rational(mean));
    const Rational quarter(1, 4);
    const Value mixed = mean_between({quarter * ends.low + 3 * quarter * ends.low,
                                      quarter * ends.high + 3 * quarter * ends.high});
    EXPECT_LE(mixed.nearest, mean);
    EXPECT_GE(mixed.most.value_or(mixed.nearest), mean);
  }
  const MeanEnds none = ends_of(Value{0.0});
  EXPECT_EQ(mean_between(none).is, Value::Is::rounded);
  EXPECT_FALSE(std::signbit(mean_between(none).nearest));
}

}  // namespace
}  // namespace quantiplan
