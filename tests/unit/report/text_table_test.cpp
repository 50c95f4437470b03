#include "report/text_table.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

TEST(TextTable, AlignsNumbersRightAndWordsLeft) {
  TextTable table({{"tau", Align::left}, {"side", Align::left}, {"quantile"}});
  table.add({"0.1", "upper", "-40"});
  table.add({"1/3", "low", "12345678901"});
  EXPECT_EQ(table.text(),
            "tau  side      quantile\n"
            "0.1  upper          -40\n"
            "1/3  low    12345678901\n");
}

TEST(TextTable, PutsAGroupAboveItsFirstColumn) {
  TextTable table({{"a"}, {"b", Align::right, "both"}, {"c"}});
  table.add({"1", "2", "3"});
  EXPECT_EQ(table.text(), "   both\na  b  c\n1  2  3\n");
}

TEST(TextTable, AbbreviatesInTheMiddle) {
  TextTable table({{"n"}});
  for (int i = 0; i < 10; ++i) table.add({std::to_string(i)});
  EXPECT_EQ(table.text(4, " (use --all)"), "n\n0\n1\n... 6 more (use --all)\n8\n9\n");
  EXPECT_EQ(table.text(1), "n\n0\n... 9 more\n");
  EXPECT_EQ(table.text(10).find("..."), std::string::npos);
  EXPECT_EQ(table.text(0).find("..."), std::string::npos);
}

TEST(TextTable, CountsCharactersAndNotBytes) {
  EXPECT_EQ(display_width("für"), 3U);
  TextTable table({{"", Align::left}, {"", Align::left}});
  table.add({"für", "x"});
  table.add({"abc", "y"});
  EXPECT_EQ(table.text(), "für  x\nabc  y\n");
}

TEST(Bar, IsNeverEmptyForAPositiveFraction) {
  EXPECT_EQ(bar(0, 10, false), "");
  EXPECT_EQ(bar(1e-9, 10, false), "#");
  EXPECT_EQ(bar(1e-9, 10, true), "▏");
  EXPECT_EQ(bar(0.5, 10, false), "#####");
  EXPECT_EQ(bar(0.25, 5, true), "█▎");
  EXPECT_EQ(bar(2, 3, true), "███");
}

}  // namespace
}  // namespace quantiplan
