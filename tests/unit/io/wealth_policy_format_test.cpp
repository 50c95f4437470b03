// Policies of other wealths than sums: rules name wealths by their text.
#include <gtest/gtest.h>

#include "io/example_commute.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

Model service() { return read_model(QUANTIPLAN_SOURCE_DIR "/examples/service.json").model; }

constexpr const char* kServicePolicy = R"({
  "format": "quantiplan-policy/1",
  "model": "service",
  "horizon": 4,
  "discount": 1,
  "initial": "fresh",
  "claim": {"tau": 0.5, "side": "lower", "quantile": "2 gold, 2 silver", "probability": 0.50203125, "exact_probability": 0.50203125},
  "rules": [
    {"time": 0, "state": "fresh", "choose": [{"action": "extra mile"}]},
    {"time": 1, "state": "tired", "choose": [{"wealth": ["1 bronze", "1 gold"], "action": "by the book"}, {"wealth": ["1 silver"], "action": "extra mile"}, {"action": "by the book"}]}
  ]
}
)";

// The rules begin on line 2.
std::string problems_of_wealth_rules(const std::string& rules, const std::string& settings = "") {
  const Model model = service();
  return thrown(ErrorCode::bad_policy, [&] {
    parse_policy(R"({"format": "quantiplan-policy/1", "horizon": 4, "initial": "fresh", )" +
                     (settings.empty() ? "\"discount\": 1" : settings) + ", \"rules\": [\n" +
                     rules + "]}",
                 model,
                 "p.json");
  });
}

std::string problems_of_runs(const std::string& runs) {
  return problems_of_wealth_rules(R"({"time": 1, "state": "tired", "choose": [)" + runs + "]}");
}

TEST(WealthPolicyFormat, ReadsAndWritesTheSameText) {
  const Model model = service();
  const Policy policy = parse_policy(kServicePolicy, model, "p.json");
  EXPECT_EQ(policy.wealths, (std::vector<std::string>{"1 bronze", "1 gold", "1 silver"}));
  EXPECT_EQ(policy.rules[1].runs[0].wealths, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(policy.rules[1].runs[1].wealths, (std::vector<std::uint32_t>{2}));
  EXPECT_TRUE(policy.rules[1].runs[2].wealths.empty());
  EXPECT_EQ(policy.claim->level, "2 gold, 2 silver");
  EXPECT_EQ(format_policy(policy, model), kServicePolicy);
}

TEST(WealthPolicyFormat, WealthsAreSortedByText) {
  const Model model = service();
  const Policy policy = parse_policy(
      R"({"format": "quantiplan-policy/1", "horizon": "infinite", "discount": 1, "initial": "fresh",
      "claim": {"target": "nothing", "probability": 1}, "rules": [
      {"state": "fresh", "choose": [{"wealth": ["b", "a"], "action": "by the book"}, {"wealth": "0", "action": "by the book"}, {"action": "extra mile"}]}]})",
      model,
      "p.json");
  EXPECT_EQ(policy.wealths, (std::vector<std::string>{"0", "a", "b"}));
  EXPECT_EQ(policy.rules[0].runs[0].wealths, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(policy.claim->kind, PolicyClaim::Kind::threshold);
  EXPECT_EQ(policy.claim->level, "nothing");
  const std::string written = format_policy(policy, model);
  EXPECT_EQ(format_policy(parse_policy(written, model, ""), model), written);
}

