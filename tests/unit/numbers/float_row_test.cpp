#include "numbers/float_row.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "numbers/probability_sum.hpp"

namespace quantiplan {
namespace {

const Rational kTolerance = Rational(1, 1000000);

Rational exact(double value) { return Number::from_double(value).rational(); }
Rational exact(float value) { return Number::from_float(value).rational(); }

// What the sum by rationals makes of a row; empty where it must be refused.
template <class Float>
std::vector<Rational> expected_shares(const std::vector<Float>& row, const Rational& tolerance) {
  Rational sum = 0;
  for (const Float p : row) sum += exact(p);
  std::vector<Rational> shares;
  if (abs(sum - 1) > tolerance) return shares;
  for (const Float p : row) shares.emplace_back(exact(p) / sum);
  return shares;
}

template <class Float>
void expect_exact(const std::vector<Float>& row, const Rational& tolerance = kTolerance) {
  FloatRow settler;
  std::vector<SettledNumber> out(row.size());
  const bool settled =
      settler.settle(std::span<const Float>(row), RowTolerance(tolerance), std::span(out));
  const std::vector<Rational> expected = expected_shares(row, tolerance);
  ASSERT_EQ(settled, !expected.empty());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(to_rational(out[i].value), expected[i]) << i;
  if (!settled) return;
  Rational sum = 0;
  for (const Float p : row) sum += exact(p);
  Rational found = to_rational(settler.sum());
  found.canonicalize();
  EXPECT_EQ(found, sum);
  EXPECT_EQ(settler.deviation() == 0, sum == 1);
}

TEST(FloatRow, SharesAreExactFractionsOfTheShortestDecimals) {
  expect_exact<double>({0.1, 0.2, 0.7});
  expect_exact<double>({1.0});
  expect_exact<double>({0.0, 1.0, 0.0});
  expect_exact<double>({0.33333333333333331, 0.33333333333333331, 0.33333333333333337});
  expect_exact<float>({0.3333333F, 0.3333333F, 0.3333333F});
  expect_exact<double>({0.99999995, 1e-12});
}

TEST(FloatRow, IsNotForRowsThatAreWrong) {
  expect_exact<double>({0.5, 0.4});
  expect_exact<double>({0.0});
  FloatRow settler;
  std::vector<SettledNumber> out(2);
  const RowTolerance tolerance(kTolerance);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& row :
       {std::vector{1.5, -0.5}, {kNan, 1.0}, {kInfinity, 0.0}, {1e-30, 1.0}})
    EXPECT_FALSE(settler.settle(std::span<const double>(row), tolerance, std::span(out)));
}

TEST(FloatRow, KeepsToTheTolerance) {
  expect_exact<double>({0.5, 0.500001});   // just within 1e-6
  expect_exact<double>({0.5, 0.5000011});  // just beyond
  expect_exact<double>({0.5, 0.499999});
  expect_exact<double>({0.1, 0.2, 0.7}, 0);
  expect_exact<double>({0.1, 0.2, 0.70000000000000007}, 0);
}

TEST(FloatRow, AgreesWithRationalsOnRandomRows) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t count = 1 + random() % 40;
    std::vector<double> row(count);
    double sum = 0;
    for (double& p : row) sum += p = std::pow(uniform(random), 1 + round % 3);
    for (double& p : row) p /= sum;
    expect_exact<double>(row);
    std::vector<float> narrow(row.begin(), row.end());
    expect_exact<float>(narrow);
  }
}

}  // namespace
}  // namespace quantiplan
