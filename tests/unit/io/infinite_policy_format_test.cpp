// Policies with goals, costs, adversaries and infinite horizons, as files.
#include <gtest/gtest.h>

#include "io/example_commute.hpp"
#include "numbers/thrown.hpp"
#include "policy/residual_rules.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

constexpr const char* kStationary = R"({
  "format": "quantiplan-policy/1",
  "model": "commute",
  "horizon": "infinite",
  "discount": 1,
  "initial": "home",
  "goal": ["office"],
  "rewards": "cost",
  "adversarial": true,
  "target": -40,
  "claim": {"tau": 0.1, "side": "upper", "quantile": "-inf", "probability": 0.802, "upper": "inf"},
  "rules": [
    {"state": "home", "choose": [{"upto": -40, "action": "bike"}, {"action": "train"}]},
    {"state": "station", "choose": [{"action": "wait"}]}
  ]
}
)";

constexpr const char* kThreshold = R"({
  "format": "quantiplan-policy/1",
  "model": "commute",
  "horizon": "infinite",
  "discount": 0.9,
  "initial": "home",
  "goal": ["station", "office"],
  "target": -40,
  "truncated_at": 2,
  "claim": {"target": -40, "probability": 0.5, "exact_probability": 0.5, "most_probability": 0.75},
  "rules": [
    {"time": 0, "state": "home", "choose": [{"upto": -40, "action": "bike"}, {"action": "train"}]},
    {"time": 2, "state": "home", "choose": [{"action": "train"}]}
  ]
}
)";

TEST(InfinitePolicyFormat, ReadsAndWritesStationaryRules) {
  const Model model = example_commute();
  const Policy policy = parse_policy(kStationary, model, "p.json");
  EXPECT_TRUE(policy.setting.is_infinite());
  EXPECT_EQ(policy.setting.goal, std::vector<State>{State{2}});
  EXPECT_TRUE(policy.setting.cost);
  EXPECT_TRUE(policy.setting.adversarial);
  EXPECT_FALSE(policy.truncated_at.has_value());
  EXPECT_EQ(policy.claim->kind, PolicyClaim::Kind::quantile);
  EXPECT_EQ(policy.claim->quantile, Total::minus_infinity());
  EXPECT_EQ(policy.claim->upper, Total::plus_infinity());
  ASSERT_EQ(policy.rules.size(), 2U);
  EXPECT_EQ(policy.rules[1].time, 0U);
  EXPECT_EQ(format_policy(policy, model), kStationary);
}

TEST(InfinitePolicyFormat, ReadsAndWritesThresholdsAndTruncation) {
  const Model model = example_commute();
  const Policy policy = parse_policy(kThreshold, model, "p.json");
  EXPECT_EQ(policy.truncated_at, 2U);
  EXPECT_FALSE(policy.setting.cost);
  EXPECT_FALSE(policy.setting.adversarial);
  EXPECT_EQ(policy.claim->kind, PolicyClaim::Kind::threshold);
  EXPECT_EQ(policy.claim->quantile, Total(-40));
  EXPECT_EQ(policy.claim->most_probability, 0.75);
  EXPECT_EQ(policy.claim->exact_probability, Rational(1, 2));
  EXPECT_EQ(format_policy(policy, model), kThreshold);
}

TEST(InfinitePolicyFormat, KeysMayComeInAnyOrder) {
  const Model model = example_commute();
  const Policy policy = parse_policy(
      R"({"rules": [{"choose": [{"action": "wait"}], "state": "station"}],
          "claim": {"probability": 1, "target": "-inf"}, "adversarial": false, "rewards": "reward",
          "goal": ["office", "station"], "initial": "home", "discount": 1, "horizon": "infinite",
          "format": "quantiplan-policy/1"})",
      model,
      "p.json");
  EXPECT_EQ(policy.claim->quantile, Total::minus_infinity());
  EXPECT_EQ(policy.setting.goal, (std::vector<State>{State{1}, State{2}}));
  EXPECT_EQ(choose_by_residual(model, policy, 0, State{1}, 0), Choice{2});
}

TEST(InfinitePolicyFormat, MissesAreQuantilesAtAFiniteHorizonToo) {
  const Model model = example_commute();
  const Policy policy = parse_policy(
      R"({"rules": [], "goal": ["office"], "initial": "home", "discount": 1, "horizon": 2,
          "claim": {"tau": 0.9, "side": "upper", "quantile": "miss", "probability": 1},
          "format": "quantiplan-policy/1"})",
      model,
      "p.json");
  EXPECT_TRUE(policy.claim->quantile.is_miss());
}

