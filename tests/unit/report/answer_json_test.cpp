#include <gtest/gtest.h>

#include <limits>

#include "report/holds.hpp"
#include "report/report_json.hpp"
#include "report/sample_answer.hpp"

namespace quantiplan {
namespace {

TEST(AnswerJson, IsTheObjectOfTheDocumentationInItsOrder) {
  EXPECT_EQ(answer_json(commute_answer()), R"({
  "format": "quantiplan-answer/1",
  "model": {
    "name": "commute",
    "states": 3,
    "choices": 3,
    "outcomes": 5,
    "horizon": 3,
    "discount": 1,
    "initial": "home",
    "goal_states": null,
    "rewards": "reward",
    "adversarial": false
  },
  "epsilon": null,
  "results": [
    {
      "tau": "0.1",
      "side": "upper",
      "status": "solved",
      "certificate": "exact",
      "quantile": -40,
      "bracket": [-40, -40],
      "attained": true,
      "probability": 1,
      "probability_exact": "1",
      "probability_is": "exact",
      "mean": -40,
      "mean_exact": "-40",
      "prefer": "probability",
      "expectation_policy": {
        "mean": -31.89,
        "mean_exact": "-31.89",
        "quantile": -55,
        "bracket": [-55, -55],
        "probability": 0.802,
        "probability_exact": "0.802",
        "probability_is": "exact"
      }
    }
  ],
  "engine": {
    "given": "auto",
    "used": "steps",
    "why": "the totals lie on an integer grid"
  },
  "work": {
    "seconds": 0.01,
    "backups": 123,
    "breakpoints": 45,
    "peak_bytes": 6789,
    "multiply_adds": 0,
    "passes": 1,
    "exact_nodes": 0,
    "levels": 0
  }
}
)");
}

TEST(AnswerJson, WritesNullForWhatDoesNotExist) {
  Answer answer = commute_answer();
  answer.results = {Result{}};
  answer.results[0].status = Status::interrupted;
  const std::string json = answer_json(answer);
  for (const char* line : {"\"status\": \"interrupted\"",
                           "\"certificate\": null",
                           "\"quantile\": null",
                           "\"bracket\": null",
                           "\"probability\": null",
                           "\"probability_is\": null",
                           "\"mean\": null",
                           "\"expectation_policy\": null"}) {
    EXPECT_NE(json.find(line), std::string::npos) << line;
  }
}

TEST(AnswerJson, SaysThatNothingCertifiesAnAnswer) {
  Answer answer = commute_answer();
  answer.results[0].certificate = Certificate::none;
  answer.results[0].upper.reset();
  EXPECT_NE(answer_json(answer).find(R"(      "certificate": null,
      "quantile": -40,
      "bracket": null,
      "attained": true,
      "probability": 1,
      "probability_exact": "1",
      "probability_is": "uncertified",)"),
            std::string::npos)
      << answer_json(answer);
}

TEST(AnswerJson, SaysThatTheProbabilityOfABracketIsABound) {
  Answer answer = commute_answer();
  answer.epsilon = Rational(1, 100);
  Result& result = answer.results[0];
  result.certificate = Certificate::bracket;
  result.upper = Rational("-119/3");
  result.probability = Value{0.9, std::nullopt, Value::Is::lower_bound};
  result.expectation_policy.change([&](auto& changed) { changed.upper = Rational(-54); });
  result.expectation_policy.change([&](auto& changed) {
    changed.probability = Value{0.802, std::nullopt, Value::Is::lower_bound, 0.803};
  });
  const std::string json = answer_json(answer);
  for (const char* part : {R"(  "epsilon": 0.01,
  "results": [)",
                           R"(      "certificate": "bracket",
      "quantile": -40,
      "bracket": [-40, "-119/3"],
      "attained": true,
      "probability": 0.9,
      "probability_is": "lower bound",)",
                           R"(        "quantile": -55,
        "bracket": [-55, -54],
        "probability": 0.802,
        "probability_is": "lower bound",
        "probability_upper": 0.803
)"}) {
    EXPECT_NE(json.find(part), std::string::npos) << json;
  }
}

