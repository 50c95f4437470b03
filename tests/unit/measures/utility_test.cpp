#include "quantiplan/utility.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

Utility bonus() { return Utility::table({{0, 0}, {10, 5}, {10, 8}, {20, 9}}, 2, Rational(1, 2)); }

std::string refusal(const std::string& text) {
  try {
    parse_utility(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_request);
    return error.what();
  }
  return "";
}

TEST(Utility, OfATableIsLinearBetweenPointsAndHasSlopesAtTheEnds) {
  const Utility u = bonus();
  EXPECT_EQ(u.exactly(-3), -6);
  EXPECT_EQ(u.exactly(0), 0);
  EXPECT_EQ(u.exactly(Rational(5, 2)), Rational(5, 4));
  EXPECT_EQ(u.exactly(15), Rational(17, 2));
  EXPECT_EQ(u.exactly(20), 9);
  EXPECT_EQ(u.exactly(24), 11);
  EXPECT_TRUE(u.is_exact());
  EXPECT_TRUE(u.is_monotone());
}

TEST(Utility, AtAStepIsTheLaterPoint) {
  const Utility u = bonus();
  EXPECT_EQ(u.exactly(10), 8);
  EXPECT_EQ(u.exactly(Rational(999, 100)), Rational(999, 200));
  EXPECT_TRUE(u.has_steps());
  const Utility indicator = Utility::table({{0, 0}, {0, 1}});
  EXPECT_EQ(indicator.exactly(-1), 0);
  EXPECT_EQ(indicator.exactly(0), 1);
  EXPECT_EQ(indicator.exactly(7), 1);
}

TEST(Utility, IsMonotoneUnlessATableFalls) {
  EXPECT_FALSE(Utility::table({{0, 1}, {1, 0}}).is_monotone());
  EXPECT_FALSE(Utility::table({{0, 1}}, -1, 0).is_monotone());
  EXPECT_FALSE(Utility::table({{0, 1}}, 0, -1).is_monotone());
  EXPECT_FALSE(Utility::table({{0, 1}, {0, 0}}).is_monotone());
  EXPECT_FALSE(Utility::table({{0, 1}, {1, 2}}).has_steps());
  for (const char* text :
       {"exponential(-1)", "power(-1/2)", "power(2)", "logarithm", "target(3, 4)"})
    EXPECT_TRUE(parse_utility(text).is_monotone()) << text;
}

TEST(Utility, OfATargetCountsWhatIsMissingMore) {
  const Utility u = Utility::target(10, 3);
  EXPECT_EQ(u.exactly(12), 12);
  EXPECT_EQ(u.exactly(10), 10);
  EXPECT_EQ(u.exactly(8), 8 - 3 * 2);
  EXPECT_TRUE(u.is_exact());
}

TEST(Utility, OfANaturalPowerIsExactAndKeepsTheSign) {
  const Utility cube = Utility::power(3, 1);
  EXPECT_TRUE(cube.is_exact());
  EXPECT_EQ(cube.exactly(Rational(3, 2)), Rational(1, 8));
  EXPECT_EQ(Utility::power(2).exactly(-3), -9);
  EXPECT_FALSE(Utility::power(Rational(1, 2)).is_exact());
  EXPECT_FALSE(Utility::power(1000).is_exact());
}

TEST(Utility, IsEnclosedByDoublesOnBothSides) {
  const auto expect_near = [](const char* text, const Rational& x, double nearest) {
    const auto [lower, upper] = parse_utility(text).enclose(x);
    EXPECT_LE(lower, upper) << text;
    EXPECT_LE(lower, nearest + std::abs(nearest) * 1e-15) << text;
    EXPECT_GE(upper, nearest - std::abs(nearest) * 1e-15) << text;
    EXPECT_LE(upper, std::nextafter(std::nextafter(lower, HUGE_VAL), HUGE_VAL)) << text;
  };
  expect_near("exponential(0.1)", 10, (1 - std::exp(-1.0)) / 0.1);
  expect_near("exponential(-2)", 1, (std::exp(2.0) - 1) / 2);
  expect_near("exponential(1)", Rational(1, 1000000000), -std::expm1(-1e-9));
  expect_near("power(1/2)", 2, std::sqrt(2.0));
  expect_near("power(1/2, 5)", 3, -std::sqrt(2.0));
  expect_near("power(-1)", 4, -0.25);
  expect_near("logarithm(-1)", 9, std::log(10.0));
  expect_near("power(2)", Rational(1, 3), 1.0 / 9);
  const auto exact = parse_utility("target(0, 1)").enclose(-4);
  EXPECT_EQ(exact.lower, -8);
  EXPECT_EQ(exact.upper, -8);
}

