#include <gtest/gtest.h>

#include <cmath>

#include "io/example_commute.hpp"
#include "numbers/thrown.hpp"
#include "policy/residual_rules.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

constexpr const char* kCommutePolicy = R"({
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
  const Model model = example_commute();
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

std::string policy_problems(const std::string& text) {
  const Model model = example_commute();
  return thrown(ErrorCode::bad_policy, [&] { parse_policy(text, model, "p.json"); });
}

TEST(PolicyFormat, ReadsAndWritesTheSameText) {
  const Model model = example_commute();
  const Policy policy = parse_policy(kCommutePolicy, model, "p.json");
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
  EXPECT_EQ(format_policy(policy, model), kCommutePolicy);
}

TEST(PolicyFormat, RulesMayComeInAnyOrderAndClaimsMayBeAbsent) {
  const Model model = example_commute();
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
  EXPECT_EQ(choose_by_residual(model, policy, 1, State{1}, 0), Choice{2});
}

TEST(PolicyFormat, LongExactProbabilitiesAreLeftOut) {
  const Model model = example_commute();
  Policy policy = parse_policy(kCommutePolicy, model, "p.json");
  Rational p(1);
  for (int i = 0; i < 800; ++i) p *= Rational(123, 1237);
  policy.claim->set_probability(Value::exactly(Rational("401/500") + p));
  const Policy read = parse_policy(format_policy(policy, model), model, "again");
  EXPECT_FALSE(read.claim->exact_probability.has_value());
  // The double nearest to it is above it.
  EXPECT_EQ(read.claim->probability, std::nextafter(0.802, 0.0));
}

std::string with_claim(const std::string& means) {
  std::string text = kCommutePolicy;
  const std::string before = "\"exact_probability\": 0.802";
  text.insert(text.find(before) + before.size(), means);
  return text;
}

TEST(PolicyFormat, ReadsAndWritesMeansWithTheirBoundAndWeight) {
  const Model model = example_commute();
  for (
      const char* means :
      {", \"mean\": -35.5",
       R"(, "mean": -35.25, "exact_mean": -35.25)",
       R"(, "mean": -35.5, "mean_bound": -35.25, "weight": "22/7")",
       R"(, "mean": -35.5, "exact_mean": -35.5, "mean_bound": -35.333333333333336, "exact_mean_bound": "-106/3", "weight": 0)"}) {
    const std::string text = with_claim(means);
    const Policy policy = parse_policy(text, model, "p.json");
    EXPECT_EQ(format_policy(policy, model), text);
  }
  const Policy policy = parse_policy(
      with_claim(
          R"(, "exact_mean_bound": "-106/3", "weight": 3, "mean_bound": -35.333333333333336, "mean": -36)"),
      model,
      "p.json");
  EXPECT_EQ(policy.claim->mean->nearest, -36);
  EXPECT_FALSE(policy.claim->mean->exact.has_value());
  EXPECT_EQ(policy.claim->mean_bound->exact, Rational(-106, 3));
  EXPECT_EQ(policy.claim->weight, Rational(3));
}

TEST(PolicyFormat, ReportsMeansThatMakeNoSense) {
  const auto expect = [](const char* means, const char* problem) {
    const std::string found = policy_problems(with_claim(means));
    EXPECT_NE(found.find(problem), std::string::npos) << found;
  };
  expect(R"(, "mean": 1, "mean_bound": 0, "weight": 1)", "mean_bound: must be at least 'mean'");
  expect(R"(, "mean": 1, "mean_bound": 2, "weight": -1)", "weight: found -1, must be at least 0");
  expect(R"(, "mean": 1, "mean_bound": 2)", "must have a 'weight'");
  expect(R"(, "mean_bound": 2, "weight": 1)", "missing key 'mean' in the claim");
  expect(R"(, "mean": 1, "weight": 1)", "missing key 'mean_bound' in the claim");
  expect(R"(, "exact_mean": 1)", "missing key 'mean' in the claim");
  expect(R"(, "mean": "1e400")", "must fit a double");
  expect(R"(, "mean": "none")", "mean: ");
}

TEST(PolicyFormat, AWeightTooLongToReadBackTakesItsBoundWithIt) {
  const Model model = example_commute();
  Policy policy =
      parse_policy(with_claim(R"(, "mean": -36, "mean_bound": -35, "weight": 3)"), model, "p.json");
  Rational weight(1);
  for (int i = 0; i < 800; ++i) weight *= Rational(123, 1237);
  policy.claim->weight = weight;
  policy.claim->mean->exact = Rational(-36 + weight);
  const Policy read = parse_policy(format_policy(policy, model), model, "again");
  EXPECT_FALSE(read.claim->mean_bound.has_value());
  EXPECT_FALSE(read.claim->mean->exact.has_value());
  EXPECT_EQ(read.claim->mean->nearest, -36);
}

