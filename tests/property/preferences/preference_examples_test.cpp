// The paper's examples as tables of classes, solved by the library; and saved failures, replayed.
#include <gtest/gtest.h>

#include <filesystem>

#include "preferences/preference_case.hpp"
#include "preferences/preference_random.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

// One decision between laws of w1 < w2 < w3: each label leads to the class of its name.
Model choice_of_laws(const std::string& choices) {
  const std::string row = R"({"to w1": "w1", "to w2": "w2", "to w3": "w3"})";
  return parse_model(R"({"format": "quantiplan-model/1", "horizon": 1, "initial": "s",
      "wealth": {"kind": "table", "classes": ["w1", "w2", "w3"], "start": "w1",
                 "table": {"w1": )" +
                         row + R"(, "w2": )" + row + R"(, "w3": )" + row + R"(}},
      "choices": [)" + choices +
                         "]}",
                     Format::json,
                     "example")
      .model;
}

struct ExpectedAnswer {
  std::string quantile;
  Rational probability;
  std::string action;
};
void expect_at_one_half(const Model& model, Side side, const ExpectedAnswer& expected) {
  const Sides sides = side == Side::lower ? Sides::lower : Sides::upper;
  for (const Engine engine : {Engine::automatic, Engine::forward}) {
    Options options;
    options.engine = engine;
    options.arithmetic = Arithmetic::exact;
    const Answer answer = solve(model, {{Rational(1, 2)}, sides, {}}, options);
    const Result& result = answer.results.front();
    EXPECT_EQ(result.quantile->class_text(), expected.quantile);
    EXPECT_EQ("w" + std::to_string(result.quantile->rank()), expected.quantile);
    EXPECT_EQ(result.quantile->class_count(), 3U);
    EXPECT_EQ(result.certificate, Certificate::exact);
    EXPECT_EQ(result.probability->exact, expected.probability);
    const Policy policy = result.policy();
    EXPECT_EQ(model.action_name(policy.rules.at(0).runs.back().choice), expected.action);
    EXPECT_TRUE(check(model, policy, policy.claim.value()).passed);
  }
}

// F1 = (.5, .5, 1), F2 = (0, .6, 1): the optimal lower 0.5-quantile is w2, by the second alone.
TEST(PreferenceExample, SupplementOfThePaper) {
  const Model model = choice_of_laws(R"(
      {"state": "s", "action": "first", "next": [
        {"to": "end", "probability": "1/2", "reward": "to w1"},
        {"to": "end", "probability": "1/2", "reward": "to w3"}]},
      {"state": "s", "action": "second", "next": [
        {"to": "end", "probability": "3/5", "reward": "to w2"},
        {"to": "end", "probability": "2/5", "reward": "to w3"}]})");
  expect_at_one_half(model, Side::lower, {"w2", 1, "second"});
  expect_at_one_half(model, Side::upper, {"w3", Rational(1, 2), "first"});
}

// Semantics, section 6: {w3 or w1 with 1/2 each} and {w2 surely}; the paper's search would give w2.
TEST(PreferenceExample, TwoPoliciesOfTheErratum) {
  const Model model = choice_of_laws(R"(
      {"state": "s", "action": "gamble", "next": [
        {"to": "end", "probability": "1/2", "reward": "to w1"},
        {"to": "end", "probability": "1/2", "reward": "to w3"}]},
      {"state": "s", "action": "safe", "next": [
        {"to": "end", "probability": 1, "reward": "to w2"}]})");
  expect_at_one_half(model, Side::upper, {"w3", Rational(1, 2), "gamble"});
  expect_at_one_half(model, Side::lower, {"w2", 1, "safe"});
}

// Example 1: probabilities (.5, .2, .3) have lower 0.5-quantile w1 and upper w2.
TEST(PreferenceExample, FirstOfThePaper) {
  const Model model = choice_of_laws(R"(
      {"state": "s", "action": "only", "next": [
        {"to": "end", "probability": "0.5", "reward": "to w1"},
        {"to": "end", "probability": "0.2", "reward": "to w2"},
        {"to": "end", "probability": "0.3", "reward": "to w3"}]})");
  expect_at_one_half(model, Side::lower, {"w1", 1, "only"});
  expect_at_one_half(model, Side::upper, {"w2", Rational(1, 2), "only"});
}

// As with sums: there is nothing to decide, and the wealth of no history at all is sure.
TEST(PreferenceExample, EpisodesThatEndAtOnceAreSureOfTheirWealth) {
  for (std::uint64_t seed = 1; seed <= kPreferenceKinds; ++seed) {
    PreferenceModel preference = tiny_preference(seed);
    preference.plain.initial = preference.plain.states.size();
    preference.plain.states.emplace_back();
    const Model model = build(preference);
    const Answer answer = solve(model, {{Rational(1, 2)}, Sides::both, {}});
    ASSERT_EQ(answer.results.size(), 2U);
    for (const Result& result : answer.results) {
      EXPECT_EQ(result.status, Status::solved) << to_text(model.wealth().kind);
      EXPECT_EQ(result.probability->exact, Rational(1)) << to_text(model.wealth().kind);
    }
  }
}

// Discounts, goals, costs and adversaries are for sums: named, not silently dropped.
TEST(PreferenceExample, WhatIsForSumsOnlyIsRefused) {
  for (std::uint64_t seed = 1; seed <= kPreferenceKinds; ++seed) {
    const Model model = build(tiny_preference(seed));
    std::vector<Setting> settings(4);
    settings[0].discount = Rational(1, 2);
    settings[1].goal = {std::string(model.state_name(State{0}))};
    settings[2].cost = true;
    settings[3].adversarial = true;
    for (std::size_t i = 0; i < settings.size(); ++i)
      EXPECT_THROW(static_cast<void>(solve(model, {{Rational(1, 2)}, Sides::both, settings[i]})),
                   Error)
          << to_text(model.wealth().kind) << ", setting " << i;
    Setting harmless;
    harmless.discount = 1;
    EXPECT_NO_THROW(static_cast<void>(solve(model, {{Rational(1, 2)}, Sides::both, harmless})));
  }
}

TEST(PreferenceRegressions, EverySavedFailureHolds) {
  const std::filesystem::path folder =
      std::filesystem::path(QUANTIPLAN_SOURCE_DIR) / "tests/property/preference_regressions";
  if (!std::filesystem::exists(folder)) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const PreferenceModel saved = take_preference_apart(read_model(entry.path().string()).model);
    for (const PreferenceProperty& property : preference_properties())
      EXPECT_EQ(violation(property, 1, saved), "") << property.name << ", " << entry.path();
  }
}

}  // namespace
}  // namespace quantiplan::testing
