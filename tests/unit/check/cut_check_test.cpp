// Discounted policies of infinite horizon: cut off, what follows bounded.
#include <gtest/gtest.h>

#include "check/finite/cut_ends.hpp"
#include "check/finite/tail_bounds.hpp"
#include "check/stationary_claims.hpp"
#include "check/verdicts_of_checks.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

std::vector<Choice> all_choices(const Model& model, State s) {
  return {model.choices(s).begin(), model.choices(s).end()};
}

// 'work' pays 1 for ever, worth 2 at a discount of 1/2; 'rest' pays 0, 'quit' ends with 3/2.
Model job(bool cost = false) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).discount("1/2").initial("s").rewards_are_costs(cost);
  b.begin_choice("s", "work").add_outcome("s", 1, 1);
  b.begin_choice("s", "rest").add_outcome("s", "1/2", 0).add_outcome("s", "1/2", 1);
  b.begin_choice("s", "quit").add_outcome("end", 1, "3/2");
  return b.build();
}

TEST(TailBounds, HoldWhatCanFollow) {
  const Model model = job();
  const Options options;
  CheckLimits limits(options);
  const TailBounds all = tail_bounds(
      model, resolve(model, {}), [&](State s) { return all_choices(model, s); }, limits);
  EXPECT_EQ(all.least[0], 0);
  EXPECT_GE(all.greatest[0], 2);
  EXPECT_LE(all.greatest[0], 2 + 1e-9);
  EXPECT_EQ(all.greatest[1], 0);
  const TailBounds work = tail_bounds(
      model,
      resolve(model, {}),
      [&](State s) { return std::vector<Choice>{model.choices(s)[0]}; },
      limits);
  EXPECT_LE(work.least[0], 2);
  EXPECT_GE(work.least[0], 2 - 1e-9);
  // Of a state that nobody knows what to do in, only the first bound.
  const TailBounds none = tail_bounds(
      model, resolve(model, {}), [](State) { return std::vector<Choice>{}; }, limits);
  EXPECT_EQ(none.least[0], 0);
  EXPECT_GE(none.greatest[0], 3);
}

// A cycle never comes to its limit by iteration, but of what is met nowhere nothing can follow.
TEST(TailBounds, AreZeroWhereNothingCanBeMet) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).discount("1/2").initial("quiet");
  b.begin_choice("quiet", "stay").add_outcome("quiet", 1, 0);
  b.begin_choice("loud", "stay").add_outcome("loud", "1/2", 1).add_outcome("quiet", "1/2", 0);
  b.begin_choice("loud", "pay").add_outcome("poor", 1, 0);
  b.begin_choice("poor", "stay").add_outcome("poor", 1, -1);
  const Model model = b.build();
  const Options options;
  CheckLimits limits(options);
  const TailBounds all = tail_bounds(
      model, resolve(model, {}), [&](State s) { return all_choices(model, s); }, limits);
  const auto at = [&](const char* name) { return index(*model.find_state(name)); };
  EXPECT_EQ(all.least[at("quiet")], 0);
  EXPECT_EQ(all.greatest[at("quiet")], 0);
  EXPECT_LE(all.least[at("poor")], -2);
  EXPECT_GE(all.greatest[at("poor")], -2);
  EXPECT_LE(all.greatest[at("poor")], -2 + 1e-9);
  EXPECT_LE(all.least[at("loud")], -1);
  EXPECT_GE(all.greatest[at("loud")], 2);
}

