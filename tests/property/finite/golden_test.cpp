// Golden cases (golden_case.hpp), met by every configuration. Those with a goal, costs, an
// adversary or no end are met by the engines that know these; plain ones also compare the
// expectation.
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "harness/aimed_case.hpp"
#include "harness/comparisons.hpp"
#include "harness/configurations.hpp"
#include "harness/golden_case.hpp"
#include "harness/harness.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

std::vector<std::string> cases_of(bool plain) {
  std::vector<std::string> names;
  for (const std::string& name : golden_cases()) {
    const GoldenCase golden(name);
    if ((Case::fits(take_apart(golden.read.model)) && !golden.query().setting.adversarial) == plain)
      names.push_back(name);
  }
  return names;
}

class Golden : public ::testing::TestWithParam<std::string> {
 protected:
  GoldenCase golden_{GetParam()};
  Case case_{1, take_apart(golden_.read.model)};
};

class AimedGolden : public ::testing::TestWithParam<std::string> {
 protected:
  GoldenCase golden_{GetParam()};
  AimedCase case_{1, take_apart(golden_.read.model)};
  Aim aim_ = golden_.query().setting.adversarial ? Aim::least : Aim::greatest;
};

void expect_source(const GoldenCase& golden) {
  EXPECT_GT(read_text(golden.file("source.md").string()).size(), 100U);
}
TEST_P(Golden, StatesItsSource) { expect_source(golden_); }
TEST_P(AimedGolden, StatesItsSource) { expect_source(golden_); }

TEST_P(Golden, AgreesWithTheReference) {
  for (const rapidjson::Value& result : golden_.expected["results"].GetArray()) {
    const Optimum best = case_.expected(number_in(result["tau"]), side_in(result["side"]));
    EXPECT_EQ(best.quantile, number_in(result["quantile"])) << result["tau"].GetString();
    EXPECT_EQ(best.probability, number_in(result["probability"])) << result["tau"].GetString();
  }
}

void expect_result(const Case& c,
                   const Result& found,
                   const rapidjson::Value& expected,
                   const std::string& where) {
  EXPECT_EQ(found.tau, number_in(expected["tau"])) << where;
  EXPECT_EQ(found.side, side_in(expected["side"])) << where;
  EXPECT_EQ(found.status, Status::solved) << where;
  EXPECT_EQ(found.certificate, Certificate::exact) << where;
  EXPECT_EQ(found.quantile, number_in(expected["quantile"])) << where;
  EXPECT_NO_THROW(require_probability(
      c, found.probability.value(), number_in(expected["probability"]), where + "probability"));
  ASSERT_TRUE(found.check) << where;
  EXPECT_TRUE(found.check->passed && found.check->optimality_checked) << where;
  if (!expected.HasMember("expectation_policy")) return;
  const rapidjson::Value& other = expected["expectation_policy"];
  EXPECT_EQ(found.expectation_policy->quantile, number_in(other["quantile"])) << where;
  EXPECT_NO_THROW(require_probability(c,
                                      found.expectation_policy->probability,
                                      number_in(other["probability"]),
                                      where + "expectation policy"));
  const Value& mean = found.expectation_policy->mean;
  const Rational truth = number_in(other["mean"]);
  if (!mean.exact && mean.is == Value::Is::rounded) {
    EXPECT_EQ(mean.nearest, to_nearest_double(truth)) << where;
  } else {
    EXPECT_NO_THROW(require_label(mean, truth, where + "mean of the expectation policy"));
  }
  // Means near 0 may cancel; the wealths of these cases are below 200. What is told is a bound of
  // the error: 4 (b + 6) u a time (finite/mean_error.hpp) where certified_error has (b + 2) u.
  EXPECT_LE(abs(Rational(mean.nearest) - truth), 16 * 200 * certified_error(c)) << where;
}

TEST_P(Golden, IsMetByEveryConfiguration) {
  for (const Configuration& configuration : all_configurations()) {
    Options options = configuration.options;
    options.check = true;
    Answer answer;
    try {
      answer = solve(golden_.read.model, golden_.query(), options);
    } catch (const Error& e) {
      // A small unit of wealth can make arrays too large, and only them.
      EXPECT_EQ(e.code(), ErrorCode::refused);
      EXPECT_EQ(options.representation, Representation::dense) << e.what();
      continue;
    }
    const auto results = golden_.expected["results"].GetArray();
    ASSERT_EQ(answer.results.size(), results.Size());
    for (rapidjson::SizeType i = 0; i < results.Size(); ++i)
      expect_result(case_,
                    answer.results[i],
                    results[i],
                    place(configuration.name, answer.results[i].tau, answer.results[i].side));
  }
}

