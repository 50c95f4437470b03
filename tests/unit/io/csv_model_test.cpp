#include <gtest/gtest.h>

#include "io/example_commute.hpp"
#include "numbers/number_expected.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

constexpr const char* kHeader = "idstatefrom,idaction,idstateto,probability,reward\n";

Model csv(const std::string& text) { return parse_model(text, Format::csv, "m.csv").model; }

std::string csv_problems(const std::string& text) {
  return thrown(ErrorCode::bad_model, [&] { csv(text); });
}

std::string states_of(const Model& model) {
  std::string names;
  for (std::uint32_t s = 0; s < model.state_count(); ++s)
    names += std::string(model.state_name(State{s})) + " ";
  return names;
}

TEST(CsvModel, ReadsRows) {
  const Model model = csv(std::string(kHeader) + "1,1,2,0.5,10\n1,1,1,1/2,-1\n2,1,2,1,0\n");
  EXPECT_EQ(states_of(model), "1 2 ");
  EXPECT_EQ(model.choice_count(), 2U);
  EXPECT_EQ(model.outcome_count(), 3U);
  EXPECT_EQ(model.reward(model.outcomes(Choice{0})[1]), -1);
  EXPECT_EQ(model.probability(model.outcomes(Choice{0})[1]), Rational(1, 2));
}

TEST(CsvModel, ColumnsMayComeInAnyOrderAndCase) {
  const Model model =
      csv("\xEF\xBB\xBF Reward , IDOutcome,probability,idStateTo,idAction,idStateFrom\r\n"
          " 5 ,1, 1 ,b,x,a\r\n\r\n   \r\n");
  EXPECT_EQ(states_of(model), "a b ");
  EXPECT_EQ(model.reward(model.outcomes(Choice{0})[0]), 5);
}

TEST(CsvModel, RowsOfAChoiceMayBeScattered) {
  const Model model =
      csv(std::string(kHeader) + "a,x,b,0.5,1\na,y,b,1,2\nb,x,a,1,3\na,x,a,0.5,4\n");
  EXPECT_EQ(model.choice_count(), 3U);
  const auto x = model.outcomes(*model.find_choice(State{0}, "x"));
  ASSERT_EQ(x.size(), 2U);
  EXPECT_EQ(model.reward(x[1]), 4);
}

TEST(CsvModel, WholeNumbersAreOrderedAsNumbers) {
  EXPECT_EQ(
      states_of(csv(std::string(kHeader) + "10,1,9,1,0\n9,1,-1,1,0\n-1,1,01,1,0\n01,1,1,1,0\n")),
      "-1 01 1 9 10 ");
  EXPECT_EQ(states_of(csv(std::string(kHeader) + "10,1,9,1,0\n9,1,x,1,0\n")), "10 9 x ");
}

TEST(CsvModel, RepeatedRowsAreOutcomesOfTheirOwn) {
  const Model model = csv(std::string(kHeader) + "0,0,1,0.25,5\n0,0,1,0.25,7\n0,0,1,0.5,5\n");
  ASSERT_EQ(model.outcome_count(), 2U);
  EXPECT_EQ(model.probability(model.outcomes(Choice{0})[0]), Rational(3, 4));
  EXPECT_EQ(model.probability(model.outcomes(Choice{0})[1]), Rational(1, 4));
}

TEST(CsvModel, QuotedNamesMayHoldCommasQuotesAndLines) {
  const Model model =
      csv(std::string(kHeader) +
          "\"a, b\",\"say \"\"hi\"\"\" ,\" two\nlines \",1,0\r\n\" two\nlines \",x,c,1,0");
  EXPECT_EQ(model.state_name(State{0}), "a, b");
  EXPECT_EQ(model.action_name(Choice{0}), "say \"hi\"");
  EXPECT_EQ(model.state_name(State{1}), " two\nlines ");
  EXPECT_EQ(model.state_count(), 3U);
}

TEST(CsvModel, TheShippedExampleIsThatOfJson) {
  const Model a = read_model(QUANTIPLAN_SOURCE_DIR "/examples/commute.csv").model;
  const Model b = example_commute();
  EXPECT_EQ(format_model(a, Format::csv), format_model(b, Format::csv));
}

TEST(CsvProblems, Headers) {
  EXPECT_EQ(csv_problems(""),
            "m.csv: the text is empty, must be a model: a JSON object, or CSV with the header "
            "idstatefrom,idaction,idstateto,probability,reward");
  EXPECT_EQ(csv_problems(kHeader),
            "m.csv:1: found no rows below the header, must be one for each outcome");
  EXPECT_EQ(
      csv_problems("\nidstatefrom,idaction,idstatto,probability,reward,reward\n"),
      "m.csv:2: header: unknown column 'idstatto', must be one of "
      "idstatefrom,idaction,idstateto,probability,reward,idoutcome; did you mean 'idstateto'?\n"
      "m.csv:2: header: column 'reward' is given twice, must be given once\n"
      "m.csv:2: header: missing column 'idstateto'");
}

TEST(CsvProblems, Rows) {
  EXPECT_EQ(csv_problems(std::string(kHeader) + "a,x,b,1,0\na,y,b,1\n,x,b,1,0\nb,x,\"\",1,0\n"),
            "m.csv:3: the row has 4 fields, must have 5 as the header\n"
            "m.csv:4: idstatefrom: the field is empty, must have a name\n"
            "m.csv:5: idstateto: the field is empty, must have a name");
}

TEST(CsvProblems, Numbers) {
  EXPECT_EQ(
      csv_problems(std::string(kHeader) + "a,x,b,nan,0\na,x,b,0.5,1e999999999\nb,x,b,0.5,0\n"),
      "m.csv:2: state 'a', choice 'x': probability: 'nan' is no number: it is not finite" +
          kNumberExpected +
          "\nm.csv:3: state 'a', choice 'x': reward: '1e999999999' is no number: the "
          "exponent must be from "
          "-1000 to 1000" +
          kNumberExpected +
          "\nm.csv:4: state 'b', choice 'x': probabilities sum to 0.5, must be 1");
}

TEST(CsvProblems, Sums) {
  EXPECT_EQ(
      csv_problems(std::string(kHeader) + "a,x,b,0.5,0\nb,x,b,1.5,0\na,x,a,0.49,0\n"),
      "m.csv:2: state 'a', choice 'x': probabilities sum to 0.99, must be 1\n"
      "m.csv:3: state 'b', choice 'x': next state 'b': probability is 1.5, must be from 0 to 1");
}

TEST(CsvProblems, Quotes) {
  EXPECT_EQ(csv_problems(std::string(kHeader) + "\"a,x,b,1,0\nb,x,b,1,0\n"),
            "m.csv:2: found a quote that is never closed, must have a second one");
  EXPECT_EQ(csv_problems(std::string(kHeader) + "a\"b\",x,b,1,0\n"),
            "m.csv:2: found a quote inside the field 'a\"b\"', must be around the whole field and "
            "doubled inside");
  EXPECT_EQ(csv_problems(std::string(kHeader) + "\"a\"b,x,b,1,0\n"),
            "m.csv:2: found text behind the quoted field 'a', must be a comma");
}

TEST(CsvProblems, Bytes) {
  EXPECT_EQ(csv_problems(std::string(kHeader) + "a\xFF,x,b,1,0\n"),
            "m.csv:2: found the byte '\\xff', must be UTF-8 text");
  EXPECT_EQ(csv_problems(std::string(kHeader) + std::string("a\0,x,b,1,0\n", 11)),
            "m.csv:2: found a NUL byte, must be text");
}

}  // namespace
}  // namespace quantiplan
