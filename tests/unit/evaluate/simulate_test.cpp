#include <gtest/gtest.h>

#include <atomic>

#include "evaluate/random_stationary.hpp"
#include "evaluate/sampled.hpp"
#include "evaluate/stationary_chains.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

using testing::first_choices;

std::vector<Episode> episodes(const Model& model, const Policy& policy, std::uint64_t count = 50) {
  return simulate(model, policy, {count, 3, KeepEpisodes::steps});
}

// Steps of 1; from each, goal with 1/4, a dead end with 1/4.
Model walk() {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a")
      .add_outcome("s", "1/2", 1)
      .add_outcome("goal", "1/4", 1)
      .add_outcome("end", "1/4", 1);
  b.begin_choice("goal", "a").add_outcome("s", 1, 100);
  return b.build();
}

Policy for_steps(const Model& model, std::uint64_t horizon, const std::vector<std::string>& goal) {
  Policy policy = first_choices(model, goal);
  policy.setting.horizon = horizon;
  const std::vector<PolicyRule> rules = policy.rules;
  for (std::uint64_t t = 1; t < horizon; ++t) {
    for (PolicyRule rule : rules) {
      rule.time = t;
      policy.rules.push_back(rule);
    }
  }
  return policy;
}

TEST(SimulateGoals, EpisodesEndOnEnteringAGoalAndMissOtherwise) {
  const Model model = walk();
  Policy policy = for_steps(model, 3, {"goal"});
  policy.setting.cost = true;
  int reached = 0;
  int missed = 0;
  for (const Episode& e : episodes(model, policy)) {
    const Step& last = e.steps.back();
    const bool arrived = model.state_name(last.next) == "goal";
    EXPECT_EQ(e.wealth, arrived ? Total(-static_cast<int>(e.steps.size())) : Total::miss());
    EXPECT_LE(e.steps.size(), 3U);
    (arrived ? reached : missed) += 1;
  }
  EXPECT_GT(reached, 10);
  EXPECT_GT(missed, 10);
}

TEST(SimulateInfinite, EndsWhereEverythingIsDecided) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a")
      .add_outcome("idle", "1/3", 2)
      .add_outcome("rich", "1/3", 0)
      .add_outcome("end", "1/3", 1);
  b.begin_choice("idle", "a").add_outcome("idle", 1, 0);
  b.begin_choice("rich", "a").add_outcome("richer", 1, 0);
  b.begin_choice("richer", "a").add_outcome("rich", 1, 1);
  const Model model = b.build();
  for (const bool cost : {false, true}) {
    Policy policy = first_choices(model);
    policy.setting.cost = cost;
    int seen[3] = {0, 0, 0};
    for (const Episode& e : episodes(model, policy)) {
      ASSERT_EQ(e.steps.size(), 1U);
      const std::string_view where = model.state_name(e.steps[0].next);
      const Total end = cost ? Total::minus_infinity() : Total::plus_infinity();
      const int sign = cost ? -1 : 1;
      EXPECT_EQ(e.wealth, where == "idle" ? Total(2 * sign) : where == "rich" ? end : Total(sign));
      ++seen[where == "idle" ? 0 : where == "rich" ? 1 : 2];
    }
    for (const int count : seen) EXPECT_GT(count, 5);
  }
  for (const Episode& e : episodes(model, first_choices(model, {"richer"}))) {
    const bool arrived = model.state_name(e.steps[0].next) == "rich";
    EXPECT_EQ(e.wealth, arrived ? Total(0) : Total::miss());
    EXPECT_EQ(e.steps.size(), arrived ? 2U : 1U);
  }
}

TEST(SimulateInfinite, AgreesWithTheDistribution) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const testing::Case c = testing::random_case(seed);
    const Distribution truth = testing::infinite(c.model, c.policy);
    const auto played = simulate(c.model, c.policy, {4000, seed});
    ASSERT_EQ(played.size(), 4000U);
    const Distribution sample = sampled_distribution(tally(played), seed, 1 - 1e-9);
    for (const Distribution* d : {&truth, &sample}) {
      for (const Atom& atom : d->atoms) {
        const ProbabilityBracket share = sample.at_least_bracket(atom.wealth);
        const ProbabilityBracket p = truth.at_least_bracket(atom.wealth);
        ASSERT_LE(share.lower, p.upper) << seed << " " << to_text(atom.wealth);
        ASSERT_GE(share.upper, p.lower) << seed << " " << to_text(atom.wealth);
      }
    }
  }
}

TEST(SimulateInfinite, FollowsTheResidual) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "go").add_outcome("s", "1/3", "1/2").add_outcome("s", "2/3", 0);
  b.begin_choice("s", "stop").add_outcome("end", 1, 0);
  const Model model = b.build();
  Policy policy = first_choices(model);
  policy.target = Rational(9, 4);
  policy.rules[0].runs = {{Rational(0), Choice{1}}, {std::nullopt, Choice{0}}};
  for (const Episode& e : episodes(model, policy)) EXPECT_EQ(e.wealth, Total(Rational(5, 2)));
  // The loop pays until the target is met, and never afterwards: no step is wasted on "stop".
  policy.rules[0].runs[0].choice = Choice{0};
  for (const Episode& e : episodes(model, policy)) {
    EXPECT_EQ(e.wealth, Total::plus_infinity());
  }
}

