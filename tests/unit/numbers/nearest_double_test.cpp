#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "quantiplan/number.hpp"

namespace quantiplan {
namespace {

double nearest(const std::string& text) {
  return to_nearest_double(Number::parse(text).rational());
}

Rational power_of_two(int exponent) {
  Rational value(Integer(1) << static_cast<unsigned long>(std::abs(exponent)));
  return exponent < 0 ? Rational(1 / value) : value;
}

TEST(NearestDouble, IsExactWhereADoubleIs) {
  EXPECT_EQ(nearest("0"), 0.0);
  EXPECT_EQ(nearest("-0.375"), -0.375);
  EXPECT_EQ(nearest("9007199254740991"), 9007199254740991.0);
  EXPECT_EQ(nearest("-9223372036854775808"), -0x1p63);
}

TEST(NearestDouble, RoundsTiesToEven) {
  EXPECT_EQ(nearest("9007199254740993"), 9007199254740992.0);  // 2^53 + 1
  EXPECT_EQ(nearest("9007199254740995"), 9007199254740996.0);
  EXPECT_EQ(nearest("18014398509481985/2"), 9007199254740992.0);
  // Just off the tie, on either side.
  EXPECT_EQ(nearest("9007199254740993.00000000000000000001"), 9007199254740994.0);
  EXPECT_EQ(nearest("9007199254740992.99999999999999999999"), 9007199254740992.0);
}

TEST(NearestDouble, RoundsSubnormalsOnce) {
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(to_nearest_double(power_of_two(-1074)), least);
  EXPECT_EQ(to_nearest_double(power_of_two(-1075)), 0.0);
  EXPECT_EQ(to_nearest_double(Rational(power_of_two(-1075) + power_of_two(-1200))), least);
  EXPECT_EQ(to_nearest_double(Rational(3 * power_of_two(-1075))), 2 * least);
  EXPECT_EQ(to_nearest_double(power_of_two(-2000)), 0.0);
  // Rounded by way of 53 bits this would give 2 units: 1.5 units less a trifle is nearer to 1.
  EXPECT_EQ(to_nearest_double(Rational(3 * power_of_two(-1075) - power_of_two(-1135))), least);
  // The greatest subnormal and a half rounds up to the least normal number.
  EXPECT_EQ(to_nearest_double(Rational(power_of_two(-1022) - power_of_two(-1075))), 0x1p-1022);
}

TEST(NearestDouble, OverflowsToInfinity) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double greatest = std::numeric_limits<double>::max();
  const Rational limit = power_of_two(1024) - power_of_two(970);  // halfway to 2^1024
  EXPECT_EQ(to_nearest_double(limit), infinity);
  EXPECT_EQ(to_nearest_double(Rational(limit - 1)), greatest);
  EXPECT_EQ(to_nearest_double(Rational(-limit)), -infinity);
  EXPECT_EQ(nearest("1e1000"), infinity);
}

TEST(NearestDouble, AgreesWithTheCLibraryOnRandomDecimals) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string text = std::to_string(random()) + "." + std::to_string(random()) + "e";
    text += std::to_string(static_cast<int>(random() % 700) - 345);
    const double expected = std::strtod(text.c_str(), nullptr);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(nearest(text)), std::bit_cast<std::uint64_t>(expected))
        << text;
  }
  for (int i = 0; i < 20000; ++i) {
    const std::string text = "0." + std::to_string(random() % 1000000000000000000U);
    EXPECT_EQ(nearest(text), std::strtod(text.c_str(), nullptr)) << text;
  }
}

}  // namespace
}  // namespace quantiplan