// A policy with these keys, which begin on line 2.
std::string problems_of_keys(const std::string& horizon, const std::string& keys) {
  const Model model = example_commute();
  return thrown(ErrorCode::bad_policy, [&] {
    parse_policy("{\"format\": \"quantiplan-policy/1\", \"initial\": \"home\", \"horizon\": " +
                     horizon + ",\n" + keys + "}",
                 model,
                 "p.json");
  });
}

TEST(InfinitePolicyProblems, Goals) {
  EXPECT_EQ(
      problems_of_keys("3",
                       "\"discount\": 1, \"rules\": [], \"goal\": [\"offce\",\n\"office\", 1,\n[], "
                       "\"office\"]"),
      "p.json:2: goal: unknown state 'offce', must be a state of the model; did you mean "
      "'office'?\n"
      "p.json:3: in the list of goal states: found a number, expected a string\n"
      "p.json:4: in the list of goal states: found a list, expected a string\n"
      "p.json:4: goal: state 'office' is given twice, must be once");
  EXPECT_EQ(problems_of_keys("3", "\"discount\": 1, \"rules\": [], \"goal\": \"office\""),
            "p.json:2: goal: found a string, expected a list");
}

TEST(InfinitePolicyFormat, AnEpisodeMayBeginAtItsGoal) {
  const Model model = example_commute();
  const Policy policy = parse_policy(
      "{\"format\": \"quantiplan-policy/1\", \"initial\": \"home\", \"horizon\": 3, \"discount\": "
      "1, "
      "\"rules\": [], \"goal\": [\"home\"]}",
      model,
      "p.json");
  EXPECT_EQ(policy.setting.goal, std::vector<State>{policy.setting.initial.only()});
}

TEST(InfinitePolicyProblems, Settings) {
  EXPECT_EQ(problems_of_keys("18446744073709551615", "\"discount\": 1, \"rules\": []"),
            "p.json:1: horizon: found '18446744073709551615', must be a whole number or "
            "'infinite'");
  EXPECT_EQ(problems_of_keys("\"for ever\"", "\"discount\": 1, \"rules\": []"),
            "p.json:1: horizon: found 'for ever', must be a whole number or 'infinite'");
  EXPECT_EQ(problems_of_keys("null", "\"discount\": 1, \"rules\": []"),
            "p.json:1: horizon: found null, expected a number or 'infinite'");
  EXPECT_EQ(
      problems_of_keys("3",
                       "\"discount\": 1, \"rules\": [],\n\"rewards\": \"price\",\n\"adversarial\": "
                       "\"yes\""),
      "p.json:3: rewards: found 'price', must be 'reward' or 'cost'\n"
      "p.json:4: adversarial: found a string, expected true or false");
}

// Its residuals would go by a time that its rules do not know.
TEST(InfinitePolicyProblems, AStationaryPolicyWithADiscount) {
  EXPECT_EQ(problems_of_keys(
                "\"infinite\"",
                "\"rules\": [{\"state\": \"home\", \"choose\": [{\"action\": \"train\"}]}],\n"
                "\"discount\": 0.5"),
            "p.json:3: discount: found 0.5, must be 1 where the horizon is 'infinite' and there is "
            "no 'truncated_at'");
}

TEST(InfinitePolicyProblems, Truncation) {
  EXPECT_EQ(problems_of_keys("3", "\"discount\": 1, \"rules\": [],\n\"truncated_at\": 4"),
            "p.json:3: truncated_at: the horizon must be 'infinite' then\n"
            "p.json:3: truncated_at: the discount must be below 1 then");
  EXPECT_EQ(
      problems_of_keys("\"infinite\"",
                       "\"discount\": 0.5, \"rules\": [],\n\"truncated_at\": 18446744073709551615"),
      "p.json:3: truncated_at: found 18446744073709551615, must be at most 1000000000");
  EXPECT_EQ(problems_of_keys(
                "\"infinite\"",
                "\"discount\": 0.5, \"truncated_at\": 4, \"target\": 1,\n"
                "\"grid\": {\"unit\": 1, \"halved_at\": [5]}, \"rules\": [\n"
                "{\"time\": 4, \"state\": \"station\", \"choose\": [{\"action\": \"wait\"}]},\n"
                "{\"time\": 5, \"state\": \"station\", \"choose\": [{\"action\": \"wait\"}]}]"),
            "p.json:3: in 'halved_at': found 5, must be at most 'truncated_at', 4\n"
            "p.json:5: time 5, state 'station': the time must be at most 'truncated_at', 4");
}