TEST(Utility, IsMinusInfinityWhereTheFamilySaysSo) {
  for (const char* text : {"logarithm", "power(-1)"}) {
    for (const Rational& x : {Rational(0), Rational(-3)}) {
      const auto [lower, upper] = parse_utility(text).enclose(x);
      EXPECT_EQ(lower, -HUGE_VAL) << text;
      EXPECT_EQ(upper, -HUGE_VAL) << text;
    }
  }
}

TEST(Utility, BeyondDoublesStillHasBounds) {
  const auto [lower, upper] = Utility::exponential(1).enclose(-1000000);
  EXPECT_EQ(lower, -HUGE_VAL);
  EXPECT_LT(upper, -1e308);
  EXPECT_GT(upper, -HUGE_VAL);
  const auto wide = Utility::power(64).enclose(Number("1e900").rational());
  EXPECT_EQ(wide.upper, HUGE_VAL);
  EXPECT_LT(wide.lower, HUGE_VAL);
}

TEST(Utility, TextReadsBack) {
  for (const char* text : {"exponential(0.1)",
                           "exponential(-1/3)",
                           "power(2)",
                           "power(0.5, -10)",
                           "logarithm(-1)",
                           "target(10, 2.5)"}) {
    EXPECT_EQ(to_text(parse_utility(text)), text);
    EXPECT_EQ(parse_utility(to_text(parse_utility(text))), parse_utility(text));
  }
  EXPECT_EQ(to_text(parse_utility(" power ( 2 , 0 ) ")), "power(2)");
  EXPECT_EQ(to_text(parse_utility("logarithm()")), "logarithm(0)");
  EXPECT_EQ(to_text(bonus()), "table of 4 points");
}

TEST(Utility, NamesWhatWasFoundAndWhatWasExpected) {
  EXPECT_EQ(refusal("exponental(1)"),
            "--utility: found 'exponental', expected exponential(beta), power(exponent) or "
            "power(exponent, origin), logarithm or logarithm(origin), target(level, penalty); did "
            "you mean 'exponential'?");
  EXPECT_EQ(refusal("power"),
            "--utility: found 'power', expected power(exponent) or power(exponent, origin)");
  EXPECT_EQ(refusal("target(1,2,3)"),
            "--utility: found 'target(1,2,3)', expected target(level, penalty)");
  EXPECT_EQ(refusal("power(2"),
            "--utility: found 'power(2', expected a closing parenthesis at its end");
  EXPECT_EQ(refusal("exponential(0)"),
            "--utility: exponential: found 0, expected a beta other than 0");
  EXPECT_EQ(refusal("target(1,-1)"),
            "--utility: target: found -1, expected a penalty of at least 0");
  EXPECT_NE(refusal("power(x)").find("--utility: power: 'x' is no number"), std::string::npos);
  EXPECT_NE(refusal("power(1,)").find("is no number"), std::string::npos);
  EXPECT_NE(refusal(""), "");
  EXPECT_NE(refusal("("), "");
  EXPECT_NE(refusal(")"), "");
}

TEST(Utility, OfATableNeedsAscendingPoints) {
  const auto message = [](std::vector<Utility::Point> points) {
    try {
      Utility::table(std::move(points));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({}), "utility: found no points, expected at least one");
  EXPECT_EQ(message({{1, 0}, {0, 0}}),
            "utility: found a point at 0 after one at 1, expected ascending wealths");
  EXPECT_EQ(message({{1, 0}, {1, 1}, {1, 2}}),
            "utility: found three points at 1, expected at most two: the values before a step and "
            "from it on");
}

}  // namespace
}  // namespace quantiplan
