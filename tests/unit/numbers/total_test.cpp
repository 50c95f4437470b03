#include "quantiplan/total.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace quantiplan {
namespace {

TEST(Total, OrdersMissesBelowEverything) {
  const std::vector<Total> ascending = {Total::miss(),
                                        Total::minus_infinity(),
                                        Rational(-1, 3),
                                        0,
                                        Rational(1, 3),
                                        Total::plus_infinity()};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(ascending[i] == ascending[j], i == j);
      EXPECT_EQ(ascending[i] < ascending[j], i < j);
      EXPECT_EQ(ascending[i] >= ascending[j], i >= j);
    }
  }
}

TEST(Total, ComparesWithNumbers) {
  EXPECT_EQ(Total(Rational(1, 2)), Rational(1, 2));
  EXPECT_GT(Total::plus_infinity(), Rational(1'000'000));
  EXPECT_LT(Total::minus_infinity(), -1'000'000);
  EXPECT_EQ(Total(), 0);
}

TEST(Total, OfACostIsTheNegativeAndAMissStays) {
  EXPECT_EQ(Total(Rational(3, 2)).negated(), Rational(-3, 2));
  EXPECT_EQ(Total::plus_infinity().negated(), Total::minus_infinity());
  EXPECT_EQ(Total::minus_infinity().negated(), Total::plus_infinity());
  EXPECT_TRUE(Total::miss().negated().is_miss());
}

TEST(Total, IsShownExactlyOrInWords) {
  EXPECT_EQ(to_text(Total(Rational(-3, 2))), "-1.5");
  EXPECT_EQ(to_text(Total(Rational(1, 3))), "1/3");
  EXPECT_EQ(to_text(Total::plus_infinity()), "inf");
  EXPECT_EQ(to_text(Total::minus_infinity()), "-inf");
  EXPECT_EQ(to_text(Total::miss()), "miss");
}

TEST(Total, SaysWhetherItIsANumber) {
  EXPECT_TRUE(Total(5).is_finite());
  EXPECT_EQ(Total(5).value(), 5);
  for (const Total& total : {Total::miss(), Total::minus_infinity(), Total::plus_infinity()})
    EXPECT_FALSE(total.is_finite());
}

}  // namespace
}  // namespace quantiplan