// Nobody would know that the double stands for a number above or below it.
TEST(PolicyFormat, AProbabilityTooLongToReadBackIsWrittenAsABound) {
  const Model model = example_commute();
  Policy policy = parse_policy(kCommutePolicy, model, "p.json");
  Rational hair(1);
  for (int i = 0; i < 800; ++i) hair *= Rational(123, 1237);
  const Rational truth = Rational(5, 6) - hair;
  const double nearest = to_nearest_double(truth);
  ASSERT_GT(Rational(nearest), truth);
  policy.claim->set_probability(Value::exactly(truth));
  const Policy read = parse_policy(format_policy(policy, model), model, "again");
  EXPECT_FALSE(read.claim->exact_probability.has_value());
  EXPECT_EQ(read.claim->probability, std::nextafter(nearest, 0.0));
  EXPECT_FALSE(read.claim->most_probability.has_value());
  // That nobody does better needs a bound on the other side.
  policy.claim->kind = PolicyClaim::Kind::threshold;
  const Policy threshold = parse_policy(format_policy(policy, model), model, "again");
  EXPECT_EQ(threshold.claim->probability, std::nextafter(nearest, 0.0));
  EXPECT_EQ(threshold.claim->most_probability, nearest);
}

constexpr const char* kGridText = R"({
  "format": "quantiplan-policy/1",
  "model": "commute",
  "horizon": 3,
  "discount": 0.9,
  "initial": "home",
  "target": -9.75,
  "grid": {"unit": 0.25, "halved_at": [1, 1, 2]},
  "claim": {"tau": 0.1, "side": "upper", "quantile": -9.75, "probability": 0.9, "upper": "-29/3"},
  "rules": [
    {"time": 0, "state": "home", "choose": [{"upto": -160, "action": "bike"}, {"upto": 4611686018427387903, "action": "train"}, {"action": "bike"}]}
  ]
}
)";

TEST(PolicyFormat, ReadsAndWritesTheGridAndTheUpperEnd) {
  const Model model = example_commute();
  const Policy policy = parse_policy(kGridText, model, "p.json");
  ASSERT_TRUE(policy.grid.has_value());
  EXPECT_EQ(policy.grid->unit, Rational(1, 4));
  EXPECT_EQ(policy.grid->halved_at, (std::vector<std::uint64_t>{1, 1, 2}));
  EXPECT_EQ(first_residual(policy), -39);
  EXPECT_EQ(policy.claim->upper, Rational(-29, 3));
  EXPECT_EQ(policy.rules[0].runs[1].upto, Rational((Integer(1) << 62) - 1));
  EXPECT_EQ(format_policy(policy, model), kGridText);
}

TEST(PolicyFormat, AGridNeedNotBeHalved) {
  const Model model = example_commute();
  const Policy policy = parse_policy(
      R"({"grid": {"unit": "1/3"}, "target": "-5/3", "rules": [], "initial": "home",
          "discount": 1, "horizon": 1, "format": "quantiplan-policy/1"})",
      model,
      "p.json");
  EXPECT_EQ(policy.grid->unit, Rational(1, 3));
  EXPECT_TRUE(policy.grid->halved_at.empty());
  EXPECT_EQ(first_residual(policy), -5);
}

// A policy of horizon 3 with these keys, which begin on line 2.
std::string problems_of_keys(const std::string& keys) {
  return policy_problems(
      R"({"format": "quantiplan-policy/1", "horizon": 3, "discount": 1, "initial": "home",)"
      "\n" +
      keys + "}");
}

TEST(PolicyProblems, Grids) {
  EXPECT_EQ(problems_of_keys("\"rules\": [], \"grid\": 5"),
            "p.json:2: grid: found a number, expected an object");
  EXPECT_EQ(
      problems_of_keys(R"("rules": [], "target": 1, "grid": {"units": 1, "halved_at": 2})"),
      "p.json:2: unknown key 'units' in the grid, must be one of 'unit', 'halved_at'; did you "
      "mean 'unit'?\n"
      "p.json:2: halved_at: found a number, expected a list\n"
      "p.json:2: missing key 'unit' in the grid");
  EXPECT_EQ(
      problems_of_keys("\"rules\": [], \"target\": 1, \"grid\": {\"unit\": 0, "
                       "\"halved_at\": [0,\n1.5,\n2,\n1,\n{}, [1], \"x\"]}"),
      "p.json:2: unit: found 0, must be above 0\n"
      "p.json:2: in 'halved_at': found 0, must be at least 1\n"
      "p.json:3: in 'halved_at': found '1.5', must be a whole number\n"
      "p.json:5: in 'halved_at': found 1 after 2, must ascend\n"
      "p.json:6: in 'halved_at': found an object, expected a number, or a string with a "
      "number\n"
      "p.json:6: in 'halved_at': found a list, expected a number, or a string with a number\n"
      "p.json:6: in 'halved_at': 'x' is no number: it does not begin with a digit; expected a "
      "decimal such as -0.5 or 1e-3, or a fraction such as 1/3");
}

