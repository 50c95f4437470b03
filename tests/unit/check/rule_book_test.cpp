#include "check/common/rule_book.hpp"

#include <gtest/gtest.h>

#include "check/check_models.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

class RuleBookTest : public ::testing::Test {
 protected:
  void expect_malformed(const std::string& sentence) {
    EXPECT_EQ(malformed(model_, policy_), std::vector<std::string>{sentence});
    const CheckReport report = check(model_, policy_, claim("0.1", Side::upper, "-40", 1));
    EXPECT_FALSE(report.passed);
    EXPECT_EQ(report.findings, std::vector<std::string>{sentence});
  }

  Model model_ = commute();
  Policy policy_ = empty_policy(model_, number("-40"));
};

TEST_F(RuleBookTest, AcceptsRunsThatAscend) {
  add_rule(policy_,
           model_,
           0,
           "home",
           {{number("-50"), "train"}, {number("-40"), "bike"}, {{}, "train"}});
  EXPECT_TRUE(malformed(model_, policy_).empty());
}

TEST_F(RuleBookTest, DecidesByTheFirstRunThatHolds) {
  add_rule(policy_,
           model_,
           0,
           "home",
           {{number("-50"), "train"}, {number("-40"), "bike"}, {{}, "train"}});
  const auto ledger = IntegerLedger::make(model_, policy_.setting);
  ASSERT_TRUE(ledger);
  const auto rule = RuleBook(policy_).rule(*ledger, 0, policy_.setting.initial.only());
  ASSERT_TRUE(rule);
  // residual = -40 - wealth
  const auto action = [&](std::int64_t wealth) { return model_.action_name(rule->decide(wealth)); };
  EXPECT_EQ(action(10), "train");
  EXPECT_EQ(action(9), "bike");
  EXPECT_EQ(action(0), "bike");
  EXPECT_EQ(action(-1), "train");
}

TEST_F(RuleBookTest, NamesAnActionOfAnotherState) {
  add_rule(policy_, model_, 0, "home", {{{}, "bike"}});
  policy_.rules[0].runs[0].choice =
      model_.find_choice(model_.find_state("station").value(), "wait").value();
  expect_malformed("At time 0, state 'home' the policy takes an action this state does not have.");
}

TEST_F(RuleBookTest, NamesThresholdsThatFall) {
  add_rule(policy_,
           model_,
           0,
           "home",
           {{number("-40"), "train"}, {number("-50"), "bike"}, {{}, "train"}});
  expect_malformed("At time 0, state 'home' the thresholds of the runs do not ascend.");
}

TEST_F(RuleBookTest, NamesALastRunWithThreshold) {
  add_rule(policy_, model_, 0, "home", {{number("-40"), "bike"}});
  expect_malformed("At time 0, state 'home' the last run has a threshold, it must take the rest.");
}

TEST_F(RuleBookTest, NamesAnEarlyRunWithoutThreshold) {
  add_rule(policy_, model_, 0, "home", {{{}, "bike"}, {{}, "train"}});
  expect_malformed("At time 0, state 'home' a run without threshold stands before the last.");
}

TEST_F(RuleBookTest, NamesARuleThatNeedsAMissingTarget) {
  policy_.target.reset();
  add_rule(policy_, model_, 0, "home", {{number("-40"), "bike"}, {{}, "train"}});
  expect_malformed(
      "At time 0, state 'home' the rule depends on a residual target, but the policy has no "
      "target.");
}

TEST_F(RuleBookTest, NamesARuleThereTwice) {
  add_rule(policy_, model_, 0, "home", {{{}, "bike"}});
  add_rule(policy_, model_, 0, "home", {{{}, "train"}});
  expect_malformed("The rule for time 0, state 'home' is out of order or there twice.");
}

TEST_F(RuleBookTest, NamesARuleWithoutRuns) {
  add_rule(policy_, model_, 0, "home", {});
  expect_malformed("The rule for time 0, state 'home' has no run.");
}

TEST_F(RuleBookTest, NamesAnUnknownState) {
  policy_.rules.push_back({0, State{7}, {}});
  expect_malformed("A rule names a state the model does not have.");
}

TEST_F(RuleBookTest, NamesASettingOutOfRange) {
  policy_.setting.discount = 2;
  expect_malformed("The policy's discount is 2, it must be in (0, 1].");
  policy_.setting.initial = State{7};
  expect_malformed("The policy starts in a state the model does not have.");
}

TEST_F(RuleBookTest, NamesGoalsThatAreNone) {
  policy_.setting.goal = {State{7}};
  expect_malformed("A goal of the policy is a state the model does not have.");
  policy_.setting.goal = {State{2}, State{1}};
  expect_malformed("The goals of the policy are out of order or there twice.");
}

TEST_F(RuleBookTest, NamesATruncationThatIsNone) {
  policy_.truncated_at = 2;
  expect_malformed(
      "The policy is truncated, which only an infinite horizon with a discount needs.");
  policy_.setting.horizon = kInfiniteHorizon;
  policy_.setting.discount = Rational(1, 2);
  policy_.truncated_at = kInfiniteHorizon;
  expect_malformed("The policy is truncated at a time that is none.");
}

TEST_F(RuleBookTest, FindsTheRuleThatHoldsAtATime) {
  add_rule(policy_, model_, 0, "home", {{{}, "train"}});
  add_rule(policy_, model_, 2, "home", {{{}, "bike"}});
  const State home = *model_.find_state("home");
  EXPECT_EQ(RuleBook(policy_).find(7, home), nullptr);
  policy_.setting.horizon = kInfiniteHorizon;
  policy_.setting.discount = Rational(1, 2);
  policy_.truncated_at = 2;
  EXPECT_EQ(RuleBook(policy_).find(7, home), &policy_.rules[1]);
  EXPECT_EQ(RuleBook(policy_).find(1, home), nullptr);
  policy_.truncated_at.reset();
  EXPECT_EQ(RuleBook(policy_).find(7, home), policy_.rules.data());
}

TEST_F(RuleBookTest, StopsAfterTenFindings) {
  for (std::uint64_t t = 0; t < 50; ++t) add_rule(policy_, model_, t, "home", {});
  EXPECT_EQ(malformed(model_, policy_).size(), 10U);
}

}  // namespace
}  // namespace quantiplan::checking
