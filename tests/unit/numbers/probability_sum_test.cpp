#include "numbers/probability_sum.hpp"

#include <gtest/gtest.h>

#include <random>

namespace quantiplan {
namespace {

TEST(ProbabilitySum, IsExactForDecimalsAndFractions) {
  ProbabilitySum sum;
  for (const char* p : {"0.1", "1/3", "1/6", "0.4"}) ASSERT_TRUE(sum.add(Number(p)));
  EXPECT_TRUE(sum.is_one());
  EXPECT_EQ(sum.value(), 1);
  EXPECT_EQ(sum.share(Number("1/3")), Number("1/3"));
}

TEST(ProbabilitySum, LeavesTheFastPathWithoutLosingAnything) {
  // Denominators without common factors: their product passes 62 bits at once.
  ProbabilitySum sum;
  Rational expected = 0;
  for (const char* p : {"1/4294967291", "1/4294967279", "1/4294967231", "1e-30", "0.5"}) {
    ASSERT_TRUE(sum.add(Number(p)));
    expected += Number(p).rational();
  }
  EXPECT_EQ(sum.value(), expected);
  EXPECT_FALSE(sum.is_one());
  EXPECT_EQ(sum.share(Number("0.5")), Number(Rational(Rational(1, 2) / expected)));
}

TEST(ProbabilitySum, AgreesWithRationalsOnRandomFractions) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    ProbabilitySum sum;
    Rational expected = 0;
    const std::int64_t most = std::int64_t{1} << (2 + random() % 61);
    for (int i = 0; i < 20; ++i) {
      const auto denominator =
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most)) + 1;
      const Number p(
          Fraction{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(denominator)),
                   denominator});
      ASSERT_TRUE(sum.add(p));
      expected += p.rational();
    }
    EXPECT_EQ(sum.value(), expected);
    EXPECT_EQ(sum.is_one(), expected == 1);
  }
}

}  // namespace
}  // namespace quantiplan
