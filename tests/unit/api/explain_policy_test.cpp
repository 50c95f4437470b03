#include <gtest/gtest.h>

#include <map>
#include <string>

#include "quantiplan/domains.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/explain.hpp"
#include "quantiplan/run.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

Policy policy_of(const Model& model, const Setting& setting, const Options& options = {}) {
  Query query;
  query.taus = {Rational(1, 10)};
  query.setting = setting;
  return solve(model, query, options).results.front().policy();
}

// The range that holds what was collected, as ActionRange counts it.
Choice choice_at(const std::vector<ActionRange>& ranges, const Rational& collected, bool is_cost) {
  for (const ActionRange& range : ranges) {
    const bool is_from =
        !range.from || (is_cost ? collected > *range.from : collected >= *range.from);
    const bool is_to = !range.to || (is_cost ? collected <= *range.to : collected < *range.to);
    if (is_from && is_to) return range.choice;
  }
  ADD_FAILURE() << "no range holds " << to_text(collected);
  return {};
}

// Every step of many episodes lies in the range of its action, and ranges are in order.
void expect_ranges_of_runs(const Model& model, const Setting& setting) {
  const Policy policy = policy_of(model, setting);
  const EpisodeTally played = simulate_tally(model, policy, {200, 3, KeepEpisodes::steps});
  const bool is_cost = policy.setting.cost;
  for (const std::vector<Step>& steps : played.steps) {
    Rational collected;
    Rational passed = 1;
    for (std::uint64_t t = 0; t < steps.size(); ++t) {
      const auto ranges = action_ranges(model, policy, steps[t].state, t);
      ASSERT_FALSE(ranges.empty());
      EXPECT_FALSE(ranges.front().from);
      EXPECT_FALSE(ranges.back().to);
      for (std::size_t i = 1; i < ranges.size(); ++i) {
        EXPECT_EQ(ranges[i].from, ranges[i - 1].to);
        EXPECT_NE(ranges[i].choice, ranges[i - 1].choice);
      }
      EXPECT_EQ(choice_at(ranges, collected, is_cost), steps[t].choice);
      collected += passed * steps[t].reward;
      passed *= policy.setting.discount;
    }
  }
}

TEST(ActionRanges, HoldEveryStepOfEveryEpisode) {
  expect_ranges_of_runs(generate("inventory", {{"horizon", "4"}}), {});
  expect_ranges_of_runs(generate("datacenter", {{"servers", "2"}, {"horizon", "5"}}), {});
}

TEST(ActionRanges, OfCostsAreOpenBelowAndClosedAbove) {
  Setting costs;
  costs.cost = true;
  expect_ranges_of_runs(generate("inventory", {{"horizon", "4"}}), costs);
}

TEST(ActionRanges, OfDiscountedTotalsAreInUnitsOfTimeZero) {
  Setting discounted;
  discounted.discount = Rational(1, 2);
  expect_ranges_of_runs(generate("inventory", {{"horizon", "3"}}), discounted);
}

TEST(ActionRanges, AreEmptyWhereThePolicyHasNoRule) {
  const Model model = generate("gamble");
  const Policy policy = policy_of(model, {});
  EXPECT_TRUE(action_ranges(model, policy, *model.find_state("second"), 0).empty());
  EXPECT_EQ(times_with_rules(policy, *model.find_state("second")), std::vector<std::uint64_t>{1});
}

TEST(ActionRanges, RefuseAdversaries) {
  Setting adversarial;
  adversarial.adversarial = true;
  const Model model = generate("gamble");
  const Policy policy = policy_of(model, adversarial);
  EXPECT_THROW(static_cast<void>(action_ranges(model, policy, State{0}, 0)), Error);
}

TEST(Summarise, CountsTheStepsThatAreSimulated) {
  const Model model = generate("inventory", {{"horizon", "4"}});
  const Policy policy = policy_of(model, {});
  const EpisodeTally played = simulate_tally(model, policy, {300, 5, KeepEpisodes::steps});
  std::map<std::string, std::uint64_t> actions;
  std::map<State, std::uint64_t> states;
  std::uint64_t steps = 0;
  for (const auto& episode : played.steps) {
    for (const Step& step : episode) {
      ++actions[std::string(model.action_name(step.choice))];
      ++states[step.state];
      ++steps;
    }
  }
  const PolicySummary summary = summarise(model, policy, 300, 5);
  EXPECT_EQ(summary.steps, steps);
  EXPECT_TRUE(summary.is_compared);
  ASSERT_EQ(summary.actions.size(), actions.size());
  for (const PolicySummary::OfAction& each : summary.actions)
    EXPECT_EQ(each.taken, actions[each.action]);
  ASSERT_EQ(summary.states.size(), states.size());
  std::uint64_t last = steps;
  for (const PolicySummary::OfState& each : summary.states) {
    EXPECT_EQ(each.met, states[each.state]);
    EXPECT_LE(each.met, last);
    EXPECT_LE(each.differs, each.met);
    EXPECT_EQ(each.differs > 0, each.other_then.has_value());
    last = each.met;
  }
}

// It is the same policy: nothing differs.
TEST(Summarise, FindsNoDifferenceToItself) {
  const Model model = generate("inventory", {{"horizon", "4"}});
  const PolicySummary summary = summarise(model, expectation_policy(model, {}), 100, 1);
  for (const PolicySummary::OfState& each : summary.states) EXPECT_EQ(each.differs, 0U);
}

}  // namespace
}  // namespace quantiplan
