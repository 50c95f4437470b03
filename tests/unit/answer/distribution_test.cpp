#include "quantiplan/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "numbers/thrown.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

Value exact(int numerator, int denominator) {
  Rational p(numerator, denominator);
  p.canonicalize();
  return {to_nearest_double(p), p};
}

// 0 with probability 1/5, 1 with 3/10, 4 with 1/2.
Distribution three_atoms() {
  Distribution d;
  d.atoms = {{0, exact(1, 5)}, {1, exact(3, 10)}, {4, exact(1, 2)}};
  d.mean = exact(23, 10);
  return d;
}

void expect_bracket(const ProbabilityBracket& found, const Rational& lower, const Rational& upper) {
  EXPECT_EQ(found.lower, lower);
  EXPECT_EQ(found.upper, upper);
}

void expect_quantile(const QuantileOfDistribution& found,
                     const Rational& lower,
                     const Rational& upper) {
  EXPECT_EQ(found.lower, lower);
  EXPECT_EQ(found.upper, upper);
  EXPECT_FALSE(found.open_below);
  EXPECT_FALSE(found.open_above);
}

TEST(Distribution, GivesBracketsOfNoWidthWhereAllIsExact) {
  const Distribution d = three_atoms();
  expect_bracket(d.at_least_bracket(-1), 1, 1);
  expect_bracket(d.at_least_bracket(0), 1, 1);
  expect_bracket(d.at_least_bracket(Rational(1, 2)), Rational(4, 5), Rational(4, 5));
  expect_bracket(d.at_least_bracket(1), Rational(4, 5), Rational(4, 5));
  expect_bracket(d.at_least_bracket(4), Rational(1, 2), Rational(1, 2));
  expect_bracket(d.at_least_bracket(5), 0, 0);
  EXPECT_EQ(d.at_least(1).exact, Rational(4, 5));
  expect_quantile(d.quantile(Rational(1, 5), Side::lower), 0, 0);
  expect_quantile(d.quantile(Rational(1, 5), Side::upper), 1, 1);
  expect_quantile(d.quantile(Rational(1, 2), Side::lower), 1, 1);
  expect_quantile(d.quantile(Rational(1, 2), Side::upper), 4, 4);
  expect_quantile(d.quantile(1, Side::lower), 4, 4);
  expect_quantile(d.quantile(0, Side::upper), 0, 0);
}

TEST(Distribution, TakesSlackAsWealthThatMayBeThere) {
  Distribution d = three_atoms();
  d.slack = Rational(1, 2);
  // What is counted at 0 lies in [0, 1/2]: it may reach 1/2, and cannot reach more.
  expect_bracket(d.at_least_bracket(Rational(1, 2)), Rational(4, 5), 1);
  expect_bracket(d.at_least_bracket(Rational(3, 5)), Rational(4, 5), Rational(4, 5));
  expect_bracket(d.at_least_bracket(Rational(9, 2)), 0, Rational(1, 2));
  expect_bracket(d.at_least_bracket(5), 0, 0);
  // The truth is a level and a bit: brackets are as wide as the slack.
  expect_quantile(d.quantile(Rational(1, 2), Side::lower), 1, Rational(3, 2));
  expect_quantile(d.quantile(0, Side::upper), 0, Rational(1, 2));
  expect_quantile(d.quantile(1, Side::lower), 4, Rational(9, 2));
}

TEST(Distribution, PromisesWithSlackOnlyWhatIsCertain) {
  Distribution d = three_atoms();
  d.slack = Rational(1, 2);
  EXPECT_EQ(d.at_least(Rational(3, 5)).exact, Rational(4, 5));
  const Value open = d.at_least(Rational(1, 2));
  EXPECT_FALSE(open.exact.has_value());
  EXPECT_LE(Rational(open.nearest), Rational(4, 5));
  EXPECT_GT(open.nearest, 0.7999999999);
}

TEST(Distribution, WidensByTheErrorsOfDoubles) {
  Distribution d = three_atoms();
  for (Atom& atom : d.atoms) atom.probability.exact.reset();
  d.relative_error = 0x1p-40;
  d.absolute_error = 0x1p-1070;
  const ProbabilityBracket bracket = d.at_least_bracket(4);
  EXPECT_EQ(bracket.lower, Rational(1, 2) * (1 - Rational(0x1p-40)) - Rational(0x1p-1070));
  EXPECT_EQ(bracket.upper, Rational(1, 2) * (1 + Rational(0x1p-40)) + Rational(0x1p-1070));
  expect_bracket(d.at_least_bracket(0), 1, 1);
  expect_bracket(d.at_least_bracket(5), 0, 0);
  // P(W >= 4) is 1/2 but for rounding: both levels are possible.
  expect_quantile(d.quantile(Rational(1, 2), Side::upper), 1, 4);
  expect_quantile(d.quantile(Rational(1, 4), Side::upper), 1, 1);
}

TEST(Distribution, WidensByTheBandOfASample) {
  Distribution d = three_atoms();
  d.sample = Sample{1000, 7, 0.99, 0.125};
  expect_bracket(d.at_least_bracket(4), Rational(3, 8), Rational(5, 8));
  expect_bracket(d.at_least_bracket(1), Rational(4, 5) - Rational(1, 8), Rational(37, 40));
  // Nothing is known beyond what occurred.
  expect_bracket(d.at_least_bracket(0), Rational(7, 8), 1);
  expect_bracket(d.at_least_bracket(5), 0, Rational(1, 8));
  EXPECT_EQ(d.at_least(4).nearest, 0.5);
  EXPECT_FALSE(d.at_least(4).exact.has_value());
  expect_quantile(d.quantile(Rational(1, 2), Side::lower), 1, 4);
  expect_quantile(d.quantile(Rational(7, 10), Side::lower), 4, 4);
}

TEST(Distribution, SaysWhereASampleBoundsNothing) {
  Distribution d = three_atoms();
  d.sample = Sample{1000, 7, 0.99, 0.125};
  const QuantileOfDistribution low = d.quantile(Rational(1, 10), Side::lower);
  EXPECT_TRUE(low.open_below);
  EXPECT_FALSE(low.open_above);
  EXPECT_EQ(low.upper, 1);
  const QuantileOfDistribution high = d.quantile(Rational(9, 10), Side::upper);
  EXPECT_FALSE(high.open_below);
  EXPECT_TRUE(high.open_above);
  EXPECT_EQ(high.lower, 4);
  EXPECT_TRUE(d.quantile(0, Side::upper).open_below);
  EXPECT_EQ(d.quantile(0, Side::upper).upper, 0);
  EXPECT_TRUE(d.quantile(1, Side::lower).open_above);
  EXPECT_EQ(d.quantile(1, Side::lower).lower, 4);
}

TEST(Distribution, RefusesQuantilesThatAreNotDefined) {
  const Distribution d = three_atoms();
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { (void)d.quantile(0, Side::lower); }),
            "tau: the lower quantile is not defined at 0");
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { (void)d.quantile(1, Side::upper); }),
            "tau: the upper quantile is not defined at 1");
}

}  // namespace
}  // namespace quantiplan
