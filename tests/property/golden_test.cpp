// Golden cases: tests/golden/<case>/{model,query,expected}.json, source.md; perhaps policy.json.
//
//     query.json     {"taus": ["0.1"], "sides": "lower" | "upper" | "both"}
//     expected.json  {"results": [{"tau", "side", "quantile", "probability",
//     "expectation_policy"}],
//                     "policy": [{"tau", "side", "quantile"}]}   quantiles of policy.json
//
// Numbers are fractions or decimals as text. A new case is a new folder and needs no C++.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <filesystem>

#include "comparisons.hpp"
#include "configurations.hpp"
#include "harness.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> golden_cases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(QUANTIPLAN_SOURCE_DIR) / "tests/golden"))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

Rational number(const rapidjson::Value& value) {
  return Number::parse(value.GetString()).rational();
}
Side side(const rapidjson::Value& value) {
  return std::string(value.GetString()) == "lower" ? Side::lower : Side::upper;
}

class Golden : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] fs::path file(const char* name) const {
    return fs::path(QUANTIPLAN_SOURCE_DIR) / "tests/golden" / GetParam() / name;
  }
  [[nodiscard]] rapidjson::Document json(const char* name) const {
    rapidjson::Document document;
    document.Parse(read_text(file(name).string()).c_str());
    EXPECT_FALSE(document.HasParseError()) << file(name);
    return document;
  }
  [[nodiscard]] Query query() const {
    const rapidjson::Document text = json("query.json");
    Query query;
    for (const rapidjson::Value& tau : text["taus"].GetArray()) query.taus.push_back(number(tau));
    const std::string sides = text["sides"].GetString();
    query.sides = sides == "both" ? Sides::both : sides == "lower" ? Sides::lower : Sides::upper;
    return query;
  }

  ReadModel read_ = read_model(file("model.json").string());
  Case case_{1, take_apart(read_.model)};
  rapidjson::Document expected_ = json("expected.json");
};

TEST_P(Golden, StatesItsSource) { EXPECT_GT(read_text(file("source.md").string()).size(), 100U); }

TEST_P(Golden, AgreesWithTheReference) {
  for (const rapidjson::Value& result : expected_["results"].GetArray()) {
    const Optimum best = case_.expected(number(result["tau"]), side(result["side"]));
    EXPECT_EQ(best.quantile, number(result["quantile"])) << result["tau"].GetString();
    EXPECT_EQ(best.probability, number(result["probability"])) << result["tau"].GetString();
  }
}

void expect_result(const Case& c,
                   const Result& found,
                   const rapidjson::Value& expected,
                   const std::string& where) {
  EXPECT_EQ(found.tau, number(expected["tau"])) << where;
  EXPECT_EQ(found.side, side(expected["side"])) << where;
  EXPECT_EQ(found.status, Status::solved) << where;
  EXPECT_EQ(found.certificate, Certificate::exact) << where;
  EXPECT_EQ(found.quantile, number(expected["quantile"])) << where;
  EXPECT_NO_THROW(require_probability(
      c, found.probability.value(), number(expected["probability"]), where + "probability"));
  ASSERT_TRUE(found.check) << where;
  EXPECT_TRUE(found.check->passed && found.check->optimality_checked) << where;
  if (!expected.HasMember("expectation_policy")) return;
  const rapidjson::Value& other = expected["expectation_policy"];
  EXPECT_EQ(found.expectation_policy->quantile, number(other["quantile"])) << where;
  EXPECT_NO_THROW(require_probability(c,
                                      found.expectation_policy->probability,
                                      number(other["probability"]),
                                      where + "expectation policy"));
  const Value& mean = found.expectation_policy->mean;
  if (mean.exact) {
    EXPECT_EQ(*mean.exact, number(other["mean"])) << where;
  }
  // Means near 0 may cancel; the wealths of these cases are below 200.
  const Rational off = abs(Rational(mean.nearest) - number(other["mean"]));
  EXPECT_LE(off, 200 * certified_error(c)) << where;
}

TEST_P(Golden, IsMetByEveryConfiguration) {
  for (const Configuration& configuration : all_configurations()) {
    Options options = configuration.options;
    options.check = true;
    Answer answer;
    try {
      answer = solve(read_.model, query(), options);
    } catch (const Error& e) {
      // A small unit of wealth can make arrays too large, and only them.
      EXPECT_EQ(e.code(), ErrorCode::refused);
      EXPECT_EQ(options.representation, Representation::dense) << e.what();
      continue;
    }
    const auto results = expected_["results"].GetArray();
    ASSERT_EQ(answer.results.size(), results.Size());
    for (rapidjson::SizeType i = 0; i < results.Size(); ++i)
      expect_result(case_,
                    answer.results[i],
                    results[i],
                    place(configuration.name, answer.results[i].tau, answer.results[i].side));
  }
}

TEST_P(Golden, GivenPolicyHasItsQuantiles) {
  if (!expected_.HasMember("policy")) return;
  const Policy policy = read_policy(file("policy.json").string(), read_.model);
  const Distribution distribution = evaluate(read_.model, policy);
  for (const rapidjson::Value& q : expected_["policy"].GetArray()) {
    const auto found = distribution.quantile(number(q["tau"]), side(q["side"]));
    EXPECT_EQ(found.lower, number(q["quantile"]));
    EXPECT_EQ(found.upper, number(q["quantile"]));
  }
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         Golden,
                         ::testing::ValuesIn(golden_cases()),
                         [](const auto& golden) {
                           std::string name = golden.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace quantiplan::testing