TEST_P(Golden, GivenPolicyHasItsQuantiles) {
  if (!golden_.expected.HasMember("policy")) return;
  const Policy policy = read_policy(golden_.file("policy.json").string(), golden_.read.model);
  const Distribution distribution = evaluate(golden_.read.model, policy);
  for (const rapidjson::Value& q : golden_.expected["policy"].GetArray()) {
    const auto found = distribution.quantile(number_in(q["tau"]), side_in(q["side"]));
    EXPECT_EQ(found.lower, number_in(q["quantile"]));
    EXPECT_EQ(found.upper, number_in(q["quantile"]));
  }
}

TEST_P(AimedGolden, AgreesWithTheTruth) {
  for (const rapidjson::Value& result : golden_.expected["results"].GetArray()) {
    const Optimum best =
        case_.truth(aim_).optimum(number_in(result["tau"]), side_in(result["side"]));
    EXPECT_EQ(to_text(best.quantile), to_text(total_in(result["quantile"])));
    EXPECT_EQ(best.probability, number_in(result["probability"])) << result["tau"].GetString();
    EXPECT_EQ(best.attained, !result.HasMember("attained") || result["attained"].GetBool());
  }
}

TEST_P(AimedGolden, IsMetByEveryRun) {
  for (const AimedRun& run : aimed_runs(case_)) {
    Options options = run.options;
    options.check = true;
    const Answer answer = solve(golden_.read.model, golden_.query(), options);
    const auto results = golden_.expected["results"].GetArray();
    ASSERT_EQ(answer.results.size(), results.Size());
    for (rapidjson::SizeType i = 0; i < results.Size(); ++i) {
      const Result& found = answer.results[i];
      SCOPED_TRACE(place(run, aim_, found.tau, found.side));
      EXPECT_EQ(found.tau, number_in(results[i]["tau"]));
      EXPECT_EQ(found.side, side_in(results[i]["side"]));
      EXPECT_EQ(found.status, Status::solved);
      EXPECT_EQ(found.certificate, Certificate::exact);
      ASSERT_TRUE(found.quantile);
      EXPECT_EQ(to_text(*found.quantile), to_text(total_in(results[i]["quantile"])));
      EXPECT_EQ(found.attained,
                !results[i].HasMember("attained") || results[i]["attained"].GetBool());
      if (found.quantile->is_finite()) {
        ASSERT_TRUE(found.check);
        EXPECT_TRUE(found.check->passed && found.check->optimality_checked)
            << verdict(*found.check);
        EXPECT_NEAR(found.probability.value().nearest,
                    to_nearest_double(number_in(results[i]["probability"])),
                    0x1p-40);
      }
    }
  }
}

TEST_P(AimedGolden, ThresholdsAreMetByEveryRun) {
  if (!golden_.expected.HasMember("thresholds")) return;
  for (const AimedRun& run : aimed_runs(case_)) {
    for (const rapidjson::Value& expected : golden_.expected["thresholds"].GetArray()) {
      const Total target = total_in(expected["target"]);
      const ThresholdResult found =
          threshold(golden_.read.model, {{target}, golden_.query().setting}, run.options)
              .results.front();
      const Rational wanted = number_in(expected["probability"]);
      EXPECT_EQ(case_.truth(aim_).at_least(target), wanted) << to_text(target);
      const auto end = [](const Value& v) { return v.exact.value_or(Rational(v.nearest)); };
      if (found.upper) {
        EXPECT_LE(end(found.probability.value()), wanted) << run.name << ", " << to_text(target);
        EXPECT_GE(end(*found.upper), wanted) << run.name << ", " << to_text(target);
      } else {
        EXPECT_NEAR(found.probability.value().nearest, to_nearest_double(wanted), 0x1p-40)
            << run.name << ", " << to_text(target);
      }
      if (run.options.arithmetic == Arithmetic::exact && run.options.engine != Engine::paper) {
        EXPECT_EQ(found.probability->exact, wanted) << run.name << ", target " << to_text(target);
      }
    }
  }
}

constexpr auto kTestName = [](const auto& golden) { return test_name(golden.param); };
INSTANTIATE_TEST_SUITE_P(Cases, Golden, ::testing::ValuesIn(cases_of(true)), kTestName);
INSTANTIATE_TEST_SUITE_P(Cases, AimedGolden, ::testing::ValuesIn(cases_of(false)), kTestName);

}  // namespace
}  // namespace quantiplan::testing