TEST(PolicyProblems, GridsThatDoNotFitTheRest) {
  EXPECT_EQ(problems_of_keys("\"rules\": [], \"grid\": {\"unit\": 1,\n\"halved_at\": [3]}"),
            "p.json:2: grid: the policy has no 'target', must have one to count from\n"
            "p.json:3: in 'halved_at': found 3, must be below the horizon 3");
  EXPECT_EQ(problems_of_keys(R"("rules": [], "target": 0.3, "grid": {"unit": 0.25})"),
            "p.json:2: target: found 0.3, must be a whole multiple of the grid's unit 0.25, below "
            "2^62 of it");
  EXPECT_EQ(problems_of_keys(R"("rules": [], "target": 4611686018427387904, "grid": {"unit": 1})"),
            "p.json:2: target: found 4611686018427387904, must be a whole multiple of the grid's "
            "unit 1, below 2^62 of it");
  EXPECT_EQ(
      problems_of_keys("\"target\": 1, \"grid\": {\"unit\": 1}, \"rules\": [\n"
                       "{\"time\": 1, \"state\": \"home\", \"choose\": [{\"upto\": 0.5, "
                       "\"action\": \"bike\"}, {\"action\": \"train\"}]},\n"
                       "{\"time\": 0, \"state\": \"home\", \"choose\": [{\"upto\": 1e300, "
                       "\"action\": \"bike\"}, {\"action\": \"train\"}]}]"),
      "p.json:3: time 1, state 'home': 'upto' is 0.5, must be a whole number below 2^62 in size, "
      "as the policy has a grid\n"
      "p.json:4: time 0, state 'home': 'upto' is 1e300, must be a whole number below 2^62 in size, "
      "as the policy has a grid");
}

TEST(PolicyProblems, AnUpperEndBelowTheQuantile) {
  EXPECT_EQ(problems_of_keys("\"rules\": [], \"claim\": {\"tau\": 0.5, \"side\": \"lower\", "
                             "\"upper\": 2,\n\"quantile\": 3, \"probability\": 1}"),
            "p.json:3: upper: found 2, must be at least the quantile 3");
}

TEST(PolicyProblems, TooManyHalvings) {
  std::string times = "1";
  for (int i = 0; i < 100'000; ++i) times += ",1";
  EXPECT_EQ(problems_of_keys("\"rules\": [], \"target\": 1, \"grid\": {\"unit\": 1, "
                             "\"halved_at\": [" +
                             times + "]}"),
            "p.json:2: in 'halved_at': found more than 100000 times, must have at most so many");
}

TEST(PolicyProblems, MissingAndUnknownKeys) {
  EXPECT_EQ(policy_problems("{}"),
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
  EXPECT_EQ(policy_problems("{\"format\": \"quantiplan-model/1\", \"name\": 1}"),
            "p.json:1: format: found 'quantiplan-model/1', must be 'quantiplan-policy/1'");
  EXPECT_EQ(policy_problems("{\n\"format\": }"),
            "p.json:2: no valid JSON: found '}', expected a value");
  EXPECT_EQ(policy_problems("\xFF"), "p.json:1: found the byte '\\xff', must be UTF-8 text");
}

TEST(PolicyProblems, Settings) {
  EXPECT_EQ(
      policy_problems("{\"format\": \"quantiplan-policy/1\",\n\"horizon\": 0,\n\"discount\": "
                      "2,\n\"initial\": \"hom\",\n"
                      "\"target\": [],\n\"claim\": 5,\n\"model\": 7,\n\"rules\": {}}"),
      "p.json:2: horizon: found 0, must be from 1 to 1000000000, or infinite\n"
      "p.json:3: discount: found 2, must be above 0 and at most 1\n"
      "p.json:4: initial: unknown state 'hom', must be a state of the model; did you mean 'home'?\n"
      "p.json:5: target: found a list, expected a number, or a string with a number\n"
      "p.json:6: claim: found a number, expected an object\n"
      "p.json:7: model: found a number, expected a string\n"
      "p.json:8: rules: found an object, expected a list");
}

TEST(PolicyProblems, Claims) {
  EXPECT_EQ(
      policy_problems(
          "{\"format\": \"quantiplan-policy/1\", \"horizon\": 1.5, \"discount\": 1, \"initial\": "
          "\"home\", "
          "\"rules\": [],\n\"claim\": {\"tau\": 2,\n\"side\": \"left\",\n\"probability\": -1}}"),
      "p.json:1: horizon: found '1.5', must be a whole number or 'infinite'\n"
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
