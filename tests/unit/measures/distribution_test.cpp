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

void expect_quantile(const QuantileOfDistribution& found, const Total& lower, const Total& upper) {
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

// A miss with probability 1/10, -inf with 1/5, 3 with 3/10, inf with 2/5.
Distribution beyond_numbers() {
  Distribution d;
  d.atoms = {{Total::miss(), exact(1, 10)},
             {Total::minus_infinity(), exact(1, 5)},
             {3, exact(3, 10)},
             {Total::plus_infinity(), exact(2, 5)}};
  return d;
}

TEST(Distribution, OrdersMissesAndInfinities) {
  const Distribution d = beyond_numbers();
  expect_bracket(d.at_least_bracket(Total::miss()), 1, 1);
  expect_bracket(d.at_least_bracket(Total::minus_infinity()), Rational(9, 10), Rational(9, 10));
  expect_bracket(d.at_least_bracket(-100), Rational(7, 10), Rational(7, 10));
  expect_bracket(d.at_least_bracket(4), Rational(2, 5), Rational(2, 5));
  expect_bracket(d.at_least_bracket(Total::plus_infinity()), Rational(2, 5), Rational(2, 5));
  EXPECT_EQ(d.at_least(Total::minus_infinity()).exact, Rational(9, 10));
  expect_quantile(d.quantile(0, Side::upper), Total::miss(), Total::miss());
  expect_quantile(d.quantile(Rational(1, 10), Side::lower), Total::miss(), Total::miss());
  expect_quantile(
      d.quantile(Rational(1, 10), Side::upper), Total::minus_infinity(), Total::minus_infinity());
  expect_quantile(d.quantile(Rational(1, 2), Side::lower), 3, 3);
  expect_quantile(d.quantile(1, Side::lower), Total::plus_infinity(), Total::plus_infinity());
}

TEST(Distribution, LeavesMissesAndInfinitiesAsTheyAreWithSlack) {
  Distribution d = beyond_numbers();
  d.slack = 1;
  expect_bracket(d.at_least_bracket(4), Rational(2, 5), Rational(7, 10));
  expect_bracket(d.at_least_bracket(Total::plus_infinity()), Rational(2, 5), Rational(2, 5));
  expect_quantile(d.quantile(0, Side::upper), Total::miss(), Total::miss());
  expect_quantile(d.quantile(Rational(1, 2), Side::lower), 3, 4);
  expect_quantile(d.quantile(1, Side::lower), Total::plus_infinity(), Total::plus_infinity());
}

// 0, 1 and 4 with 1/2, 1/4 and 1/8; the remaining 1/8 lies from 5 on.
Distribution with_rest_above() {
  Distribution d;
  d.atoms = {{0, exact(1, 2)}, {1, exact(1, 4)}, {4, exact(1, 8)}};
  d.rest = RestOfDistribution{5, Total::plus_infinity(), 0.125};
  return d;
}

TEST(Distribution, KnowsWhatIsBelowARestAbove) {
  const Distribution d = with_rest_above();
  expect_bracket(d.at_least_bracket(0), 1, 1);
  expect_bracket(d.at_least_bracket(1), Rational(1, 2), Rational(1, 2));
  expect_bracket(d.at_least_bracket(4), Rational(1, 4), Rational(1, 4));
  expect_bracket(d.at_least_bracket(5), Rational(1, 8), Rational(1, 8));
  // Where in [5, inf] it lies is open.
  expect_bracket(d.at_least_bracket(6), 0, Rational(1, 8));
  expect_bracket(d.at_least_bracket(Total::plus_infinity()), 0, Rational(1, 8));
  EXPECT_EQ(d.at_least(4).exact, Rational(1, 4));
  EXPECT_FALSE(d.at_least(6).exact.has_value());
  expect_quantile(d.quantile(0, Side::upper), 0, 0);
  expect_quantile(d.quantile(Rational(3, 4), Side::lower), 1, 1);
  expect_quantile(d.quantile(Rational(3, 4), Side::upper), 4, 4);
  expect_quantile(d.quantile(Rational(9, 10), Side::lower), 5, Total::plus_infinity());
  expect_quantile(d.quantile(1, Side::lower), 4, Total::plus_infinity());
}

TEST(Distribution, KnowsWhatIsAboveARestBelow) {
  Distribution d;
  d.atoms = {{-4, exact(1, 8)}, {-1, exact(1, 4)}, {0, exact(1, 2)}};
  d.rest = RestOfDistribution{Total::minus_infinity(), -5, 0.125};
  expect_bracket(d.at_least_bracket(-4), Rational(7, 8), Rational(7, 8));
  expect_bracket(d.at_least_bracket(-5), Rational(7, 8), 1);
  expect_bracket(d.at_least_bracket(Total::minus_infinity()), 1, 1);
  expect_quantile(d.quantile(0, Side::upper), Total::minus_infinity(), -4);
  expect_quantile(d.quantile(Rational(1, 10), Side::lower), Total::minus_infinity(), -5);
  expect_quantile(d.quantile(Rational(1, 8), Side::upper), -4, -4);
  expect_quantile(d.quantile(1, Side::lower), 0, 0);
}

TEST(Distribution, KeepsInfinityApartFromARestThatEndsBelowIt) {
  Distribution d = with_rest_above();
  d.atoms[0].probability = exact(1, 4);
  d.atoms.push_back({Total::plus_infinity(), exact(1, 4)});
  expect_bracket(d.at_least_bracket(5), Rational(3, 8), Rational(3, 8));
  expect_bracket(d.at_least_bracket(6), Rational(1, 4), Rational(3, 8));
  expect_quantile(d.quantile(Rational(7, 10), Side::lower), 5, Total::plus_infinity());
  expect_quantile(
      d.quantile(Rational(8, 10), Side::lower), Total::plus_infinity(), Total::plus_infinity());
  d.rest->to = 9;
  expect_quantile(d.quantile(Rational(7, 10), Side::lower), 5, 9);
  expect_bracket(d.at_least_bracket(10), Rational(1, 4), Rational(1, 4));
}

TEST(Distribution, BoundsBothWaysAroundARestInDoubles) {
  Distribution d = with_rest_above();
  for (Atom& atom : d.atoms) atom.probability.exact.reset();
  d.relative_error = 0x1p-50;
  d.absolute_error = 0x1p-40;
  d.rest->probability = 0.126;
  const Rational slip = Rational(3, 4) * Rational(0x1p-50) + Rational(0x1p-40);
  // From below 1 - P(W < 4), from above the same: the atoms and the bound of the rest say less.
  expect_bracket(d.at_least_bracket(4), Rational(1, 4) - slip, Rational(1, 4) + slip);
  expect_bracket(d.at_least_bracket(0), 1, 1);
  EXPECT_EQ(d.at_least_bracket(6).lower, 0);
}

TEST(Distribution, IsAllRestWhereNothingWasFollowed) {
  Distribution d;
  d.rest = RestOfDistribution{Total::miss(), Total::plus_infinity(), 1};
  expect_bracket(d.at_least_bracket(0), 0, 1);
  expect_bracket(d.at_least_bracket(Total::miss()), 1, 1);
  expect_quantile(d.quantile(Rational(1, 2), Side::lower), Total::miss(), Total::plus_infinity());
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
