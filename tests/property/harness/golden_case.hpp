// One golden case, read from its folder: tests/golden/<case>/{model,query,expected}.json,
// source.md; perhaps policy.json.
//
//     query.json     {"taus": ["0.1"], "sides": "lower" | "upper" | "both", "adversarial": true}
//     expected.json  {"results": [{"tau", "side", "quantile", "probability", "attained",
//                                  "expectation_policy"}],
//                     "thresholds": [{"target", "probability"}],
//                     "policy": [{"tau", "side", "quantile"}]}   quantiles of policy.json
//
// A result may tell what its promise costs: "promise": {"mean_bound": of all policies that keep it,
// "mean": of the vertex of their hull that keeps it, "surest_mean": the greatest mean that goes with
// the greatest probability, "greatest_mean": of all policies}; with a goal the same of
// "goal_probability", and "surest_cost": E[C; goal].
//
// Numbers are fractions or decimals as text, wealth may be "inf", "-inf" or "miss". A new case is a
// new folder and needs no C++.
#pragma once

#include <rapidjson/document.h>

#include <filesystem>
#include <string>
#include <vector>

#include "quantiplan/formats.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan::testing {

std::vector<std::string> golden_cases();
// As a name of a test.
std::string test_name(std::string golden_case);

Rational number_in(const rapidjson::Value& value);
Total total_in(const rapidjson::Value& value);
Side side_in(const rapidjson::Value& value);

class GoldenCase {
 public:
  explicit GoldenCase(std::string name);
  [[nodiscard]] std::filesystem::path file(const char* name) const;
  [[nodiscard]] Query query() const;

  ReadModel read;
  rapidjson::Document expected;

 private:
  [[nodiscard]] rapidjson::Document json(const char* name) const;
  std::string name_;
};

}  // namespace quantiplan::testing
