#include <gtest/gtest.h>

#include <sstream>

#include "sample_answer.hpp"
#include "text_table.hpp"

namespace quantiplan {
namespace {

TEST(AnswerText, IsATableWithTheGuaranteeAsASentence) {
  EXPECT_EQ(answer_text(commute_answer()),
            "'commute': 3 states, 3 choices, 5 outcomes; horizon 3, discount 1, from 'home'\n"
            "\n"
            "            quantile-optimal               expectation-optimal\n"
            "tau  side   quantile q  P(W >= q)  mean    P(W >= q)  quantile    mean\n"
            "0.1  upper         -40          1   -40        0.802       -55  -31.89\n"
            "\n"
            "tau 0.1, upper side (exact):\n"
            "  With probability at least 0.9 the total is at least -40; no policy promises more.\n"
            "  The expectation-optimal policy reaches that with probability 0.802 only.\n"
            "\n"
            "Engine: steps, for --engine auto\n"
            "Why: the totals lie on an integer grid\n"
            "Work: 0.01 s, 1 pass, 123 backups, 45 breakpoints, 6.63 KiB\n");
}

TEST(AnswerText, ShowsABracketAsOne) {
  Answer answer = commute_answer();
  answer.epsilon = Rational(1, 2);
  Result& result = answer.results[0];
  result.certificate = Certificate::bracket;
  result.upper = Number("-39.75").rational();
  result.probability = Value{0.9000319, std::nullopt};
  result.expectation_policy->upper = Rational(-54);
  const std::string text = answer_text(answer);
  EXPECT_NE(
      text.find("            quantile-optimal                    expectation-optimal\n"
                "tau  side      quantile q    P(W >= q)  mean    P(W >= q)    quantile    mean\n"
                "0.1  upper  [-40, -39.75]  >= 0.900031   -40     >= 0.802  [-55, -54]  -31.89\n"),
      std::string::npos)
      << text;
  EXPECT_NE(
      text.find("tau 0.1, upper side (bracket):\n"
                "  With probability at least 0.9 the total is at least -40; no policy promises "
                "more than -39.75.\n"
                "  The bracket is 0.25 wide; good enough is 0.5.\n"
                "  The expectation-optimal policy promises no more than -54.\n"),
      std::string::npos)
      << text;
}

TEST(AnswerText, ShowsDistributionsSideBySide) {
  Answer answer = commute_answer();
  answer.results[0].distribution = [] {
    Distribution sure;
    sure.atoms = {{-40, exact_value("1")}};
    sure.mean = exact_value("-40");
    return sure;
  };
  const Distribution expectation = two_point_distribution();
  ReportOptions options;
  options.distributions = true;
  options.expectation = &expectation;
  const std::string text = answer_text(answer, options);
  EXPECT_NE(text.find("  upper quantile  this policy  expectation\n"
                      "  least                   -40          -55\n"
                      "  0.05                    -40          -55\n"
                      "  0.1                     -40          -55\n"
                      "  0.25                    -40          -25\n"
                      "  0.5                     -40          -25\n"
                      "  0.75                    -40          -25\n"
                      "  0.95                    -40          -25\n"
                      "  greatest                -40          -25\n"
                      "  mean                    -40          -31\n"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find("  total  probability  this policy            probability  expectation\n"
                "    -55                                              0.2  ####\n"
                "    -40            1  #####################\n"
                "    -25                                              0.8  #################\n"),
      std::string::npos)
      << text;
}

TEST(AnswerText, FitsEightyColumnsWithManyLevels) {
  Distribution wide;
  for (int i = 0; i < 1000; ++i)
    wide.atoms.push_back({Rational(-123456 + 7 * i), Value{0.001, std::nullopt}});
  wide.mean = Value{-119959.5, std::nullopt};
  wide.relative_error = 1e-12;
  Answer answer = commute_answer();
  answer.results[0].distribution = [&] { return wide; };
  ReportOptions options;
  options.distributions = true;
  options.expectation = &wide;
  options.unicode = true;
  std::istringstream lines(answer_text(answer, options));
  std::size_t intervals = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("█") == std::string::npos && line.find("▏") == std::string::npos) continue;
    ++intervals;
    EXPECT_LE(display_width(line), 80U) << line;
  }
  EXPECT_GE(intervals, 7U);
  EXPECT_LE(intervals, 16U);
}

TEST(AnswerText, GathersRareExtremesInTheOuterRows) {
  Distribution skewed;
  skewed.atoms.push_back({-100000, Value{0.0005, std::nullopt}});
  for (int i = 0; i < 20; ++i) skewed.atoms.push_back({Rational(i), Value{0.0499, std::nullopt}});
  skewed.atoms.push_back({70, Value{0.0015, std::nullopt}});
  skewed.mean = Value{-40, std::nullopt};
  skewed.relative_error = 1e-12;
  Answer answer = commute_answer();
  answer.results[0].distribution = [&] { return skewed; };
  ReportOptions options;
  options.distributions = true;
  const std::string text = answer_text(answer, options);
  EXPECT_NE(text.find(" below 0       0.0005  #\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  [0, 2)       0.0998  ####"), std::string::npos) << text;
  EXPECT_NE(text.find("[18, 20)       0.0998  ####"), std::string::npos) << text;
  EXPECT_NE(text.find(" from 20       0.0015  #\n"), std::string::npos) << text;
}

TEST(AnswerText, ShowsTheVerdictOfTheChecker) {
  Answer answer = commute_answer();
  answer.results[0].check = CheckReport{true, false, {"P(W = -40) is positive."}};
  EXPECT_NE(answer_text(answer).find("  Independent check: passed (optimality was not rechecked).\n"
                                     "    P(W = -40) is positive.\n"),
            std::string::npos);
  answer.results[0].check->passed = false;
  EXPECT_NE(answer_text(answer).find("Independent check: FAILED"), std::string::npos);
}

TEST(AnswerText, ShowsDashesWhereNothingIsKnown) {
  Answer answer = commute_answer();
  Result nothing;
  nothing.tau = Rational(1, 2);
  nothing.status = Status::limit_reached;
  answer.results = {nothing};
  const std::string text = answer_text(answer);
  EXPECT_NE(text.find("0.5  lower           -          -     -            -         -     -\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  Nothing is known yet: the call ended too early.\n"), std::string::npos);
}

}  // namespace
}  // namespace quantiplan
