#include "report/figures.hpp"

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

TEST(Figures, BracketsAreRoundedOutwards) {
  const Rational lower("770048/153153");      // 5.02796...
  const Rational upper("73596928/14549535");  // 5.05836...
  EXPECT_EQ(bracket_figure(lower, upper), "[5.027, 5.059]");
  EXPECT_EQ(bracket_figure(Rational(-upper), Rational(-lower)), "[-5.059, -5.027]");
  EXPECT_EQ(bracket_figure(lower, Rational(lower + Number("1e-7").rational())),
            "[5.02796549, 5.0279656]");
  EXPECT_EQ(bracket_figure(Rational("1/3"), Rational("2/3")), "[1/3, 2/3]");
  EXPECT_EQ(bracket_figure(lower, lower), "~5.027965499");
  EXPECT_EQ(tie_figure(lower, upper), "[~5.027965499, ~5.058369769]");
}

TEST(Figures, TotalsThatAreNoNumbersHaveNames) {
  EXPECT_EQ(wealth_figure(Total::miss()), "miss");
  EXPECT_EQ(wealth_figure(Total::minus_infinity()), "-inf");
  EXPECT_EQ(bracket_figure(Total::plus_infinity(), Total::plus_infinity()), "inf");
  EXPECT_EQ(bracket_figure(12, Total::plus_infinity()), "[12, inf]");
  EXPECT_EQ(bracket_figure(12, Total::miss()), "[12, miss]");  // of costs
  EXPECT_EQ(tie_figure(Total::minus_infinity(), 12), "[-inf, 12]");
  // Ten digits, rounded outwards, where there is no width to round by.
  const Rational level("770048/153153");  // 5.0279654985...
  EXPECT_EQ(bracket_figure(level, Total::plus_infinity()), "[5.027965498, inf]");
  EXPECT_EQ(bracket_figure(Total::minus_infinity(), level), "[-inf, 5.027965499]");
}

TEST(Figures, LowerBoundsAreRoundedDown) {
  EXPECT_EQ(lower_bound_figure({0.9000319, std::nullopt}), "0.900031");
  EXPECT_EQ(lower_bound_figure({0.9999999, std::nullopt}), "0.999999");
  EXPECT_EQ(lower_bound_figure({1, std::nullopt}), "1");
  EXPECT_EQ(lower_bound_figure({0.5, Rational(2, 3)}), "0.666666");
  EXPECT_EQ(lower_bound_figure({0, std::nullopt}), "0");
  EXPECT_EQ(lower_bound_figure({0.7, std::nullopt}), "0.7");  // the double itself, below 7/10
  EXPECT_EQ(lower_bound_figure({0, Number("1e-400").rational()}), "~0");
  EXPECT_EQ(upper_bound_figure({0, Number("1e-400").rational()}), "1e-290");
  EXPECT_EQ(upper_bound_figure({0.6666664, std::nullopt}), "0.666667");
  EXPECT_EQ(size_figure(Number("0.0162").rational()), "0.017");
  EXPECT_EQ(size_figure(Number("0.099999").rational()), "0.1");
  EXPECT_EQ(probability_bracket_figure({Rational(1, 3), Rational(2, 3)}), "[0.333333, 0.666667]");
}

TEST(Figures, QuantilesOfASampleMayBeOpen) {
  EXPECT_EQ(quantile_figure({0, Side::upper, 1, 2, true, false}), "[?, 2]");
  EXPECT_EQ(quantile_figure({0, Side::upper, 1, 2, false, true}), "[1, ?]");
  EXPECT_EQ(quantile_figure({0, Side::upper, 1, 2, false, false}), "[1, 2]");
}

TEST(Figures, DoublesOutsideHoldTheValue) {
  const Rational third(1, 3);
  EXPECT_LT(Rational(double_below(third)), third);
  EXPECT_GT(Rational(double_above(third)), third);
  EXPECT_EQ(double_below(Rational(1, 2)), 0.5);
  EXPECT_EQ(double_above(Rational(1, 2)), 0.5);
}

TEST(Figures, MeansPreferTheirExactText) {
  EXPECT_EQ(mean_figure({-31.89, Number("-31.89").rational()}), "-31.89");
  EXPECT_EQ(mean_figure({1.0 / 3, std::nullopt}), "0.333333");
  EXPECT_EQ(mean_figure({-0.0, std::nullopt}), "0");
  EXPECT_EQ(mean_figure({HUGE_VAL, std::nullopt}), "inf");
  EXPECT_EQ(mean_figure({-HUGE_VAL, std::nullopt}), "-inf");
  EXPECT_EQ(mean_figure({std::nan(""), std::nullopt}), "undefined");
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
