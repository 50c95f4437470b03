#include <gtest/gtest.h>

#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

Model commute() { return read_model(QUANTIPLAN_SOURCE_DIR "/examples/commute.json").model; }

constexpr const char* kText = R"({
  "format": "quantiplan-policy/1",
  "model": "commute",
  "horizon": 3,
  "discount": 1,
  "initial": "home",
  "target": -40,
  "claim": {"tau": 0.1, "side": "upper", "quantile": -40, "probability": 0.802, "exact_probability": 0.802},
  "rules": [
    {"time": 0, "state": "home", "choose": [{"upto": -40, "action": "bike"}, {"upto": "-1/3", "action": "train"}, {"action": "bike"}]},
    {"time": 1, "state": "home", "choose": [{"action": "bike"}]},
    {"time": 1, "state": "station", "choose": [{"action": "wait"}]}
  ]
}
)";

// A policy of the given rules, which begin on line 2.
std::string problems_of_rules(const std::string& rules) {
  const Model model = commute();
  return thrown(ErrorCode::bad_policy, [&] {
    parse_policy(
        "{\"format\": \"quantiplan-policy/1\", \"horizon\": 3, \"discount\": 1, \"initial\": "
        "\"home\", "
        "\"rules\": [\n" +
            rules + "]}",
        model,
        "p.json");
  });
}

std::string problems(const std::string& text) {
  const Model model = commute();
  return thrown(ErrorCode::bad_policy, [&] { parse_policy(text, model, "p.json"); });
}

TEST(PolicyFormat, ReadsAndWritesTheSameText) {
  const Model model = commute();
  const Policy policy = parse_policy(kText, model, "p.json");
  EXPECT_EQ(policy.setting.horizon, 3U);
  EXPECT_EQ(policy.setting.initial, State{0});
  EXPECT_EQ(policy.target, Rational(-40));
  ASSERT_TRUE(policy.claim.has_value());
  EXPECT_EQ(policy.claim->tau, Rational(1, 10));
  EXPECT_EQ(policy.claim->side, Side::upper);
  EXPECT_EQ(policy.claim->probability, 0.802);
  EXPECT_EQ(policy.claim->exact_probability, Rational(401, 500));
  ASSERT_EQ(policy.rules.size(), 3U);
  EXPECT_EQ(policy.rules[0].runs[1].upto, Rational(-1, 3));
  EXPECT_EQ(model.action_name(policy.rules[2].runs[0].choice), "wait");
  EXPECT_EQ(format_policy(policy, model), kText);
}

TEST(PolicyFormat, RulesMayComeInAnyOrderAndClaimsMayBeAbsent) {
  const Model model = commute();
  const Policy policy = parse_policy(
      R"({"rules": [{"choose": [{"action": "wait"}], "state": "station", "time": 1},
                    {"state": "home", "choose": [{"action": "train"}], "time": "0"}],
          "initial": "home", "discount": "9/10", "horizon": 2, "format": "quantiplan-policy/1"})",
      model,
      "p.json");
  EXPECT_FALSE(policy.claim.has_value());
  EXPECT_FALSE(policy.target.has_value());
  ASSERT_EQ(policy.rules.size(), 2U);
  EXPECT_EQ(policy.rules[0].time, 0U);
  EXPECT_EQ(policy.choose(model, 1, State{1}, 0), Choice{2});
}

TEST(PolicyFormat, LongExactProbabilitiesAreLeftOut) {
  const Model model = commute();
  Policy policy = parse_policy(kText, model, "p.json");
  Rational p(1);
  for (int i = 0; i < 800; ++i) p *= Rational(123, 1237);
  policy.claim->exact_probability = p;
  const Policy read = parse_policy(format_policy(policy, model), model, "again");
  EXPECT_FALSE(read.claim->exact_probability.has_value());
  EXPECT_EQ(read.claim->probability, 0.802);
}

TEST(PolicyProblems, MissingAndUnknownKeys) {
  EXPECT_EQ(problems("{}"),
            "p.json:1: missing key 'format' in the policy\n"
            "p.json:1: missing key 'horizon' in the policy\n"
            "p.json:1: missing key 'discount' in the policy\n"
            "p.json:1: missing key 'initial' in the policy\n"
            "p.json:1: missing key 'rules' in the policy");
  EXPECT_EQ(
      problems_of_rules("{\"tiem\": 0, \"state\": \"home\", \"choose\": [{\"action\": \"bike\"}]}"),
      "p.json:2: unknown key 'tiem' in a rule, must be one of 'time', 'state', 'choose'; did you "
      "mean 'time'?\n"
      "p.json:2: missing key 'time' in a rule");
  EXPECT_EQ(problems_of_rules("{\"time\": 0, \"state\": \"home\", \"choose\": [{\"upto\": 1}]}"),
            "p.json:2: missing key 'action' in an item of 'choose'");
}

