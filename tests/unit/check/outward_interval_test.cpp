#include "check/common/outward_interval.hpp"

#include <gtest/gtest.h>

#include "check/common/demand.hpp"

namespace quantiplan::checking {
namespace {

void expect_inside(const Rational& value, const Interval& interval) {
  EXPECT_LE(Rational(interval.low), value);
  EXPECT_GE(Rational(interval.high), value);
}

TEST(OutwardInterval, EnclosesTightly) {
  for (const char* text : {"0.1", "1/3", "1/2", "1", "1e-300", "1e-320", "1e-400"}) {
    const Rational value = Number(text).rational();
    const Interval interval = enclose(value);
    expect_inside(value, interval);
    EXPECT_LE(interval.high, up(interval.low)) << text;
  }
  EXPECT_EQ(enclose(Rational(1, 2)).low, 0.5);
  EXPECT_EQ(enclose(Rational(1, 2)).high, 0.5);
}

TEST(OutwardInterval, SumsAndProductsHoldTheTruth) {
  Rational value(1, 3);
  Interval interval = enclose(value);
  for (int i = 0; i < 400; ++i) {
    const Rational factor(i % 7 + 1, i % 7 + 2);
    const Rational term(1, 10 + i);
    value = value * factor + term;
    interval = interval * enclose(factor) + enclose(term);
    expect_inside(value, interval);
  }
  EXPECT_LT(interval.high - interval.low, 1e-12);
  for (int i = 0; i < 40; ++i) {
    value = value * Rational(1, 1'000'000'000);
    interval = interval * enclose(Rational(1, 1'000'000'000));
    expect_inside(value, interval);
  }
  EXPECT_GT(interval.high, 0);
}

TEST(OutwardInterval, KeepsZeroAndOneExact) {
  const Interval third = enclose(Rational(1, 3));
  EXPECT_TRUE((third * Interval::zero()).is_zero());
  EXPECT_EQ((third * Interval::one()).low, third.low);
  EXPECT_EQ((third + Interval::zero()).high, third.high);
}

TEST(Demand, IsOpenWhereTheIntervalStraddles) {
  const Demand upper{Rational(3, 10), Side::upper};
  const Demand lower{Rational(1, 2), Side::lower};
  EXPECT_EQ(upper.met_by(Bounds::of(enclose(Rational(3, 10)))), Verdict::open);
  EXPECT_EQ(upper.met_by(Rational(3, 10)), Verdict::yes);
  EXPECT_EQ(lower.met_by(Bounds::of(enclose(Rational(1, 2)))), Verdict::no);
  EXPECT_EQ(lower.met_by(Bounds::of(Interval{0.50001, 0.50002})), Verdict::yes);
  EXPECT_EQ(upper.met_by(Bounds::of(Interval{0.1, 0.2})), Verdict::no);
  EXPECT_EQ(upper.text(), "at least 0.3");
  EXPECT_EQ(lower.text(), "more than 0.5");
}

TEST(Demand, AllowsTheCertifiedErrorAndNoMore) {
  const Interval half{0.5, 0.5};
  const Tolerance of_ten = Tolerance::of_steps(10, 3);
  // 2 * T * (b + 2) * 2^-53 for T = 10, b = 3 is 100 * 2^-53.
  EXPECT_TRUE(agrees(0.5 + 49 * 0x1p-53, half, of_ten));
  EXPECT_FALSE(agrees(0.5 + 60 * 0x1p-53, half, of_ten));
  EXPECT_TRUE(agrees(0.5 - 49 * 0x1p-53, half, of_ten));
  EXPECT_FALSE(agrees(0.5 - 60 * 0x1p-53, half, of_ten));
  EXPECT_FALSE(agrees(1 + 0x1p-52, Interval::one(), of_ten));
}

}  // namespace
}  // namespace quantiplan::checking
