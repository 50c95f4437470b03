#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "quantiplan/error.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {
namespace {

TEST(NumberFromFloat, MeansTheShortestDecimal) {
  EXPECT_EQ(Number::from_double(0.1), Number("1/10"));
  EXPECT_EQ(Number::from_double(0.1 + 0.2), Number("0.30000000000000004"));
  EXPECT_EQ(Number::from_double(-31.89), Number("-31.89"));
  EXPECT_EQ(Number::from_double(-0.0), Number(0));
  EXPECT_EQ(Number::from_double(16777217), Number(16777217));
  EXPECT_EQ(Number::from_double(1e300), Number("1e300"));
  EXPECT_EQ(Number::from_double(5e-324), Number("5e-324"));
  EXPECT_EQ(Number::from_double(1.7976931348623157e308), Number("1.7976931348623157e308"));
}

// The float next to a tenth is no tenth as a double: 0.10000000149011612.
TEST(NumberFromFloat, KnowsFloatsOfSinglePrecision) {
  EXPECT_EQ(Number::from_float(0.1F), Number("1/10"));
  EXPECT_EQ(Number::from_double(static_cast<double>(0.1F)), Number("0.10000000149011612"));
  EXPECT_EQ(Number::from_float(16777216.0F), Number(16777216));
}

TEST(NumberFromFloat, ReadsBackAsTheSameFloat) {
  std::mt19937_64 bits(1);
  for (int i = 0; i < 2000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(bits()), static_cast<int>(bits() % 200) - 160);
    EXPECT_EQ(to_nearest_double(Number::from_double(value).rational()), value);
  }
}

TEST(NumberFromFloat, TakesNoNumberForWhatIsNone) {
  EXPECT_THROW(Number::from_double(std::numeric_limits<double>::quiet_NaN()), Error);
  EXPECT_THROW(Number::from_double(std::numeric_limits<double>::infinity()), Error);
  EXPECT_THROW(Number::from_float(-std::numeric_limits<float>::infinity()), Error);
}

}  // namespace
}  // namespace quantiplan