// The blocks of what can be met have no rewards: one step of them says it all, with probability 1.
TEST(CutCheck, ProvesWhatWasFoundOfBlocksWithoutRewards) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).discount("1/2").initial("s").goal("here").goal("there");
  b.begin_choice("s", "go").add_outcome("twin", "1/2", 0).add_outcome("here", "1/2", 0);
  b.begin_choice("twin", "go").add_outcome("s", "1/2", 0).add_outcome("there", "1/2", 0);
  b.begin_choice("elsewhere", "pay").add_outcome("s", 1, 1);
  const Model model = b.build();
  Query query;
  query.taus = {Rational(1, 10)};
  query.prefer = Prefer::probability;
  query.setting.adversarial = true;
  query.setting.initial =
      InitialNames({{"s", Rational(1, 4)}, {"twin", Rational(1, 4)}, {"here", Rational(1, 2)}});
  Options options;
  options.reduce = Reduce::bisimulation;
  options.check = true;
  const Answer answer = solve(model, query, options);
  ASSERT_TRUE(answer.engine.reduction);
  const Result& found = answer.results.at(0);
  EXPECT_EQ(*found.quantile, Total(0));
  ASSERT_TRUE(found.check);
  EXPECT_TRUE(found.check->passed);
}

TEST(TailBounds, AreTurnedRoundForCosts) {
  const Model model = job(true);
  const Options options;
  CheckLimits limits(options);
  const TailBounds all = tail_bounds(
      model, resolve(model, {}), [&](State s) { return all_choices(model, s); }, limits);
  EXPECT_EQ(all.greatest[0], 0);
  EXPECT_LE(all.least[0], -2);
  EXPECT_GE(all.least[0], -2 - 1e-9);
}

TEST(TailBounds, AreDiscountedToTheirSide) {
  const Rational gamma = number("0.9");
  Rational exact = 1;
  for (int i = 0; i < 300; ++i) exact *= gamma;
  for (const double tail : {3.0, -3.0}) {
    const Rational truth = exact * Rational(tail);
    const Rational low = discounted_tail(gamma, 300, tail, false);
    const Rational high = discounted_tail(gamma, 300, tail, true);
    EXPECT_LE(low, truth);
    EXPECT_GE(high, truth);
    EXPECT_LE(high - low, abs(truth) * number("1e-40"));
  }
  EXPECT_EQ(discounted_tail(gamma, 300, 0, true), 0);
}

Policy working(const Model& model, std::uint64_t steps, const Setting& setting = {}) {
  Policy policy = empty_policy(model, std::nullopt, setting);
  policy.truncated_at = steps;
  for (std::uint64_t t = 0; t <= steps; ++t) add_rule(policy, model, t, "s", {{{}, "work"}});
  return policy;
}

PolicyClaim lower_bracket(const char* tau, const char* low, const char* high, double p) {
  return bracket(tau, Side::lower, low, p, high);
}

TEST(CutOff, APolicyCollectsItsTail) {
  const Model model = job();
  const Policy policy = working(model, 10);
  const CheckReport report = check(model, policy, lower_bracket("0.5", "1.9999", "2.0001", 1));
  expect_confirmed(report);
  EXPECT_EQ(report.findings.front(), "What follows after 10 steps is bounded, state by state.");
  expect_refuted(check(model, policy, lower_bracket("0.5", "2.0001", "2.1", 1)),
                 "it is not more than 0.5");
  expect_refuted(check(model, policy, lower_bracket("0.5", "1.9", "1.99", 1)),
                 "Some policy has a quantile above 1.99");
}

TEST(CutOff, TheLastRulesMatter) {
  const Model model = job();
  Policy policy = working(model, 3);
  expect_confirmed(check(model, policy, lower_bracket("0.5", "1.9999", "2.0001", 1)));
  policy.rules.back().runs[0].choice = *model.find_choice(model.initial()->only(), "rest");
  const CheckReport report = check(model, policy, lower_bracket("0.5", "1.9999", "2.0001", 1));
  EXPECT_FALSE(report.passed);
  policy.rules.pop_back();
  EXPECT_FALSE(check(model, policy, lower_bracket("0.5", "1.9999", "2.0001", 1)).passed);
}

TEST(CutOff, OneRuleForAllTimesIsFollowedAsWell) {
  const Model model = job();
  const Policy policy = one_rule(model, "s", {{{}, "work"}});
  expect_confirmed(check(model, policy, lower_bracket("0.5", "1.9999", "2.0001", 1)));
}

