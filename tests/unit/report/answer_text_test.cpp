#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "report/sample_answer.hpp"
#include "report/text_table.hpp"

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
  result.probability = Value{0.9000319, std::nullopt, Value::Is::lower_bound};
  result.expectation_policy.change([&](auto& changed) { changed.upper = Rational(-54); });
  result.expectation_policy.change([&](auto& changed) {
    changed.probability = Value{0.802, std::nullopt, Value::Is::lower_bound};
  });
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
  answer.results[0].check.change([&](auto& changed) { changed.passed = false; });
  EXPECT_NE(answer_text(answer).find("Independent check: FAILED.\n"), std::string::npos);
  answer.results[0].check.change([&](auto& changed) { changed.ended_early = true; });
  EXPECT_NE(answer_text(answer).find("Independent check: not finished.\n"), std::string::npos);
  answer.results[0].check.change([&](auto& changed) { changed.ended_early = false; });
  answer.results[0].check.change([&](auto& changed) { changed.nothing_to_check = true; });
  EXPECT_NE(answer_text(answer).find("Independent check: nothing to check.\n"), std::string::npos);
  answer.results[0].check.change([&](auto& changed) { changed.ended_early = true; });
  answer.model.cost = true;
  EXPECT_NE(answer_text(answer).find("not finished. W is minus the cost.\n"), std::string::npos);
}

TEST(AnswerText, LeavesOutColumnsThatNoResultFills) {
  Answer answer = commute_answer();
  answer.results[0].expectation_policy.reset();
  EXPECT_NE(answer_text(answer).find("            quantile-optimal\n"
                                     "tau  side   quantile q  P(W >= q)  mean\n"
                                     "0.1  upper         -40          1   -40\n"),
            std::string::npos)
      << answer_text(answer);
  answer.results[0].mean.reset();
  answer.results.push_back(commute_result());
  EXPECT_NE(answer_text(answer).find("0.1  upper         -40          1     -            -"),
            std::string::npos)
      << answer_text(answer);
}

TEST(AnswerText, ShowsCostsToAGoalWithoutEnd) {
  Answer answer = commute_answer();
  answer.model.horizon = kInfiniteHorizon;
  answer.model.goal_states = 1;
  answer.model.cost = true;
  answer.work.levels = 12;
  EXPECT_EQ(
      answer_text(answer),
      "'commute': 3 states, 3 choices, 5 outcomes; horizon infinite, discount 1, from 'home' "
      "to 1 goal state; costs\n"
      "\n"
      "            quantile-optimal               expectation-optimal\n"
      "tau  side   quantile q  P(C <= q)  mean    P(C <= q)  quantile   mean\n"
      "0.1  upper          40          1    40        0.802        55  31.89\n"
      "\n"
      "tau 0.1, upper side (exact):\n"
      "  With probability at least 0.9 the goal is reached at a cost of at most 40; no policy "
      "promises\n"
      "  less.\n"
      "  The expectation-optimal policy keeps to that with probability 0.802 only.\n"
      "\n"
      "Engine: steps, for --engine auto\n"
      "Why: the totals lie on an integer grid\n"
      "Work: 0.01 s, 1 pass, 123 backups, 12 levels, 45 breakpoints, 6.63 KiB\n");
}