TEST(InfinitePolicyProblems, TimesWhereThereAreNone) {
  EXPECT_EQ(problems_of_keys(
                "\"infinite\"",
                "\"discount\": 1, \"rules\": [\n"
                "{\"time\": 0, \"state\": \"station\", \"choose\": [{\"action\": \"wait\"}]},\n"
                "{\"state\": \"home\", \"choose\": [{\"action\": \"bke\"}]}]"),
            "p.json:3: key 'time' in a rule, must be left out where the horizon is 'infinite' and "
            "there is no 'truncated_at'\n"
            "p.json:4: state 'home': unknown action 'bke', must be an action of the state; did you "
            "mean 'bike'?");
  EXPECT_EQ(problems_of_keys("\"infinite\"",
                             "\"discount\": 0.5, \"truncated_at\": 3, \"rules\": [\n"
                             "{\"state\": \"home\", \"choose\": [{\"action\": \"bike\"}]}]"),
            "p.json:3: missing key 'time' in a rule");
  EXPECT_EQ(
      problems_of_keys("\"infinite\"",
                       "\"discount\": 1, \"target\": 1, \"grid\": {\"unit\": 1}, \"rules\": []"),
      "p.json:2: grid: a policy without 'time' must have none");
}

TEST(InfinitePolicyProblems, RulesOfStationaryPolicies) {
  EXPECT_EQ(
      problems_of_keys("\"infinite\"",
                       "\"discount\": 1, \"rules\": [\n"
                       "{\"state\": \"home\", \"choose\": [{\"upto\": 1, \"action\": \"bike\"}, "
                       "{\"action\": \"train\"}]},\n"
                       "{\"state\": \"home\", \"choose\": [{\"action\": \"bike\"}]}]"),
      "p.json:3: state 'home': 'upto' without a 'target' in the policy, must have one to "
      "compare with\n"
      "p.json:4: state 'home': a second rule, first on line 3; must have one");
  EXPECT_EQ(
      problems_of_keys("\"infinite\"",
                       "\"discount\": 1, \"target\": 0, \"rules\": [\n"
                       "{\"state\": \"home\", \"choose\": [{\"upto\": 1, \"action\": \"bike\"},\n"
                       "{\"upto\": 1, \"action\": \"train\"}, {\"action\": \"bike\"}]}]"),
      "p.json:4: state 'home': 'upto' is 1 after 1, must ascend");
}

TEST(InfinitePolicyProblems, ClaimsOfTwoKindsAtOnce) {
  EXPECT_EQ(
      problems_of_keys("3",
                       "\"discount\": 1, \"rules\": [],\n\"claim\": {\"target\": 1, \"tau\": 0.5, "
                       "\"side\": \"lower\", \"upper\": 2}"),
      "p.json:3: missing key 'probability' in the claim\n"
      "p.json:3: key 'tau' in a claim with 'target', must be left out\n"
      "p.json:3: key 'side' in a claim with 'target', must be left out\n"
      "p.json:3: key 'upper' in a claim with 'target', must be left out");
  EXPECT_EQ(
      problems_of_keys("3",
                       "\"discount\": 1, \"rules\": [],\n\"claim\": {\"tau\": 0.5, \"side\": "
                       "\"lower\", \"quantile\": 2, \"probability\": 1, \"most_probability\": 1}"),
      "p.json:3: key 'most_probability' in a claim without 'target', must be left out");
}

TEST(InfinitePolicyProblems, TotalsThatTheSettingDoesNotKnow) {
  const auto quantile = [](const std::string& horizon, const std::string& total) {
    return problems_of_keys(horizon,
                            "\"discount\": 1, \"rules\": [],\n\"claim\": {\"tau\": 0.5, \"side\": "
                            "\"lower\", \"probability\": 1, \"quantile\": " +
                                total + "}");
  };
  EXPECT_EQ(quantile("3", "\"infinity\""),
            "p.json:3: quantile: found 'infinity', must be a number, 'inf', '-inf' or 'miss'");
  EXPECT_EQ(quantile("3", "[]"),
            "p.json:3: quantile: found a list, expected a number, or a string with a number");
  EXPECT_EQ(quantile("3", "\"inf\""),
            "p.json:3: quantile: found 'inf', the policy's horizon must be 'infinite' then");
  EXPECT_EQ(quantile("\"infinite\"", "\"miss\""),
            "p.json:3: quantile: found 'miss', the policy must have a 'goal' then");
  EXPECT_EQ(problems_of_keys("3",
                             "\"discount\": 1, \"rules\": [], \"claim\": {\"target\": \"inf\", "
                             "\"probability\": 0.5, \"most_probability\": 0.25}"),
            "p.json:2: target: found 'inf', must be a number or '-inf'\n"
            "p.json:2: most_probability: must be at least 'probability'");
}

}  // namespace
}  // namespace quantiplan