TEST(CutOff, AnAdversaryHasTheLeast) {
  const Model model = job();
  Policy policy = working(model, 10, adversary());
  for (PolicyRule& rule : policy.rules)
    rule.runs[0].choice = *model.find_choice(model.initial()->only(), "quit");
  policy.rules.resize(1);
  // Work has 2, quit 3/2; resting has half of 2 in the mean, and P(W < 1) is 1/2.
  expect_confirmed(check(model, policy, lower_bracket("0.9", "0.9", "1.6", 1)));
  expect_refuted(check(model, policy, lower_bracket("0.5", "1.1", "1.6", 1)),
                 "Some policy has a quantile below 1.1");
  expect_refuted(check(model, policy, lower_bracket("0.9", "0.9", "1.4", 1)),
                 "P(W <= 1.4) is 0: it is not at least 0.9");
}

TEST(CutOff, ATruncatedPolicyNeedsADiscount) {
  const Model model = job();
  Policy policy = working(model, 3);
  policy.setting.discount = 1;
  expect_refuted(check(model, policy, lower_bracket("0.5", "1.9999", "2.0001", 1)),
                 "The policy is truncated, which only an infinite horizon with a discount needs.");
}

// A goal that is reached with 1/2 at every step, for 1 each.
Model search(bool cost) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).discount("1/2").initial("s").goal("g").rewards_are_costs(cost);
  b.begin_choice("s", "look").add_outcome("g", "1/2", 1).add_outcome("s", "1/2", 1);
  b.begin_choice("s", "wait").add_outcome("s", 1, 0);
  b.begin_choice("s", "guess").add_outcome("g", "3/5", 0).add_outcome("lost", "2/5", 0);
  return b.build();
}

Policy always(const Model& model, const char* action, const Setting& setting = {}) {
  Policy policy = empty_policy(model, std::nullopt, setting);
  policy.truncated_at = 12;
  for (std::uint64_t t = 0; t <= 12; ++t) add_rule(policy, model, t, "s", {{{}, action}});
  return policy;
}

TEST(CutOffGoals, TheChanceOfTheGoalAfterTheCutCounts) {
  const Model model = search(true);
  // Looking costs less than 2 in all, and always finds.
  const Rational enough = number("-2.01");
  expect_confirmed(check(model, always(model, "look"), threshold_claim(enough, Rational(1), 1)));
  expect_refuted(check(model, always(model, "guess"), threshold_claim(enough, Rational(1), 1)),
                 "The claimed probability 1 is too high");
  // At no cost: guessing. After the cut, to find and to pay nothing are bounded one by one.
  const CheckReport free = check(model, always(model, "guess"), threshold_claim(0, number("3/5")));
  EXPECT_TRUE(free.passed);
  EXPECT_EQ(free.findings.back(),
            "Optimality was not rechecked: the bounds that could be computed leave it open.");
  expect_refuted(check(model, always(model, "look"), threshold_claim(0, number("1/2"))),
                 "The exactly claimed probability is not the policy's");
  expect_refuted(check(model, always(model, "wait"), threshold_claim(-2, number("1/2"), 1)),
                 "The claimed probability 0.5 is too high");
}

TEST(CutOffGoals, AnAdversaryNeedNotArrive) {
  const Model model = search(false);
  const PolicyClaim nothing = threshold_claim(Total::minus_infinity(), Rational(0));
  expect_confirmed(check(model, always(model, "wait", adversary()), nothing));
  expect_refuted(check(model, always(model, "guess", adversary()), nothing),
                 "The exactly claimed probability is not the policy's");
  expect_refuted(check(model,
                       always(model, "guess", adversary()),
                       threshold_claim(Total::minus_infinity(), number("3/5"))),
                 "Some policy has more than claimed");
}

}  // namespace
}  // namespace quantiplan::checking
