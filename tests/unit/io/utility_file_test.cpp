#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "quantiplan/error.hpp"
#include "quantiplan/utility.hpp"
#include "temporary_folder.hpp"

namespace quantiplan {
namespace {

std::string utility_problems(const std::string& text) {
  try {
    parse_utility_table(text, "u");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_request);
    return error.what();
  }
  return "";
}

const Utility kBonus = Utility::table({{0, 0}, {10, 5}, {10, 8}}, 2, Rational(1, 3));

TEST(UtilityFile, SaysTheSameInJsonAndInCsv) {
  EXPECT_EQ(parse_utility_table(R"({"format": "quantiplan-utility/1", "name": "a bonus at ten",
                                    "points": [[0, 0], ["10", 5.0], [10, 8]],
                                    "slope_below": 2, "slope_above": "1/3"})",
                                "u"),
            kBonus);
  EXPECT_EQ(
      parse_utility_table("Wealth, Utility\r\nbelow,2\r\n0,0\r\n\r\n10,5\n10,8\nabove,1/3", "u"),
      kBonus);
}

class UtilityFiles : public TemporaryFolder {};

TEST_F(UtilityFiles, AreReadFromTheirPath) {
  write("u.csv", "wealth,utility\n0,0\n10,5\n10,8\nbelow,2\nabove,1/3\n");
  EXPECT_EQ(read_utility(path("u.csv")), kBonus);
  EXPECT_THROW(read_utility(path("none.csv")), Error);
}

TEST(UtilityFile, JsonProblemsHaveTheirLines) {
  EXPECT_EQ(
      utility_problems("{\"format\": \"quantiplan-utility/1\",\n\"points\": [[1, 2],\n[0, 1],\n"
                       "[3], [4, 5, 6], [\"x\", 1], 7]}"),
      "u:3: found a point at 0 after one at 1, expected ascending wealths\n"
      "u:4: a point: found 1 number, expected two: [wealth, utility]\n"
      "u:4: a point: found 3 numbers, expected two: [wealth, utility]\n"
      "u:4: in a point: 'x' is no number: it does not begin with a digit; expected a decimal "
      "such as -0.5 or 1e-3, or a fraction such as 1/3\n"
      "u:4: in the list of points: found a number, expected a list of two numbers");
  EXPECT_NE(utility_problems("{}").find("'format'"), std::string::npos);
  EXPECT_NE(utility_problems("{\"format\": \"quantiplan-utility/1\"}").find("'points'"),
            std::string::npos);
  EXPECT_EQ(utility_problems("{\"format\": \"quantiplan-utility/1\", \"points\": []}"),
            "u: found no points, expected at least one");
}

TEST(UtilityFile, CsvProblemsHaveTheirLines) {
  EXPECT_EQ(
      utility_problems("wealth,utility\n1,2\n1,3\n1,4\nbelow,1\nbelow,2\n5\n"),
      "u:4: found a third point at 1, expected at most two: the values before a step and from "
      "it on\n"
      "u:6: 'below' is given twice, must be given once\n"
      "u:7: found 1 field, expected two: wealth,utility");
  EXPECT_EQ(
      utility_problems("0,0\n1,1\n"),
      "u:1: found no header 'wealth,utility', expected it on the first line, or a JSON object");
  EXPECT_EQ(utility_problems("wealth,utility\n"), "u: found no points, expected at least one");
}

TEST(UtilityFile, HostileTextsAreRefused) {
  std::string deep = "{\"format\": \"quantiplan-utility/1\", \"points\": ";
  for (int i = 0; i < 100000; ++i) deep += '[';
  for (const std::string& text :
       {std::string(),
        std::string("\0", 1),
        std::string("\xff\xfe"),
        std::string("{"),
        std::string("wealth,utility\n\"1,2\n"),
        std::string("wealth,utility\n1e999999999,0\n"),
        std::string("wealth,utility\nnan,0\n"),
        std::string("wealth,utility\n0,inf\n"),
        std::string("{\"format\": \"quantiplan-utility/1\", \"points\": [[0, 1e99999]]}"),
        std::string("{\"format\": \"quantiplan-utility/1\", \"points\": {\"a\": 1}}"),
        std::string("{\"format\": \"quantiplan-model/1\", \"points\": [[0, 1]]}"),
        deep}) {
    EXPECT_NE(utility_problems(text), "") << text.substr(0, 60);
  }
}

TEST(UtilityFile, NoMoreThanTwentyProblemsAreShown) {
  std::string text = "wealth,utility\n";
  for (int i = 0; i < 1000; ++i) text += "x,y\n";
  const std::string shown = utility_problems(text);
  EXPECT_LE(std::count(shown.begin(), shown.end(), '\n'), 20);
}

}  // namespace
}  // namespace quantiplan
