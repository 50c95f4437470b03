// A policy that passes can be run to the end on every path; and it is followed only where the
// outcome is open.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "check/check_models.hpp"
#include "check/common/check_limits.hpp"
#include "check/verdicts_of_checks.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

// Two coins in a row that pay 0 or 2, then a place where one ends up with 2 only.
Model coins() {
  ModelBuilder b;
  b.horizon(3).initial("first");
  b.begin_choice("first", "toss").add_outcome("second", "1/2", 0).add_outcome("second", "1/2", 2);
  b.begin_choice("second", "keep").add_outcome("low", 1, 0);
  b.begin_choice("second", "swap").add_outcome("high", 1, 0);
  b.begin_choice("low", "on").add_outcome("end", 1, 0);
  b.begin_choice("high", "on").add_outcome("end", 1, 0);
  return b.build();
}

// Swaps only at a residual of exactly 1, which nobody has: 2 - 0 or 2 - 2.
Policy by_residual(const Model& model) {
  Policy policy = empty_policy(model, Rational(2));
  add_rule(policy, model, 0, "first", {{{}, "toss"}});
  add_rule(
      policy, model, 1, "second", {{Rational(0), "keep"}, {Rational(1), "swap"}, {{}, "keep"}});
  add_rule(policy, model, 2, "low", {{{}, "on"}});
  return policy;
}

TEST(RuleCoverage, ARuleThatLacksWhereNobodyComesIsNoFault) {
  const Model model = coins();
  const PolicyClaim half = claim("0.6", Side::lower, "2", 0.5, number("1/2"));
  Policy policy = by_residual(model);
  expect_confirmed(check(model, policy, half));
  policy.grid = PolicyGrid{1, {}};
  expect_confirmed(check(model, policy, half));
  policy.rules[1].runs[1].upto = Rational(2);  // now half of all do
  expect_refuted(check(model, policy, half),
                 "reaches time 2, state 'high' and has no rule for it.");
  EXPECT_THROW(evaluate(model, policy), Error);
  policy.grid.reset();
  expect_refuted(check(model, policy, half),
                 "reaches time 2, state 'high' and has no rule for it.");
}

TEST(RuleCoverage, ARuleIsNeededWhereAllIsLost) {
  ModelBuilder b;
  b.horizon(2).initial("s");
  b.begin_choice("s", "go").add_outcome("won", "1/2", 1).add_outcome("lost", "1/2", 0);
  b.begin_choice("won", "on").add_outcome("end", 1, 0);
  b.begin_choice("lost", "on").add_outcome("end", 1, 0);
  const Model fork = b.build();
  for (const bool has_grid : {false, true}) {
    Policy policy = empty_policy(fork, Rational(1));
    if (has_grid) policy.grid = PolicyGrid{1, {}};
    add_rule(policy, fork, 0, "s", {{{}, "go"}});
    add_rule(policy, fork, 1, "won", {{{}, "on"}});
    const PolicyClaim half = claim("0.6", Side::lower, "1", 0.5, number("1/2"));
    expect_refuted(check(fork, policy, half), "reaches time 1, state 'lost' and has no rule");
    add_rule(policy, fork, 1, "lost", {{{}, "on"}});
    expect_confirmed(check(fork, policy, half));
  }
}

// A coin at every step, for ever; and a state that is first met after the cut.
Model for_ever() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).discount("1/2").initial("s");
  b.begin_choice("s", "a").add_outcome("s", "9/10", 1).add_outcome("s", "1/10", 0);
  b.begin_choice("s", "b").add_outcome("t", 1, 0);
  b.begin_choice("t", "a").add_outcome("t", 1, 0);
  return b.build();
}

Policy coin_until(const Model& model, std::uint64_t cut, const char* last) {
  Policy policy = empty_policy(model, number("1.75"));
  policy.truncated_at = cut;
  for (std::uint64_t t = 0; t < cut; ++t) add_rule(policy, model, t, "s", {{{}, "a"}});
  add_rule(policy, model, cut, "s", {{{}, last}});
  return policy;
}

PolicyClaim about_a_coin() {
  PolicyClaim made = claim("0.25", Side::lower, "1.7499", 0.75);
  made.upper = number("2");
  return made;
}

TEST(RuleCoverage, WhatHoldsFromTheCutOnIsClosedUnderWhatFollows) {
  const Model model = for_ever();
  expect_confirmed(check(model, coin_until(model, 20, "a"), about_a_coin()));
  Policy leaving = coin_until(model, 20, "b");
  expect_refuted(check(model, leaving, about_a_coin()),
                 "The policy reaches state 't' after 20 steps and has no rule for it.");
  add_rule(leaving, model, 20, "t", {{{}, "a"}});
  expect_confirmed(check(model, leaving, about_a_coin()));
}

TEST(RuleCoverage, ResidualsAfterTheCutLeaveItOpen) {
  const Model model = for_ever();
  Policy policy = coin_until(model, 20, "a");
  policy.rules.back().runs = {{Rational(1000), model.choices(State{0})[0]},
                              {std::nullopt, model.choices(State{0})[1]}};
  const CheckReport report = check(model, policy, about_a_coin());
  EXPECT_FALSE(report.passed);
  EXPECT_TRUE(report.ended_early);
  EXPECT_EQ(report.findings.back(),
            "The policy may reach state 't' after 20 steps and has no rule for it.");
}

TEST(PolicyProspects, OnlyOpenPlacesAreFollowed) {
  // 2^40 totals; what follows a step is worth no more than the step.
  const Model model = for_ever();
  const CheckReport report = check(model, coin_until(model, 40, "a"), about_a_coin());
  expect_confirmed(report);
  EXPECT_EQ(report.findings[1],
            "The policy has a rule wherever it comes; the outcome is open at 41 places (time, "
            "state, wealth).");
}

TEST(CheckLimits, ACheckThatNeedsMoreThanItMayIsLeftOpen) {
  const Model model = for_ever();
  Options options;
  options.memory_limit_bytes = 4096;
  const CheckReport report = check(model, coin_until(model, 2000, "a"), about_a_coin(), options);
  EXPECT_FALSE(report.passed);
  EXPECT_TRUE(report.ended_early);
  EXPECT_EQ(report.findings.back(),
            "The check ended early, before the policy was followed to its end: it needs more than "
            "the memory limit of 4096 bytes.");
}

TEST(CheckLimits, CountWhatIsHeldAndGiveItBack) {
  Options options;
  options.memory_limit_bytes = 1000;
  CheckLimits limits(options);
  {
    MemoryShare one(limits);
    one.set(600);
    MemoryShare two(limits);
    two.add(400);
    EXPECT_FALSE(limits.ended());
    one.set(0);
    const MemoryShare copy(two);
    EXPECT_THROW(one.set(300), LimitMet);
  }
  EXPECT_TRUE(limits.ended());
  EXPECT_THROW(limits.require(), LimitMet);
}

TEST(CheckLimits, AStopEndsASort) {
  const std::atomic<bool> stop = true;
  Options options;
  options.stop = &stop;
  CheckLimits limits(options);
  std::vector<int> numbers{3, 1, 2};
  EXPECT_THROW(std::sort(numbers.begin(), numbers.end(), watched(limits, std::less<>())), LimitMet);
}

}  // namespace
}  // namespace quantiplan::checking