TEST(AnswerJson, CallsAProbabilityRoundedWhoseExactTextIsTooLong) {
  Answer answer = commute_answer();
  Integer ten;
  mpz_ui_pow_ui(ten.get_mpz_t(), 10, 300);
  answer.results[0].probability = Value::exactly(1 - Rational(1, ten));
  const std::string json = answer_json(answer);
  EXPECT_NE(json.find("\"probability\": 1,\n      \"probability_is\": \"rounded\""),
            std::string::npos)
      << json;
}

TEST(AnswerJson, WritesWealthExactlyAndFractionsAsStrings) {
  EXPECT_EQ(exact_json(Number("0.1000000000000000055511151231257827").rational()),
            "0.1000000000000000055511151231257827");
  EXPECT_EQ(exact_json(Rational(-1, 3)), "\"-1/3\"");
  EXPECT_EQ(exact_json(Rational(12345678901234567)), "12345678901234567");
}

TEST(AnswerJson, WritesDoublesAsTheShortestTextThatReadsBack) {
  EXPECT_EQ(double_json(0.1), "0.1");
  EXPECT_EQ(double_json(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(double_json(5e-324), "5e-324");
  EXPECT_EQ(double_json(-0.0), "0");
  EXPECT_EQ(double_json(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(double_json(std::numeric_limits<double>::infinity()), "\"inf\"");
  EXPECT_EQ(double_json(-std::numeric_limits<double>::infinity()), "\"-inf\"");
}

TEST(AnswerJson, PrintsTheNearestDoubleOfAnExactValue) {
  // The rounded figure of the engine is off by one bit; the exact value is at hand.
  EXPECT_EQ(atom_json("1", Value{0.80200000000000005, Rational(802, 1000)}),
            R"({"wealth": 1, "probability": 0.802, "probability_exact": "0.802"})");
  EXPECT_EQ(atom_json("1", Value{0.25, std::nullopt}), R"({"wealth": 1, "probability": 0.25})");
}

TEST(AnswerJson, LeavesOutExactValuesThatNobodyWouldRead) {
  Rational tiny(1);
  mpq_div_2exp(tiny.get_mpq_t(), tiny.get_mpq_t(), 400);
  const std::string json = atom_json("0", Value{to_nearest_double(tiny), tiny});
  EXPECT_EQ(json.find("probability_exact"), std::string::npos) << json;
}

TEST(AnswerJson, AddsDistributionsAndChecksWhenTheyAreAskedFor) {
  Answer answer = commute_answer();
  answer.results[0].distribution = two_point_distribution;
  answer.results[0].check = CheckReport{true, false, {"P(W = -40) is positive."}};
  const Distribution expectation = two_point_distribution();
  ReportOptions options;
  EXPECT_EQ(answer_json(answer, options).find("\"distribution\""), std::string::npos);
  options.distributions = true;
  options.expectation = &expectation;
  const std::string json = answer_json(answer, options);
  EXPECT_NE(json.find(R"(      "check": {
        "passed": true,
        "ended_early": false,
        "optimality_checked": false,
        "findings": [
          "P(W = -40) is positive."
        ]
      },
      "distribution": [
        {"wealth": -55, "probability": 0.2, "probability_exact": "0.2"},
        {"wealth": -25, "probability": 0.8, "probability_exact": "0.8"}
      ],
      "rest": null,
      "relative_error": 0,
      "slack": 0,
      "sample": null)"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find("  ],\n  \"expectation_policy\": {\n    \"mean\": -31,"), std::string::npos)
      << json;
}

TEST(AnswerJson, WritesTotalsThatAreNoNumbersAsStrings) {
  Answer answer = commute_answer();
  answer.model.horizon = kInfiniteHorizon;
  answer.model.goal_states = 2;
  Result& result = answer.results[0];
  result.quantile = result.upper = Total::plus_infinity();
  result.attained = false;
  result.probability.reset();
  result.mean.reset();
  result.expectation_policy.change([&](auto& changed) { changed.quantile = Total::miss(); });
  result.expectation_policy.change([&](auto& changed) {
    changed.mean = Value{std::numeric_limits<double>::quiet_NaN(), std::nullopt};
  });
  answer.work.levels = 7;
  const std::string json = answer_json(answer);
  for (const char* part : {R"(    "horizon": "infinite",
    "discount": 1,
    "initial": "home",
    "goal_states": 2,
    "rewards": "reward",
    "adversarial": false)",
                           R"(      "quantile": "inf",
      "bracket": ["inf", "inf"],
      "attained": false,
      "probability": null,
      "probability_is": null,
      "mean": null,
      "prefer": "probability",
      "expectation_policy": {
        "mean": null,
        "quantile": "miss",
        "bracket": ["miss", "miss"],)",
                           "    \"levels\": 7\n"}) {
    EXPECT_NE(json.find(part), std::string::npos) << json;
  }
  result.mean = Value{-std::numeric_limits<double>::infinity(), std::nullopt};
  result.quantile = result.upper = Total::minus_infinity();
  EXPECT_NE(answer_json(answer).find("\"mean\": \"-inf\""), std::string::npos);
  EXPECT_NE(answer_json(answer).find("\"quantile\": \"-inf\""), std::string::npos);
}

