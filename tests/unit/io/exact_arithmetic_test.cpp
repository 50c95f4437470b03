#include "io/prism/language/exact_arithmetic.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace quantiplan::prism {
namespace {

constexpr Place kHere{3, 7};
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();

template <typename Call>
std::string fault(const Call& call) {
  try {
    call();
  } catch (const Fault& fault) {
    EXPECT_EQ(fault.place.line, 3U);
    EXPECT_EQ(fault.place.column, 7U);
    return fault.message;
  }
  return "none";
}

std::string text(const Number& value) { return to_text(value.rational()); }

const char* const kTooLong = "the value has more than 65536 bits, expected a shorter number";
const char* const kTooLarge = "the value does not fit a whole number of 64 bits";

TEST(PrismArithmetic, FractionsAreExact) {
  EXPECT_EQ(text(sum(Number("1/3"), Number("1/6"), kHere)), "0.5");
  EXPECT_EQ(text(product(Number("2/3"), Number("-3/4"), kHere)), "-0.5");
  EXPECT_EQ(text(quotient(Number(1), Number(-3), kHere)), "-1/3");
  EXPECT_EQ(text(quotient(Number("0.1"), Number("0.3"), kHere)), "1/3");
  EXPECT_EQ(text(negative(Number(kLeast))), "9223372036854775808");
  EXPECT_EQ(fault([] { (void)quotient(Number(1), Number(0), kHere); }), "division by zero");
}

TEST(PrismArithmetic, NumbersGrowBeyondSixtyFourBits) {
  const Number big = product(Number(kGreatest), Number(kGreatest), kHere);
  EXPECT_EQ(text(big), "85070591730234615847396907784232501249");
  EXPECT_EQ(text(quotient(big, Number(kGreatest), kHere)), "9223372036854775807");
  EXPECT_EQ(text(sum(Number(kGreatest), Number(kGreatest), kHere)), "18446744073709551614");
  EXPECT_EQ(text(quotient(Number(kLeast), Number(-1), kHere)), "9223372036854775808");
}

TEST(PrismArithmetic, NumbersHaveALimit) {
  const Number big = power(Number(2), Number(60000), kHere);
  EXPECT_EQ(fault([&] { (void)product(big, big, kHere); }), kTooLong);
  const Number small = quotient(Number(1), big, kHere);
  EXPECT_EQ(fault([&] { (void)sum(big, small, kHere); }), kTooLong);
  EXPECT_EQ(fault([&] { (void)quotient(big, small, kHere); }), kTooLong);
}

TEST(PrismArithmetic, PowersHaveWholeExponents) {
  EXPECT_EQ(text(power(Number("2/3"), Number(3), kHere)), "8/27");
  EXPECT_EQ(text(power(Number("2/3"), Number(-2), kHere)), "2.25");
  EXPECT_EQ(text(power(Number("-1/2"), Number(-3), kHere)), "-8");
  EXPECT_EQ(text(power(Number(0), Number(0), kHere)), "1");
  EXPECT_EQ(fault([] { (void)power(Number(4), Number("1/2"), kHere); }),
            "pow with the exponent 0.5 is irrational in general, expected a whole exponent");
  EXPECT_EQ(fault([] { (void)power(Number(0), Number(-1), kHere); }),
            "division by zero: pow of 0 with a negative exponent");
}

TEST(PrismArithmetic, PowersOfOneAndZeroTakeAnyExponent) {
  for (const std::int64_t exponent : {kGreatest, kGreatest - 1}) {
    EXPECT_EQ(text(power(Number(1), Number(exponent), kHere)), "1");
    EXPECT_EQ(text(power(Number(0), Number(exponent), kHere)), "0");
    EXPECT_EQ(text(power(Number(-1), Number(exponent), kHere)), exponent % 2 == 0 ? "1" : "-1");
  }
  EXPECT_EQ(text(power(Number(-1), Number(kLeast), kHere)), "1");
}

TEST(PrismArithmetic, PowersHaveALimit) {
  EXPECT_EQ(text(power(Number(-2), Number(64), kHere)), "18446744073709551616");
  for (const std::int64_t exponent : {std::int64_t{65536}, kGreatest, kLeast, kLeast + 1}) {
    EXPECT_EQ(fault([&] { (void)power(Number(2), Number(exponent), kHere); }), kTooLong)
        << exponent;
    EXPECT_EQ(fault([&] { (void)power(Number("1/3"), Number(exponent), kHere); }), kTooLong)
        << exponent;
  }
  const Number huge = product(Number(kGreatest), Number(kGreatest), kHere);
  EXPECT_EQ(fault([&] { (void)power(Number(2), huge, kHere); }), kTooLong);
}

TEST(PrismArithmetic, ComparesAcrossSizes) {
  const Number big = product(Number(kGreatest), Number(kGreatest), kHere);
  EXPECT_TRUE(std::is_lt(compare(Number("1/3"), Number("0.3334"))));
  EXPECT_TRUE(std::is_eq(compare(Number("2/4"), Number("0.5"))));
  EXPECT_TRUE(std::is_gt(compare(big, Number(kGreatest))));
  EXPECT_TRUE(std::is_lt(compare(negative(big), Number(kLeast))));
}

TEST(PrismArithmetic, RoundsHalvesUpward) {
  EXPECT_EQ(floor(Number("-5/2"), kHere), -3);
  EXPECT_EQ(ceiling(Number("-5/2"), kHere), -2);
  EXPECT_EQ(round(Number("-5/2"), kHere), -2);
  EXPECT_EQ(round(Number("5/2"), kHere), 3);
  EXPECT_EQ(round(Number("2.4999"), kHere), 2);
  EXPECT_EQ(floor(Number(-3), kHere), -3);
  EXPECT_EQ(ceiling(Number(-3), kHere), -3);
  EXPECT_EQ(fault([] { (void)floor(Number("1e30"), kHere); }), kTooLarge);
  EXPECT_EQ(fault([] { (void)round(Number("9223372036854775807.5"), kHere); }), kTooLarge);
  EXPECT_EQ(floor(Number("9223372036854775807.5"), kHere), kGreatest);
}

TEST(PrismArithmetic, WholeNumbersDoNotWrap) {
  EXPECT_EQ(sum(kGreatest, kLeast, kHere), -1);
  EXPECT_EQ(fault([] { (void)sum(kGreatest, std::int64_t{1}, kHere); }), kTooLarge);
  EXPECT_EQ(fault([] { (void)difference(kLeast, 1, kHere); }), kTooLarge);
  EXPECT_EQ(fault([] { (void)difference(0, kLeast, kHere); }), kTooLarge);
  EXPECT_EQ(fault([] { (void)product(kLeast, std::int64_t{-1}, kHere); }), kTooLarge);
  EXPECT_EQ(power(std::int64_t{2}, std::int64_t{62}, kHere), std::int64_t{1} << 62U);
  EXPECT_EQ(power(std::int64_t{-2}, std::int64_t{63}, kHere), kLeast);
  EXPECT_EQ(power(std::int64_t{-1}, kGreatest, kHere), -1);
  EXPECT_EQ(fault([] { (void)power(std::int64_t{2}, std::int64_t{63}, kHere); }), kTooLarge);
  EXPECT_EQ(fault([] { (void)power(std::int64_t{2}, std::int64_t{-1}, kHere); }),
            "pow of whole numbers with the negative exponent -1, expected one of at least 0 (or "
            "pow(1.0*x, y) for a fraction)");
}

TEST(PrismArithmetic, RemaindersAreNotNegative) {
  EXPECT_EQ(modulo(7, 3, kHere), 1);
  EXPECT_EQ(modulo(-7, 3, kHere), 2);
  EXPECT_EQ(modulo(-6, 3, kHere), 0);
  EXPECT_EQ(modulo(kLeast, kGreatest, kHere), kGreatest - 1);
  EXPECT_EQ(fault([] { (void)modulo(7, 0, kHere); }), "mod by 0, expected a whole number above 0");
  EXPECT_EQ(fault([] { (void)modulo(7, -3, kHere); }),
            "mod by -3, expected a whole number above 0");
}

}  // namespace
}  // namespace quantiplan::prism
