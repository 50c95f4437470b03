#include "finite/promise/whole_fractions.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

Integer power_of(const Integer& base, unsigned long exponent) {
  Integer out;
  mpz_pow_ui(out.get_mpz_t(), base.get_mpz_t(), exponent);
  return out;
}

TEST(WholeFractions, ProbabilitiesHaveOneDenominator) {
  const auto found = whole_numerators({Rational(1, 4), Rational(1, 6), 1, 0}, 10);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->denominator, 12);
  EXPECT_EQ(found->numerators, (std::vector<Integer>{3, 2, 12, 0}));
}

TEST(WholeFractions, LongPowersAreLeftToRationals) {
  EXPECT_TRUE(whole_numerators({Rational(1, 100)}, 2000));
  EXPECT_FALSE(whole_numerators({Rational(1, 100)}, 20'000));
}

TEST(WholeFractions, FractionsAreInLowestTerms) {
  const Integer base = 12;
  for (const unsigned long exponent : {0UL, 1UL, 7UL, 40UL}) {
    const Integer power = power_of(base, exponent);
    for (const Integer& numerator : std::vector<Integer>{0,
                                                         1,
                                                         -8,
                                                         35,
                                                         power,
                                                         5 * power,
                                                         power_of(2, 60),
                                                         -power_of(3, 30),
                                                         7 * power_of(6, 25)}) {
      Rational expected(numerator, power);
      expected.canonicalize();
      const Rational found = fraction(numerator, power, base);
      EXPECT_EQ(found.get_num(), expected.get_num());
      EXPECT_EQ(found.get_den(), expected.get_den());
    }
  }
}

}  // namespace
}  // namespace quantiplan
