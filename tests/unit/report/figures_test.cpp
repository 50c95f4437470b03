#include "figures.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace quantiplan {
namespace {

TEST(Figures, ProbabilityIsShownAsOneOnlyIfItIsOne) {
  EXPECT_EQ(probability_figure({1, std::nullopt}), "1");
  EXPECT_EQ(probability_figure({std::nextafter(1.0, 0.0), std::nullopt}), "1-1.1e-16");
  EXPECT_EQ(probability_figure({1, 1 - Number("1e-30").rational()}), "1-1e-30");
  EXPECT_EQ(probability_figure({0.80200000000000005, std::nullopt}), "0.802");
}

TEST(Figures, ProbabilityIsShownAsZeroOnlyIfItIsZero) {
  EXPECT_EQ(probability_figure({0, std::nullopt}), "0");
  EXPECT_EQ(probability_figure({0, Number("1e-400").rational()}), "~0");
  EXPECT_EQ(probability_figure({1e-300, std::nullopt}), "1e-300");
}

TEST(Figures, WealthIsExactUntilItNeedsTooMuchRoom) {
  EXPECT_EQ(wealth_figure(Rational(-1, 3)), "-1/3");
  EXPECT_EQ(wealth_figure(Number("0.12345678901234567890123").rational()), "~0.123456789");
  EXPECT_EQ(bracket_figure(Rational(1), Rational(1)), "1");
  EXPECT_EQ(bracket_figure(Rational(1), Rational(5, 2)), "[1, 2.5]");
}

TEST(Figures, MeansPreferTheirExactText) {
  EXPECT_EQ(mean_figure({-31.89, Number("-31.89").rational()}), "-31.89");
  EXPECT_EQ(mean_figure({1.0 / 3, std::nullopt}), "0.333333");
  EXPECT_EQ(mean_figure({-0.0, std::nullopt}), "0");
}

TEST(Figures, BytesAndSecondsHaveUnits) {
  EXPECT_EQ(bytes_figure(1), "1 byte");
  EXPECT_EQ(bytes_figure(1023), "1023 bytes");
  EXPECT_EQ(bytes_figure(1536), "1.5 KiB");
  EXPECT_EQ(bytes_figure(std::uint64_t{3} << 30U), "3 GiB");
  EXPECT_EQ(seconds_figure(0.0123), "0.012 s");
  EXPECT_EQ(seconds_figure(1234.5), "1234 s");
}

}  // namespace
}  // namespace quantiplan