TEST(PolicyProblems, WrongFormatAndNoJson) {
  EXPECT_EQ(problems("{\"format\": \"quantiplan-model/1\", \"name\": 1}"),
            "p.json:1: format: found 'quantiplan-model/1', must be 'quantiplan-policy/1'");
  EXPECT_EQ(problems("{\n\"format\": }"), "p.json:2: no valid JSON: found '}', expected a value");
  EXPECT_EQ(problems("\xFF"), "p.json:1: found the byte '\\xff', must be UTF-8 text");
}

TEST(PolicyProblems, Settings) {
  EXPECT_EQ(
      problems("{\"format\": \"quantiplan-policy/1\",\n\"horizon\": 0,\n\"discount\": "
               "2,\n\"initial\": \"hom\",\n"
               "\"target\": [],\n\"claim\": 5,\n\"model\": 7,\n\"rules\": {}}"),
      "p.json:2: horizon: found 0, must be from 1 to 1000000000\n"
      "p.json:3: discount: found 2, must be above 0 and at most 1\n"
      "p.json:4: initial: unknown state 'hom', must be a state of the model; did you mean 'home'?\n"
      "p.json:5: target: found a list, expected a number, or a string with a number\n"
      "p.json:6: claim: found a number, expected an object\n"
      "p.json:7: model: found a number, expected a string\n"
      "p.json:8: rules: found an object, expected a list");
}

TEST(PolicyProblems, Claims) {
  EXPECT_EQ(
      problems(
          "{\"format\": \"quantiplan-policy/1\", \"horizon\": 1.5, \"discount\": 1, \"initial\": "
          "\"home\", "
          "\"rules\": [],\n\"claim\": {\"tau\": 2,\n\"side\": \"left\",\n\"probability\": -1}}"),
      "p.json:1: horizon: found '1.5', must be a whole number\n"
      "p.json:2: tau: found 2, must be from 0 to 1\n"
      "p.json:2: missing key 'quantile' in the claim\n"
      "p.json:3: side: found 'left', must be 'lower' or 'upper'\n"
      "p.json:4: probability: found -1, must be from 0 to 1");
}

TEST(PolicyProblems, RulesThatDoNotFitTheModel) {
  EXPECT_EQ(
      problems_of_rules(
          "{\"time\": 0, \"state\": \"hme\", \"choose\": [{\"action\": \"bike\"}]},\n"
          "{\"time\": 1, \"state\": \"home\", \"choose\": [{\"action\": \"bke\"}]},\n"
          "{\"time\": 2, \"state\": \"home\", \"choose\": []},\n"
          "{\"time\": 2, \"state\": \"office\", \"choose\": [{\"action\": \"bike\"}]}"),
      "p.json:2: time 0, state 'hme': unknown state, must be a state of the model; did you mean "
      "'home'?\n"
      "p.json:3: time 1, state 'home': unknown action 'bke', must be an action of the state; did "
      "you mean "
      "'bike'?\n"
      "p.json:4: time 2, state 'home': 'choose' is empty, must name an action\n"
      "p.json:5: time 2, state 'office': unknown action 'bike', must be an action of the state");
}

TEST(PolicyProblems, RunsOutOfOrder) {
  EXPECT_EQ(
      problems_of_rules(
          "{\"time\": 0, \"state\": \"home\", \"choose\": [{\"upto\": 2, \"action\": \"bike\"},\n"
          "{\"upto\": 1, \"action\": \"train\"},\n{\"action\": \"bike\"},\n"
          "{\"upto\": 3, \"action\": \"bike\"}]}"),
      "p.json:3: time 0, state 'home': 'upto' is 1 after 2, must ascend\n"
      "p.json:4: time 0, state 'home': an action has no 'upto', only the last may have none\n"
      "p.json:5: time 0, state 'home': the last action has an 'upto', must have none");
}

TEST(PolicyProblems, RulesThatContradictEachOther) {
  EXPECT_EQ(problems_of_rules(
                "{\"time\": 1, \"state\": \"home\", \"choose\": [{\"action\": \"bike\"}]},\n"
                "{\"time\": 3, \"state\": \"home\", \"choose\": [{\"action\": \"bike\"}]},\n"
                "{\"time\": 1, \"state\": \"home\", \"choose\": [{\"action\": \"train\"}]}"),
            "p.json:3: time 3, state 'home': the time must be below the horizon 3\n"
            "p.json:4: time 1, state 'home': a second rule, first on line 2; must have one");
}

}  // namespace
}  // namespace quantiplan
