#include "quantiplan/number.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "numbers/number_expected.hpp"
#include "numbers/thrown.hpp"

namespace quantiplan {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();

Fraction small_fraction(const char* text) {
  const Number number(text);
  EXPECT_NE(number.small(), nullptr) << text;
  return number.small() == nullptr ? Fraction{0, 0} : *number.small();
}

std::string why(std::string_view text) {
  std::string message;
  EXPECT_FALSE(Number::try_parse(text, &message).has_value()) << text;
  return message;
}

TEST(Number, ReadsDecimalsAndFractionsExactly) {
  EXPECT_EQ(small_fraction("0.1"), (Fraction{1, 10}));
  EXPECT_EQ(small_fraction("-40"), (Fraction{-40, 1}));
  EXPECT_EQ(small_fraction("1e-3"), (Fraction{1, 1000}));
  EXPECT_EQ(small_fraction("1E+3"), (Fraction{1000, 1}));
  EXPECT_EQ(small_fraction(".5"), (Fraction{1, 2}));
  EXPECT_EQ(small_fraction("+9/10"), (Fraction{9, 10}));
  EXPECT_EQ(small_fraction("-1/3"), (Fraction{-1, 3}));
  EXPECT_EQ(small_fraction("6/4"), (Fraction{3, 2}));
  EXPECT_EQ(small_fraction("2.50e1"), (Fraction{25, 1}));
  EXPECT_EQ(small_fraction("0.000000000000000001"), (Fraction{1, 1000000000000000000}));
}

TEST(Number, ZeroHasOneForm) {
  for (const char* text : {"0", "-0", "+0", "0.000", "-0e5", "000/7", "0e-1000", "0e1000"}) {
    EXPECT_EQ(small_fraction(text), (Fraction{0, 1})) << text;
    EXPECT_EQ(Number(text).sign(), 0) << text;
  }
}

TEST(Number, LongTextsOfSmallValuesStaySmall) {
  EXPECT_EQ(small_fraction("0.50000000000000000000000000000000000000"), (Fraction{1, 2}));
  EXPECT_EQ(small_fraction("100000000000000000000000000000/200000000000000000000000000000"),
            (Fraction{1, 2}));
  EXPECT_EQ(small_fraction("000000000000000000000000000000000012"), (Fraction{12, 1}));
}

TEST(Number, TheLeast64BitIntegerIsSmallAndItsNegationIsNot) {
  EXPECT_EQ(small_fraction("-9223372036854775808"), (Fraction{kLeast, 1}));
  EXPECT_EQ(small_fraction("9223372036854775807"), (Fraction{kGreatest, 1}));
  EXPECT_EQ(small_fraction("-9.223372036854775808e18"), (Fraction{kLeast, 1}));
  EXPECT_EQ(Number("9223372036854775808").small(), nullptr);
  EXPECT_EQ(Number("-9223372036854775809").small(), nullptr);
  EXPECT_EQ(small_fraction("-9223372036854775808/2"), (Fraction{kLeast / 2, 1}));
  EXPECT_EQ(Number("1/9223372036854775808").small(), nullptr);
  EXPECT_EQ(Number("9223372036854775808").rational(), Rational("9223372036854775808"));
}

TEST(Number, FractionsAndRationalsAreReducedOnEntry) {
  EXPECT_EQ(Number(Fraction{2, 4}), Number("1/2"));
  EXPECT_EQ(Number(Fraction{2, -4}), Number("-1/2"));
  EXPECT_EQ(Number(Fraction{kLeast, -1}), Number("9223372036854775808"));
  EXPECT_EQ(Number(Fraction{kLeast, kLeast}), Number(1));
  EXPECT_EQ(Number(Rational(2, 4)), Number("1/2"));
  EXPECT_EQ(thrown(ErrorCode::bad_number,
                   [] {
                     Number n(Fraction{1, 0});
                   }),
            "a fraction has the denominator 0");
  EXPECT_EQ(thrown(ErrorCode::bad_number, [] { Number n(Rational(1, 0)); }),
            "a fraction has the denominator 0");
}

TEST(Number, AddsWithoutOverflow) {
  EXPECT_EQ(Number("1/6") + Number("1/3"), Number("1/2"));
  EXPECT_EQ(Number(kGreatest) + Number(1), Number("9223372036854775808"));
  EXPECT_EQ(Number("9223372036854775808") + Number(-1), Number(kGreatest));
  EXPECT_EQ(Number(kLeast) + Number(kLeast), Number("-18446744073709551616"));
  EXPECT_EQ(Number("1/9223372036854775807") + Number("1/9223372036854775806"),
            Number(Rational(1, Integer("9223372036854775807")) +
                   Rational(1, Integer("9223372036854775806"))));
  EXPECT_EQ(Number("0.1") + Number("-0.1"), Number(0));
}

TEST(Number, SaysWhatIsWrongWithAText) {
  // A comma of those who write decimals with one, which may not be a thousand's.
  EXPECT_EQ(why("0,5"),
            "'0,5' is no number: something else follows the number" + kNumberExpected +
                "; did you mean 0.5?");
  EXPECT_EQ(why("1,000"),
            "'1,000' is no number: something else follows the number" + kNumberExpected);
  EXPECT_EQ(why("nan"), "'nan' is no number: it is not finite" + kNumberExpected);
  EXPECT_EQ(why("-inf"), "'-inf' is no number: it is not finite" + kNumberExpected);
  EXPECT_EQ(why("Infinity"), "'Infinity' is no number: it is not finite" + kNumberExpected);
  EXPECT_EQ(why("0x10"),
            "'0x10' is no number: something else follows the number" + kNumberExpected);
  EXPECT_EQ(why("1_000"),
            "'1_000' is no number: something else follows the number" + kNumberExpected);
  EXPECT_EQ(why(""), "'' is no number: it is empty" + kNumberExpected);
  EXPECT_EQ(why("1/0"), "'1/0' is no number: the denominator is 0" + kNumberExpected);
  EXPECT_EQ(why("1/-3"), "'1/-3' is no number: digits must follow the '/'" + kNumberExpected);
  EXPECT_EQ(why("1.5/2"),
            "'1.5/2' is no number: the numerator of a fraction must be whole" + kNumberExpected);
  EXPECT_EQ(
      why("1/2e3"),
      "'1/2e3' is no number: the denominator of a fraction must be plain digits" + kNumberExpected);
  EXPECT_EQ(why(" 1"), "' 1' is no number: it does not begin with a digit" + kNumberExpected);
  EXPECT_EQ(why("-"), "'-' is no number: it does not begin with a digit" + kNumberExpected);
  EXPECT_EQ(why("5."), "'5.' is no number: digits must follow the point" + kNumberExpected);
  EXPECT_EQ(why("1e"), "'1e' is no number: digits must follow the 'e'" + kNumberExpected);
}

TEST(Number, HostileTextsAreErrorsAtOnce) {
  EXPECT_EQ(
      why("1e999999999"),
      "'1e999999999' is no number: the exponent must be from -1000 to 1000" + kNumberExpected);
  EXPECT_EQ(why("1e-1001"),
            "'1e-1001' is no number: the exponent must be from -1000 to 1000" + kNumberExpected);
  EXPECT_EQ(why(std::string(1001, '7')),
            "'" + std::string(40, '7') + "...' is no number: it has more than 1000 characters" +
                kNumberExpected);
  EXPECT_EQ(why(std::string_view("1\0002", 3)),
            "'1\\x002' is no number: something else follows the number" + kNumberExpected);
  EXPECT_TRUE(Number::try_parse("1e1000").has_value());
  EXPECT_TRUE(Number::try_parse(std::string(1000, '7')).has_value());
}

TEST(Number, ParseThrowsTheSameMessage) {
  EXPECT_EQ(thrown(ErrorCode::bad_number, [] { Number::parse("one"); }),
            "'one' is no number: it does not begin with a digit" + kNumberExpected);
  EXPECT_EQ(thrown(ErrorCode::bad_number, [] { Number n("x"); }),
            "'x' is no number: it does not begin with a digit" + kNumberExpected);
}

TEST(NumberText, IsADecimalWhereThereIsOne) {
  EXPECT_EQ(to_text(Rational(-3189, 100)), "-31.89");
  EXPECT_EQ(to_text(Rational(1, 8)), "0.125");
  EXPECT_EQ(to_text(Rational(1, 3)), "1/3");
  EXPECT_EQ(to_text(Rational(-7, 6)), "-7/6");
  EXPECT_EQ(to_text(Rational(0)), "0");
  EXPECT_EQ(to_text(Rational(1200)), "1200");
  EXPECT_EQ(to_text(Number("0.12345678901234567").rational()), "0.12345678901234567");
  EXPECT_EQ(to_text(Number("-9223372036854775808").rational()), "-9223372036854775808");
}

TEST(NumberText, UsesAnExponentOnlyWhereItIsMuchShorter) {
  EXPECT_EQ(to_text(Number("1e21").rational()), "1000000000000000000000");
  EXPECT_EQ(to_text(Number("1e30").rational()), "1e30");
  EXPECT_EQ(to_text(Number("-1.25e-40").rational()), "-1.25e-40");
  EXPECT_EQ(to_text(Number("123456789012345678901234567890").rational()),
            "123456789012345678901234567890");
}

TEST(NumberText, ReadsBackAsTheSameNumber) {
  for (const char* text : {"1e1000",
                           "-1e-1000",
                           "0.001e-1000",
                           "1000e1000",
                           "1/3",
                           "-7/6",
                           "123456789.000000001",
                           "98765432109876543210.0123456789",
                           "1e23",
                           "4.9e-324",
                           "12345678901234567890/7"}) {
    const Number number(text);
    EXPECT_EQ(Number::parse(to_text(number.rational())), number) << text;
  }
}

TEST(NumberText, KnowsFiniteDecimals) {
  EXPECT_TRUE(is_finite_decimal(Rational(7, 40)));
  EXPECT_TRUE(is_finite_decimal(Rational(-5)));
  EXPECT_FALSE(is_finite_decimal(Rational(1, 3)));
  EXPECT_FALSE(is_finite_decimal(Rational(1, 70)));
}

}  // namespace
}  // namespace quantiplan