TEST(AnswerJson, ShowsCostsWhereRewardsAreCosts) {
  Answer answer = commute_answer();
  answer.model.cost = true;
  answer.model.adversarial = true;
  Result& result = answer.results[0];
  result.certificate = Certificate::bracket;
  result.upper = Rational(-35);
  result.distribution = [] {
    Distribution d = two_point_distribution();
    d.atoms.insert(d.atoms.begin(), {Total::miss(), exact_value("0.1")});
    d.rest = RestOfDistribution{Total::minus_infinity(), -60, 0.25};
    return d;
  };
  ReportOptions options;
  options.distributions = true;
  const std::string json = answer_json(answer, options);
  for (const char* part : {R"(    "goal_states": null,
    "rewards": "cost",
    "adversarial": true)",
                           R"(      "quantile": 40,
      "bracket": [35, 40],
      "attained": true,)",
                           R"(      "mean": 40,
      "mean_exact": "40",
      "prefer": "probability",
      "expectation_policy": {
        "mean": 31.89,
        "mean_exact": "31.89",
        "quantile": 55,
        "bracket": [55, 55],)",
                           R"(      "distribution": [
        {"wealth": 25, "probability": 0.8, "probability_exact": "0.8"},
        {"wealth": 55, "probability": 0.2, "probability_exact": "0.2"},
        {"wealth": "miss", "probability": 0.1, "probability_exact": "0.1"}
      ],
      "rest": {"from": 60, "to": "inf", "probability": 0.25},
      "relative_error": 0,)"}) {
    EXPECT_NE(json.find(part), std::string::npos) << json;
  }
  result.upper.reset();
  EXPECT_NE(answer_json(answer).find("\"bracket\": [null, 40]"), std::string::npos);
}

TEST(AnswerJson, EscapesNamesAndMendsBrokenOnes) {
  Answer answer = commute_answer();
  answer.model.name = "a \"b\"\n";
  EXPECT_NE(answer_json(answer).find(R"("name": "a \"b\"\n")"), std::string::npos);
  answer.model.name = "\xff";
  EXPECT_NE(answer_json(answer).find(R"("name": "'\\xff'")"), std::string::npos)
      << answer_json(answer);
}

TEST(AnswerJson, HasTheGoalBesideTheMean) {
  Answer answer = commute_answer();
  Result& result = answer.results.front();
  result.mean.reset();
  result.goal_probability = exact_value("0.9");
  result.goal_mean = exact_value("-36");
  result.expectation_policy.change([&](auto& changed) {
    changed.goal_probability = Value{0.95, std::nullopt, Value::Is::lower_bound};
  });
  EXPECT_TRUE(holds(answer_json(answer), R"(      "mean": null,
      "goal_probability": 0.9,
      "goal_probability_exact": "0.9",
      "goal_mean": -36,
      "goal_mean_exact": "-36",
      "prefer": "probability",
      "expectation_policy": {
        "mean": -31.89,
        "mean_exact": "-31.89",
        "goal_probability": 0.95,
        "goal_probability_is": "lower bound",
        "goal_mean": null,
)"));
}

}  // namespace
}  // namespace quantiplan