TEST(SimulateInfinite, TakesBothSignsWithoutPayingCycles) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a").add_outcome("t", "1/2", 5).add_outcome("t", "1/2", -5);
  b.begin_choice("t", "a").add_outcome("t", "1/3", 0).add_outcome("u", "2/3", -1);
  b.begin_choice("u", "a").add_outcome("u", "1/2", 0).add_outcome("v", "1/2", 0);
  b.begin_choice("v", "a").add_outcome("v", 1, 0);
  const Model model = b.build();
  for (const Episode& e : episodes(model, first_choices(model)))
    EXPECT_EQ(e.wealth, Total(e.steps[0].reward > 0 ? 4 : -6));
}

TEST(SimulateInfinite, ComplainsOfMissingRules) {
  const Model model = walk();
  Policy policy = first_choices(model);
  policy.rules.pop_back();  // of "goal", which is none here
  EXPECT_NE(thrown(ErrorCode::bad_policy, [&] { episodes(model, policy); }).find("state 'goal'"),
            std::string::npos);
  policy.setting.goal = {*model.find_state("goal")};
  EXPECT_EQ(episodes(model, policy).size(), 50U);
}

TEST(SimulateInfinite, CanBeStoppedWithinAnEpisode) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a")
      .add_outcome("s", "999999999999/1000000000000", 0)
      .add_outcome("end", "1/1000000000000", 1);
  const Model model = b.build();
  Options options;
  options.time_limit_seconds = 0.05;
  EXPECT_TRUE(simulate(model, first_choices(model), {3, 1}, options).empty());
}

Policy discounted(const Model& model,
                  const char* gamma,
                  const std::vector<std::string>& goal = {}) {
  Policy policy = first_choices(model, goal);
  policy.setting.discount = Rational(gamma);
  return policy;
}

TEST(SimulateDiscounted, StopsWhereWhatFollowsIsNegligible) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a").add_outcome("s", 1, 3);
  const Model model = b.build();
  for (const char* gamma : {"1/2", "9/10", "999/1000"}) {
    const Episode e = simulate(model, discounted(model, gamma), {1, 1}).at(0);
    EXPECT_EQ(e.slack, Rational(3, 1'000'000'000));
    const Rational truth = 3 / (1 - Rational(gamma));
    EXPECT_LE(abs(Rational(e.wealth.value() - truth)), e.slack) << gamma;
    EXPECT_LT(to_text(e.wealth).size(), 20U);
  }
}

TEST(SimulateDiscounted, IsExactWhereEpisodesEnd) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a").add_outcome("s", "1/2", 1).add_outcome("idle", "1/2", 0);
  b.begin_choice("idle", "a").add_outcome("idle", 1, 0);
  const Model model = b.build();
  Policy policy = discounted(model, "1/2");
  policy.setting.cost = true;
  for (const Episode& e : episodes(model, policy)) {
    EXPECT_EQ(e.slack, 0);
    // 1 + 1/2 + ... of all steps but the last.
    Rational truth = 0;
    Rational power = 1;
    for (std::size_t i = 0; i + 1 < e.steps.size(); ++i, power /= 2) truth += power;
    EXPECT_EQ(e.wealth, Total(Rational(-truth)));
  }
}

TEST(SimulateDiscounted, PlaysOnUntilTheGoalIsDecided) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "a")
      .add_outcome("s", "98/100", 1)
      .add_outcome("goal", "1/100", 0)
      .add_outcome("trap", "1/100", 0);
  b.begin_choice("trap", "a").add_outcome("trap", 1, 1);
  const Model model = b.build();
  int reached = 0;
  for (const Episode& e : episodes(model, discounted(model, "1/2", {"goal"}), 200)) {
    const bool arrived = model.state_name(e.steps.back().next) == "goal";
    ASSERT_EQ(e.wealth.is_miss(), !arrived);
    if (!arrived) continue;
    ++reached;
    const Rational slack = e.slack + Rational(1, 1'000'000);
    if (e.steps.size() > 30) {
      EXPECT_LE(abs(Rational(e.wealth.value() - 2)), slack);
    }
  }
  EXPECT_GT(reached, 60);
  EXPECT_LT(reached, 140);
}

TEST(SimulateDiscounted, TheLastRulesHoldOn) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "pay").add_outcome("s", 1, 1);
  b.begin_choice("s", "idle").add_outcome("s", 1, 0);
  const Model model = b.build();
  Policy policy = discounted(model, "1/2");
  policy.truncated_at = 3;
  policy.rules.clear();
  for (std::uint64_t t = 0; t <= 3; ++t)
    policy.rules.push_back({t, State{0}, {{std::nullopt, Choice{t < 3 ? 0U : 1U}}}});
  const Episode e = simulate(model, policy, {1, 1, KeepEpisodes::steps}).at(0);
  EXPECT_EQ(e.wealth, Total(Rational(7, 4)));
  EXPECT_EQ(e.steps.size(), 3U);
  EXPECT_EQ(e.slack, 0);
  // By the index of a grid: pay while more than 1 is missing, in steps of 1/2.
  policy.target = Rational(3, 2);
  policy.grid = PolicyGrid{Rational(1, 2), {}};
  for (std::uint64_t t = 0; t < 3; ++t)
    policy.rules[t].runs = {{Rational(1), Choice{1}}, {std::nullopt, Choice{0}}};
  EXPECT_EQ(simulate(model, policy, {1, 1, KeepEpisodes::steps}).at(0).wealth, Total(1));
}

}  // namespace
}  // namespace quantiplan