TEST(AnswerText, ShowsWhatIsGuaranteedAndTheAdversary) {
  Answer answer = commute_answer();
  answer.model.adversarial = true;
  answer.results[0].expectation_policy.reset();
  answer.results[0].distribution = two_point_distribution;
  ReportOptions options;
  options.distributions = true;
  const std::string text = answer_text(answer, options);
  for (const char* part :
       {"from 'home'; adversarial\n",
        "            guaranteed             adversary\n"
        "tau  side   quantile q  P(W >= q)  mean\n"
        "0.1  upper         -40          1   -40\n",
        "  Whatever is done, with probability at least 0.9 the total is at least "
        "-40; no more is guaranteed.\n",
        "  upper quantile  adversary\n",
        "  total  probability  adversary\n"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(AnswerText, MarksWhatNothingCertifies) {
  Answer answer = commute_answer();
  answer.results[0].certificate = Certificate::none;
  answer.results[0].expectation_policy.reset();
  EXPECT_NE(answer_text(answer).find("0.1  upper  -40 (uncertified)          1   -40\n"),
            std::string::npos)
      << answer_text(answer);
}

TEST(AnswerText, MarksASupremumThatNoPolicyAttains) {
  Answer answer = commute_answer();
  answer.model.horizon = kInfiniteHorizon;
  Result& result = answer.results[0];
  result.quantile = result.upper = Total::plus_infinity();
  result.attained = false;
  result.probability.reset();
  result.mean.reset();
  result.expectation_policy.reset();
  const std::string text = answer_text(answer);
  EXPECT_NE(text.find("0.1  upper   inf (sup)          -\n"), std::string::npos) << text;
}

TEST(AnswerText, ShowsDistributionsOfCostsWithMissesAndARest) {
  Answer answer = commute_answer();
  answer.model.cost = true;
  answer.results[0].distribution = [] {
    Distribution d = two_point_distribution();
    d.atoms = {
        {Total::miss(), exact_value("0.1")}, {-55, exact_value("0.1")}, {-25, exact_value("0.8")}};
    d.mean = Value{std::nan(""), std::nullopt};
    return d;
  };
  ReportOptions options;
  options.distributions = true;
  const std::string text = answer_text(answer, options);
  EXPECT_NE(text.find("  lower quantile of costs  this policy\n"
                      "  least                             25\n"
                      "  0.05                              25\n"
                      "  0.25                              25\n"
                      "  0.5                               25\n"
                      "  0.75                              25\n"
                      "  0.9                               55\n"
                      "  0.95                            miss\n"
                      "  greatest                        miss\n"
                      "  mean                       undefined\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  cost  probability  this policy\n"
                      "    25          0.8  ########################################\n"
                      "    55          0.1  #####\n"
                      "  miss          0.1  #####\n"),
            std::string::npos)
      << text;
}

TEST(AnswerText, GivesMissesAndInfinitiesRowsBesideTheIntervals) {
  Distribution wide;
  wide.atoms.push_back({Total::miss(), Value{0.25, std::nullopt}});
  wide.atoms.push_back({Total::minus_infinity(), Value{0.125, std::nullopt}});
  for (int i = 0; i < 20; ++i) wide.atoms.push_back({i, Value{0.025, std::nullopt}});
  wide.atoms.push_back({Total::plus_infinity(), Value{0.125, std::nullopt}});
  wide.mean = Value{std::nan(""), std::nullopt};
  wide.relative_error = 1e-12;
  Answer answer = commute_answer();
  answer.results[0].distribution = [&] { return wide; };
  ReportOptions options;
  options.distributions = true;
  std::string text = answer_text(answer, options);
  for (const char* part : {"      miss         0.25  ####",
                           "\n      -inf        0.125  ####",
                           "\n    [0, 2)         0.05  ####",
                           "\n       inf        0.125  ####"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_LT(text.find(" miss  "), text.find(" -inf  "));
  EXPECT_LT(text.find("[18, 20)"), text.find("\n       inf "));
  answer.model.cost = true;
  text = answer_text(answer, options);
  EXPECT_NE(text.find("\n  [-20, -18)        0.025  "), std::string::npos) << text;
  EXPECT_LT(text.find("\n        -inf  "), text.find("[-20, -18)")) << text;
  EXPECT_LT(text.find("\n         inf  "), text.find("\n        miss  ")) << text;
}

TEST(AnswerText, ShowsDashesWhereNothingIsKnown) {
  Answer answer = commute_answer();
  Result nothing;
  nothing.tau = Rational(1, 2);
  nothing.status = Status::limit_reached;
  answer.results = {nothing};
  const std::string text = answer_text(answer);
  EXPECT_NE(text.find("tau  side   quantile q  P(W >= q)\n0.5  lower           -          -\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  Nothing is known yet: the call ended too early.\n"), std::string::npos);
}

}  // namespace
}  // namespace quantiplan
