#include "numbers/enclosure.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace quantiplan {
namespace {

void expect_holds(const Enclosure& interval, const Rational& truth) {
  EXPECT_LE(interval.lower_exactly(), truth);
  EXPECT_GE(interval.upper_exactly(), truth);
}

TEST(Enclosure, HoldsWhatHasNoBinaryForm) {
  const Enclosure third(Rational(1, 3));
  expect_holds(third, Rational(1, 3));
  EXPECT_LT(third.lower_exactly(), third.upper_exactly());
  EXPECT_EQ(third.upper(), std::nextafter(third.lower(), 1.0));
}

TEST(Enclosure, HoldsSumsProductsAndQuotientsOfEverySign) {
  const Rational values[] = {Rational(-7, 3), Rational(-1, 10), Rational(0), Rational(2, 7), 5};
  for (const Rational& a : values) {
    for (const Rational& b : values) {
      expect_holds(Enclosure(a) + Enclosure(b), a + b);
      expect_holds(Enclosure(a) - Enclosure(b), a - b);
      expect_holds(Enclosure(a) * Enclosure(b), a * b);
      if (b != 0) expect_holds(Enclosure(a) / Enclosure(b), a / b);
    }
  }
  const Enclosure wide = Enclosure::between(-2, 3);
  expect_holds(wide * wide, 9);
  expect_holds(wide * wide, -6);
}

TEST(Enclosure, EnclosesExpLogAndRootBetweenNeighbouringDoubles) {
  for (const auto& [interval, nearest] :
       {std::pair(exp(Enclosure(Rational(1))), std::exp(1.0)),
        std::pair(log(Enclosure(Rational(10))), std::log(10.0)),
        std::pair(sqrt(Enclosure(Rational(2))), std::sqrt(2.0))}) {
    EXPECT_LE(interval.lower(), nearest);
    EXPECT_GE(interval.upper(), nearest);
    EXPECT_EQ(interval.upper(), std::nextafter(interval.lower(), HUGE_VAL));
  }
}

TEST(Enclosure, GoesBeyondTheRangeOfDoubles) {
  const Enclosure huge = exp(Enclosure(Rational(100000)));
  EXPECT_TRUE(huge.is_finite());
  EXPECT_EQ(huge.upper(), HUGE_VAL);
  EXPECT_LT(huge.lower(), HUGE_VAL);
  expect_holds(log(huge), 100000);
  EXPECT_EQ(log(Enclosure(Rational(0))).upper(), -HUGE_VAL);
}

TEST(Enclosure, KnowsItsSignOnlyWhereAllOfItHasOne) {
  EXPECT_EQ(Enclosure::between(1, 2).sign(), 1);
  EXPECT_EQ(Enclosure::between(-2, -1).sign(), -1);
  EXPECT_EQ(Enclosure::between(-1, 1).sign(), 0);
  EXPECT_EQ(Enclosure::between(0, 1).sign(), 0);
}

}  // namespace
}  // namespace quantiplan
