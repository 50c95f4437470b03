#include "numbers/interner.hpp"

#include <gtest/gtest.h>

#include "numbers/numbered_names.hpp"

namespace quantiplan {
namespace {

TEST(NumberInterner, GivesEqualValuesOneId) {
  NumberInterner numbers;
  const NumberId half = numbers.intern(Number("0.5"));
  EXPECT_EQ(numbers.intern(Number("2/4")), half);
  EXPECT_NE(numbers.intern(Number("-0.5")), half);
  const NumberId wide = numbers.intern(Number("1e100"));
  EXPECT_EQ(numbers.intern(Number("10e99")), wide);
  EXPECT_NE(numbers.intern(Number("-1e100")), wide);
  EXPECT_NE(numbers.intern(Number("1e-100")), wide);
  EXPECT_EQ(numbers.size(), 5U);
  EXPECT_EQ(numbers.number(wide), Number("1e100"));
  EXPECT_EQ(numbers.number(half), Number("1/2"));
}

TEST(NumberInterner, KeepsManyNumbersApart) {
  NumberInterner numbers;
  for (int i = 0; i < 10000; ++i) {
    EXPECT_EQ(index(numbers.intern(Fraction{i, 1})), static_cast<std::size_t>(2 * i));
    EXPECT_EQ(index(numbers.intern(Number(Rational(Integer(i) + (Integer(1) << 80))))),
              static_cast<std::size_t>(2 * i + 1));
  }
  for (int i = 0; i < 10000; ++i) {
    EXPECT_EQ(index(numbers.intern(Fraction{i, 1})), static_cast<std::size_t>(2 * i));
  }
  const NumberTable table = numbers.take();
  EXPECT_EQ(numbers.size(), 0U);
  EXPECT_EQ(table.size(), 20000U);
  EXPECT_EQ(table.rational(NumberId{14}), 7);
  EXPECT_EQ(table.rational(NumberId{15}), Rational((Integer(1) << 80) + 7));
  EXPECT_EQ(table.nearest(NumberId{14}), 7.0);
  EXPECT_EQ(table.nearest(NumberId{15}), 0x1p80);
}

TEST(NameInterner, FindsNamesByIdAndByText) {
  NameInterner names;
  EXPECT_EQ(names.intern("home"), 0U);
  EXPECT_EQ(names.intern("office"), 1U);
  EXPECT_EQ(names.intern("home"), 0U);
  EXPECT_EQ(names[1], "office");
  EXPECT_EQ(names.find("office"), 1U);
  EXPECT_EQ(names.find("station"), std::nullopt);
  const NameTable table = names.take();
  EXPECT_EQ(names.size(), 0U);
  EXPECT_EQ(table.find("home"), 0U);
  EXPECT_EQ(table.find("hom"), std::nullopt);
  EXPECT_EQ(table.find("zzz"), std::nullopt);
}

TEST(NameInterner, SortsNamesThatShareTheirBeginning) {
  NameInterner names;
  for (const char* name : {"station-b", "station-a", "station", "stat", "station-\xC3\xA9", "a"}) {
    names.intern(name);
  }
  const NameTable table = names.take();
  for (std::size_t i = 0; i < table.size(); ++i) EXPECT_EQ(table.find(table[i]), i) << table[i];
}

TEST(NumberedNames, AreThePlainNumbersBelowTheirCount) {
  const NumberedNames names(11);
  EXPECT_EQ(names.size(), 11U);
  EXPECT_EQ(names.name(10), "10");
  EXPECT_EQ(names.find("0"), 0U);
  EXPECT_EQ(names.find("10"), 10U);
  for (const char* other : {"", "11", "-1", "+1", "01", "00", " 1", "1 ", "1.0", "99999999999"})
    EXPECT_EQ(names.find(other), std::nullopt) << other;
}

}  // namespace
}  // namespace quantiplan