TEST(WealthPolicyFormat, RunsMustGoByWealth) {
  const std::string place = "p.json:2: time 1, state 'tired': ";
  EXPECT_EQ(problems_of_runs(R"({"upto": 1, "action": "extra mile"}, {"action": "by the book"})"),
            place + "an action has an 'upto', must have a 'wealth', as the wealth is 'counts'");
  EXPECT_EQ(problems_of_runs(R"({"action": "extra mile"}, {"action": "by the book"})"),
            place + "an action has no 'wealth', only the last may have none");
  EXPECT_EQ(
      problems_of_runs(R"({"wealth": [], "action": "extra mile"}, {"action": "by the book"})"),
      place + "'wealth' is empty, must name at least one");
  EXPECT_EQ(problems_of_runs(R"({"wealth": "1 gold", "action": "extra mile"})"),
            place + "the last action has a 'wealth', must have none");
  EXPECT_EQ(
      problems_of_runs(
          R"({"wealth": "1 gold", "action": "extra mile"}, {"wealth": ["1 gold"], "action": "by the book"}, {"action": "by the book"})"),
      place + "wealth '1 gold' is given twice, must be given once");
  EXPECT_EQ(problems_of_runs(R"({"wealth": 7, "action": "extra mile"}, {"action": "by the book"})"),
            "p.json:2: wealth: found a number, expected a string or a list of strings");
  EXPECT_EQ(
      problems_of_runs(R"({"wealth": [7], "action": "extra mile"}, {"action": "by the book"})"),
      "p.json:2: in 'wealth': found a number, expected a string");
}

TEST(WealthPolicyFormat, SettingsOfSumsAreRefused) {
  const std::string rest = ": the wealth is 'counts', must be left out but where it is the sum";
  const std::string rule = R"({"time": 0, "state": "fresh", "choose": [{"action": "extra mile"}]})";
  EXPECT_EQ(problems_of_wealth_rules(rule, "\"discount\": 0.5"),
            "p.json:1: discount other than 1" + rest);
  EXPECT_EQ(problems_of_wealth_rules(rule, "\"discount\": 1, \"target\": 3"),
            "p.json:1: target" + rest);
  EXPECT_EQ(problems_of_wealth_rules(rule, "\"discount\": 1, \"goal\": [\"tired\"]"),
            "p.json:1: goal" + rest);
  EXPECT_EQ(problems_of_wealth_rules(rule, "\"discount\": 1, \"rewards\": \"cost\""),
            "p.json:1: rewards that are costs" + rest);
  EXPECT_EQ(problems_of_wealth_rules(rule, "\"discount\": 1, \"adversarial\": true"),
            "p.json:1: adversarial" + rest);
}

TEST(WealthPolicyFormat, ClaimsNameAClass) {
  const std::string rule = R"({"time": 0, "state": "fresh", "choose": [{"action": "extra mile"}]})";
  EXPECT_EQ(
      problems_of_wealth_rules(
          rule,
          R"("discount": 1, "claim": {"tau": 0.5, "side": "lower", "quantile": 7, "probability": 1})"),
      "p.json:1: quantile: found a number, expected a string");
  EXPECT_EQ(
      problems_of_wealth_rules(
          rule,
          R"("discount": 1, "claim": {"tau": 0.5, "side": "lower", "quantile": "nothing", "upper": 7, "probability": 1})"),
      "p.json:1: key 'upper' in a claim, must be left out but where the wealth is the sum");
}

TEST(WealthPolicyFormat, SumsMayGoByWealthButNotByBoth) {
  const Model model = example_commute();
  const std::string head =
      R"({"format": "quantiplan-policy/1", "horizon": 3, "discount": 1, "initial": "home", )";
  const auto rules = [](const std::string& runs) {
    return R"("rules": [{"time": 0, "state": "home", "choose": [)" + runs +
           R"({"action": "train"}]}]})";
  };
  const Policy policy =
      parse_policy(head + rules(R"({"wealth": "7", "action": "bike"}, )"), model, "p.json");
  EXPECT_EQ(policy.wealths, std::vector<std::string>{"7"});
  EXPECT_EQ(thrown(ErrorCode::bad_policy,
                   [&] {
                     parse_policy(head + rules(R"({"wealth": "7", "action": "bike"}, )"
                                               R"({"upto": 3, "action": "bike"}, )"),
                                  model,
                                  "p.json");
                   }),
            "p.json:1: time 0, state 'home': an action has an 'upto', must have a 'wealth', as the "
            "wealth is 'sum'");
}

}  // namespace
}  // namespace quantiplan
