// Fractions of 127 bits, against GMP.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "numbers/interner.hpp"

namespace quantiplan {
namespace {

// Up to `bits` random bits, at least 1.
Integer random_integer(std::mt19937_64& random, unsigned bits) {
  Integer value = 0;
  for (int i = 0; i < 2; ++i) {
    value <<= 64;
    value += Integer(static_cast<unsigned long>(random()));
  }
  mpz_fdiv_r_2exp(value.get_mpz_t(), value.get_mpz_t(), bits);
  return value + 1;
}

TEST(LongFraction, ComesFromRationalsAndGoesBack) {
  const Rational wide(Integer("100000000000000000000"),
                      Integer("170141183460469231731687303715884105727"));
  const auto found = to_long_fraction(wide);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(to_rational(*found), wide);
  EXPECT_FALSE(to_long_fraction(Rational(-1, 3)).has_value());
  EXPECT_FALSE(to_long_fraction(Rational(Integer(1), Integer(1) << 127)).has_value());
  EXPECT_FALSE(to_fraction(*found).has_value());
  EXPECT_EQ(to_fraction(LongFraction{2, 3}), (Fraction{2, 3}));
}

TEST(LongFraction, HasTheNearestDouble) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20000; ++round) {
    Rational value(random_integer(random, static_cast<unsigned>(1 + random() % 126)),
                   random_integer(random, static_cast<unsigned>(1 + random() % 126)));
    value.canonicalize();
    const auto found = to_long_fraction(value);
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(to_nearest_double(*found), to_nearest_double(value)) << to_text(value);
  }
  EXPECT_EQ(to_nearest_double(LongFraction{0, 1}), 0);
}

TEST(LongFraction, TiesGoToEven) {
  // 2^53 + 1 lies between two doubles; over 2^100 it still does.
  const UInt128 odd = (UInt128{1} << 53U) + 1;
  const double expected = std::ldexp(1.0, 53 - 100);
  EXPECT_EQ(to_nearest_double(LongFraction{odd, UInt128{1} << 100U}), expected);
  EXPECT_EQ(to_nearest_double(LongFraction{odd + 2, UInt128{1} << 100U}),
            std::ldexp(std::ldexp(1.0, 53) + 4, -100));
}

TEST(LongFraction, IsInternedByValueWhicheverWayItComes) {
  NumberInterner interner;
  const Rational wide(Integer(7), Integer("100000000000000000000"));
  const NumberId by_number = interner.intern(Number(wide));
  const LongFraction same = *to_long_fraction(wide);
  EXPECT_EQ(interner.intern(same, NumberInterner::hash_of(same)), by_number);
  EXPECT_EQ(interner.number(by_number), Number(wide));
  const Rational wider(Integer(7), Integer(1) << 200);
  const NumberId other = interner.intern(Number(wider));
  EXPECT_NE(other, by_number);
  EXPECT_EQ(interner.intern(Number(wider)), other);
  const NumberTable table = interner.take();
  EXPECT_EQ(table.rational(by_number), wide);
  EXPECT_EQ(table.rational(other), wider);
  EXPECT_EQ(table.nearest(by_number), 7e-20);
}

}  // namespace
}  // namespace quantiplan
