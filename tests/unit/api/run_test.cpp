// Episodes run by hand, one for each kind of policy.
#include "quantiplan/run.hpp"

#include <gtest/gtest.h>

#include "numbers/thrown.hpp"
#include "quantiplan/solve.hpp"
#include "small_models.hpp"
#include "wealth_of_kind.hpp"

namespace quantiplan {
namespace {

// At "s", for two steps: safe gives 1, bold 3 or 0 with probability 1/2 each.
Model two_steps(const char* discount = "1") {
  ModelBuilder b;
  b.horizon(2).discount(discount).initial("s");
  b.begin_choice("s", "safe").add_outcome("s", 1, 1);
  b.begin_choice("s", "bold").add_outcome("s", "1/2", 3).add_outcome("s", "1/2", 0);
  return b.build();
}
constexpr State kHere{0};
constexpr Choice kSafe{0};
constexpr Choice kBold{1};

Policy for_target(const Model& model, const Rational& target, std::vector<PolicyRule> rules) {
  Policy policy;
  policy.setting = resolve(model, {});
  policy.target = target;
  policy.rules = std::move(rules);
  return policy;
}
PolicyRule rule(std::uint64_t time, std::vector<PolicyRun> runs) {
  return {time, kHere, std::move(runs)};
}

// Bold, and then safe if that is enough.
Policy four_in_two(const Model& model) {
  return for_target(
      model,
      4,
      {rule(0, {{std::nullopt, kBold}}), rule(1, {{Rational(1), kSafe}, {std::nullopt, kBold}})});
}

Rational exact_chance(const Run& run) { return run.chance().value().exact.value(); }

TEST(Run, CarriesTheResidualTarget) {
  const Model model = two_steps();
  const Policy policy = four_in_two(model);
  EXPECT_EQ(kind_of(model, policy), PolicyKind::by_residual);
  auto run = start(model, policy);
  EXPECT_EQ(run.time(), 0U);
  EXPECT_EQ(run.state(), kHere);
  EXPECT_EQ(run.target(), 4);
  EXPECT_EQ(exact_chance(run), Rational(1, 2));  // 3, and then surely 1
  EXPECT_EQ(run.act(), kBold);
  EXPECT_EQ(run.act(kHere), kBold);
  run.observe(3, kHere);
  EXPECT_EQ(run.time(), 1U);
  EXPECT_EQ(run.target(), 1);
  EXPECT_EQ(exact_chance(run), 1);
  EXPECT_FALSE(run.is_over());
  EXPECT_EQ(run.act(), kSafe);
  run.observe(1, kHere);
  EXPECT_TRUE(run.is_over());
  EXPECT_EQ(run.target(), 0);
  EXPECT_EQ(exact_chance(run), 1);
  EXPECT_FALSE(run.wealth().has_value());
}

TEST(Run, CopiesGoOnByThemselves) {
  const Model model = two_steps();
  auto won = start(model, four_in_two(model));
  EXPECT_EQ(won.act(), kBold);
  auto lost = won;
  won.observe(3, kHere);
  lost.observe(0, kHere);
  EXPECT_EQ(won.act(), kSafe);
  EXPECT_EQ(lost.act(), kBold);
  EXPECT_EQ(lost.target(), 4);
  EXPECT_EQ(exact_chance(lost), 0);
  lost.observe(3, kHere);
  EXPECT_EQ(lost.target(), 1);
  EXPECT_EQ(exact_chance(lost), 0);
  lost = won;
  EXPECT_EQ(lost.target(), 1);
  EXPECT_EQ(lost.time(), 1U);
}

TEST(Run, RefusesWhatCannotHappen) {
  const Model model = two_steps();
  auto run = start(model, four_in_two(model));
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { run.observe(3, kHere); }),
            "observe: found no action at this time, expected act() before it");
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { run.act(State{7}); }),
            "act: found state number 7, expected 's', where the episode is at time 0");
  EXPECT_EQ(run.act(), kBold);
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { run.observe(1, kHere); }),
            "observe: found reward 1 and state 's' after action 'bold' in state 's', expected "
            "reward 3 and state 's', or reward 0 and state 's'");
  EXPECT_EQ(
      thrown(ErrorCode::bad_request, [&] { run.observe_label("gold", kHere); }),
      "observe_label: found the label 'gold', expected a reward as the model has them, no label");
  EXPECT_EQ(
      thrown(ErrorCode::bad_request,
             [&] {
               run.observe_vector(std::vector<Rational>{1, Rational(1, 2)}, kHere);
             }),
      "observe_vector: found the vector (1, 0.5), expected a reward as the model has them, no "
      "vector");
  // It is where it was.
  run.observe(0, kHere);
  run.act();
  run.observe(0, kHere);
  EXPECT_EQ(
      thrown(ErrorCode::bad_request, [&] { run.act(); }),
      "act: found an episode that is over, at time 2 in state 's', expected one that goes on");
}

TEST(Run, SaysWhereThePolicyHasNoRule) {
  const Model model = two_steps();
  Policy policy = four_in_two(model);
  policy.rules.pop_back();
  auto run = start(model, policy);
  run.act();
  run.observe(3, kHere);
  EXPECT_EQ(thrown(ErrorCode::bad_policy, [&] { run.act(); }),
            "time 1, state 's': no rule, the policy must have one");
}

TEST(Run, GoesByTimeAloneWithoutATarget) {
  const Model model = two_steps();
  const Policy policy = expectation_policy(model, {});
  EXPECT_EQ(kind_of(model, policy), PolicyKind::by_time);
  auto run = start(model, policy);
  EXPECT_EQ(run.act(), kBold);
  run.observe(0, kHere);
  EXPECT_EQ(run.act(), kBold);
  EXPECT_FALSE(run.target().has_value());
  EXPECT_FALSE(run.chance().has_value());
}

TEST(Run, TellsTargetsInUnitsOfTheTime) {
  const Model model = two_steps("1/2");
  auto run = start(model, four_in_two(model));
  run.act();
  run.observe(3, kHere);
  EXPECT_EQ(run.target(), 2);  // (4 - 3) / (1/2)
  EXPECT_EQ(run.act(), kBold);
  EXPECT_EQ(exact_chance(run), Rational(1, 2));
}

// Whole steps of 1/4 in units of time 0: at time 1 a reward of 1 is worth 2 of them, one of 3 is 6.
TEST(Run, NeverTellsTheIndexOfAGrid) {
  ModelBuilder b;
  b.horizon(2).discount("1/2").initial("s");
  b.begin_choice("s", "sure").add_outcome("s", 1, "3/5");
  b.begin_choice("s", "toss").add_outcome("s", "1/2", 1).add_outcome("s", "1/2", 0);
  const Model model = b.build();
  Policy policy = for_target(model,
                             Rational(5, 4),
                             {rule(0, {{std::nullopt, Choice{1}}}),
                              rule(1, {{Rational(1), Choice{0}}, {std::nullopt, Choice{1}}})});
  policy.grid = PolicyGrid{Rational(1, 4), {}};
  EXPECT_EQ(kind_of(model, policy), PolicyKind::by_index);
  auto won = start(model, policy);
  EXPECT_EQ(won.target(), Rational(5, 4));
  EXPECT_EQ(exact_chance(won), Rational(1, 2));
  EXPECT_EQ(won.act(), Choice{1});
  auto lost = won;
  won.observe(1, kHere);  // 5 - 4 = 1 step left; in truth (5/4 - 1) / (1/2)
  EXPECT_EQ(won.target(), Rational(1, 2));
  EXPECT_EQ(exact_chance(won), 1);
  EXPECT_EQ(won.act(), Choice{0});
  won.observe(Rational(3, 5), kHere);
  EXPECT_EQ(won.target(), Rational(-1, 5));  // (1/2 - 3/5) / (1/2)
  EXPECT_EQ(exact_chance(won), 1);
  lost.observe(0, kHere);
  EXPECT_EQ(lost.target(), Rational(5, 2));
  EXPECT_EQ(lost.act(), Choice{1});
  EXPECT_EQ(exact_chance(lost), 0);
}

// Waiting costs 1 and ends at the goal with 1/2; walking costs 6 and ends there surely.
Model last_bus(std::uint64_t horizon) {
  ModelBuilder b;
  b.horizon(horizon).initial("stop").goal("home").rewards_are_costs();
  b.begin_choice("stop", "wait").add_outcome("home", "1/2", 1).add_outcome("stop", "1/2", 1);
  b.begin_choice("stop", "walk").add_outcome("home", 1, 6);
  b.begin_choice("home", "sleep").add_outcome("home", 1, 0);
  return b.build();
}

TEST(Run, TellsCostsAsCostsAndEndsAtAGoal) {
  const Model model = last_bus(kInfiniteHorizon);
  const State stop = *model.find_state("stop");
  const State home = *model.find_state("home");
  const Policy policy =
      for_target(model, -8, {{0, stop, {{Rational(-7), Choice{0}}, {std::nullopt, Choice{1}}}}});
  EXPECT_EQ(kind_of(model, policy), PolicyKind::stationary);
  auto run = start(model, policy);
  for (const int may_spend : {8, 7}) {
    EXPECT_EQ(run.target(), may_spend);
    EXPECT_EQ(exact_chance(run), 1);
    EXPECT_EQ(model.action_name(run.act()), "wait");
    auto by_bus = run;
    by_bus.observe(1, home);
    EXPECT_TRUE(by_bus.is_over());
    EXPECT_EQ(by_bus.target(), may_spend - 1);
    EXPECT_EQ(exact_chance(by_bus), 1);
    run.observe(1, stop);
  }
  EXPECT_EQ(model.action_name(run.act()), "walk");
  run.observe(6, home);
  EXPECT_EQ(run.target(), 0);
  EXPECT_TRUE(run.is_over());
}

TEST(Run, AMissKeepsNoPromise) {
  const Model model = last_bus(1);
  const State stop = *model.find_state("stop");
  Policy policy = for_target(model, -8, {{0, stop, {{std::nullopt, Choice{0}}}}});
  auto run = start(model, policy);
  EXPECT_EQ(exact_chance(run), Rational(1, 2));
  run.act();
  run.observe(1, stop);
  EXPECT_TRUE(run.is_over());
  EXPECT_EQ(run.target(), 7);
  EXPECT_EQ(exact_chance(run), 0);
  // Merely to arrive: no number is the target.
  policy.target.reset();
  policy.claim.emplace();
  policy.claim->kind = PolicyClaim::Kind::threshold;
  policy.claim->quantile = Total::minus_infinity();
  const auto arriving = start(model, policy);
  EXPECT_FALSE(arriving.target().has_value());
  EXPECT_EQ(exact_chance(arriving), Rational(1, 2));
}

// One step, 5 or 6 with probabilities 3/4 and 1/4.
Policy adversary(const Model& model, const Rational& target, bool cost) {
  Policy policy = for_target(model, target, {rule(0, {{std::nullopt, Choice{0}}})});
  policy.setting.adversarial = true;
  policy.setting.cost = cost;
  return policy;
}

TEST(Run, AnAdversaryKeepsWealthLow) {
  ModelBuilder b;
  b.horizon(1).initial("s");
  b.begin_choice("s", "a").add_outcome("s", "3/4", 5).add_outcome("s", "1/4", 6);
  const Model model = b.build();
  // He shows that no more than 5 is guaranteed, and counts -5 as his target.
  auto run = start(model, adversary(model, -5, false));
  EXPECT_EQ(run.target(), 5);
  EXPECT_EQ(exact_chance(run), Rational(3, 4));
  run.act();
  run.observe(6, kHere);
  EXPECT_EQ(run.target(), -1);
  EXPECT_EQ(exact_chance(run), 0);
  // With costs: that no less than 6 is sure to do.
  const auto costly = start(model, adversary(model, 6, true));
  EXPECT_EQ(costly.target(), 6);
  EXPECT_EQ(exact_chance(costly), Rational(1, 4));
  // A claim speaks of wealth: its upper end is what he shows; of a threshold, P(W >= target).
  Policy claiming = adversary(model, -4, false);
  claiming.claim.emplace();
  claiming.claim->quantile = 4;
  claiming.claim->upper = Total(5);
  EXPECT_EQ(exact_chance(start(model, claiming)), Rational(3, 4));
  claiming.claim->kind = PolicyClaim::Kind::threshold;
  claiming.claim->quantile = 6;
  EXPECT_EQ(exact_chance(start(model, claiming)), Rational(1, 4));
}

TEST(Run, TheLastRulesHoldOn) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).discount("1/2").initial("s");
  b.begin_choice("s", "pay").add_outcome("s", 1, 1);
  b.begin_choice("s", "idle").add_outcome("s", 1, 0);
  const Model model = b.build();
  Policy policy = for_target(model,
                             Rational(3, 2),
                             {rule(0, {{std::nullopt, Choice{0}}}),
                              rule(1, {{Rational(1), Choice{0}}, {std::nullopt, Choice{1}}}),
                              rule(2, {{std::nullopt, Choice{1}}})});
  policy.truncated_at = 2;
  EXPECT_EQ(kind_of(model, policy), PolicyKind::by_residual);
  auto run = start(model, policy);
  const int rewards[] = {1, 1, 0, 0, 0};
  const Rational targets[] = {Rational(3, 2), 1, 0, 0, 0};
  for (int t = 0; t < 5; ++t) {
    EXPECT_EQ(run.target(), targets[t]) << t;
    EXPECT_EQ(run.chance().value().least(), 1) << t;
    EXPECT_EQ(run.act(), Choice{rewards[t] == 1 ? 0U : 1U}) << t;
    run.observe(rewards[t], kHere);
    EXPECT_FALSE(run.is_over());
  }
}

// Two steps of 5 or 1, each with 1/2, judged by the greatest.
TEST(Run, GoesByWealth) {
  ModelBuilder b;
  b.wealth(testing::of_kind(WealthKind::max)).horizon(2).initial("s");
  b.begin_choice("s", "a").add_outcome("s", "1/2", 5).add_outcome("s", "1/2", 1);
  const Model model = b.build();
  const Answer answer = solve(model, {{Rational(3, 10)}, Sides::lower, {}});
  const Policy policy = answer.results.front().policy();
  ASSERT_EQ(policy.claim->level, "5");
  EXPECT_EQ(kind_of(model, policy), PolicyKind::by_wealth);
  auto run = start(model, policy);
  EXPECT_EQ(run.wealth(), "-inf");
  EXPECT_EQ(exact_chance(run), Rational(3, 4));
  run.act();
  auto rich = run;
  rich.observe(5, kHere);
  EXPECT_EQ(rich.wealth(), "5");
  EXPECT_EQ(exact_chance(rich), 1);
  run.observe(1, kHere);
  EXPECT_EQ(run.wealth(), "1");
  EXPECT_FALSE(run.target().has_value());
  EXPECT_EQ(exact_chance(run), Rational(1, 2));
  run.act();
  run.observe(1, kHere);
  EXPECT_TRUE(run.is_over());
  EXPECT_EQ(exact_chance(run), 0);  // "5" is out of reach, and better than what was reached
}

TEST(Run, ObservesLabelsAndVectors) {
  Wealth counts = testing::of_kind(WealthKind::counts);
  counts.labels = {"silver", "gold"};
  ModelBuilder b;
  b.wealth(counts).horizon(2).initial("s");
  b.begin_choice("s", "a")
      .add_outcome("s", "1/2", *b.reward("gold"))
      .add_outcome("s", "1/4", *b.reward("silver"))
      .add_outcome("s", "1/4", Number(Wealth::kNoLabel));
  const Model model = b.build();
  Policy policy = for_target(
      model, 0, {rule(0, {{std::nullopt, Choice{0}}}), rule(1, {{std::nullopt, Choice{0}}})});
  policy.target.reset();
  auto run = start(model, policy);
  run.act();
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { run.observe_label("bronze", kHere); }),
            "observe_label: found the label 'bronze', expected one of the model's");
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { run.observe_label("gold", State{3}); }),
            "observe: found reward 'gold' and state number 3 after action 'a' in state 's', "
            "expected reward 'gold' and state 's', or reward 'silver' and state 's', or no label "
            "and state 's'");
  run.observe_label("gold", kHere);
  EXPECT_EQ(run.wealth(), "1 gold");
  run.act();
  run.observe_label("", kHere);
  EXPECT_EQ(run.wealth(), "1 gold");
  EXPECT_FALSE(run.chance().has_value());

  Wealth pairs = testing::of_kind(WealthKind::lexicographic);
  pairs.components = {{"late", true}, {"euros", false}};
  ModelBuilder v;
  v.wealth(pairs).horizon(1).initial("s");
  const std::vector<Rational> reward{1, Rational(5, 2)};
  v.begin_choice("s", "a").add_outcome("s", 1, *v.reward(reward));
  const Model vectors = v.build();
  policy.setting = resolve(vectors, {});
  policy.rules.pop_back();
  auto paid = start(vectors, policy);
  paid.act();
  paid.observe_vector(reward, kHere);
  EXPECT_EQ(paid.wealth(), "(1 late, 2.5 euros)");
}

// The number of ones in a row, to the last step.
struct Streak {
  using Wealth = int;
  [[nodiscard]] static int initial() { return 0; }
  [[nodiscard]] static int update(int streak, const Reward& reward) {
    return reward.number == 1 ? streak + 1 : 0;
  }
  [[nodiscard]] static std::weak_ordering order(int a, int b) { return a <=> b; }
  [[nodiscard]] static std::string text(int streak) { return std::to_string(streak) + " in a row"; }
};

TEST(Run, GoesByAStructureOfOnesOwn) {
  const Model model = testing::coin(2);
  const auto streak = make_structure(model, Streak{});
  Query query{{Rational(6, 10)}, Sides::lower, {}};
  query.setting.structure = streak;
  const Answer answer = solve(model, query);
  const Policy policy = answer.results.front().policy();
  ASSERT_EQ(policy.claim->level, "1 in a row");
  auto run = start(model, streak, policy);
  EXPECT_EQ(exact_chance(run), Rational(1, 2));
  run.act();
  run.observe(1, kHere);
  EXPECT_EQ(run.wealth(), "1 in a row");
  EXPECT_EQ(exact_chance(run), Rational(1, 2));
  run.act();
  run.observe(0, kHere);
  EXPECT_EQ(exact_chance(run), 0);
}

TEST(Run, ChancesAreThoseOfTheClaim) {
  const Model model = testing::commute();
  for (const auto& [tau, first] : {std::pair("1/10", "bike"), std::pair("1/2", "train")}) {
    const Answer answer = solve(model, {{Rational(tau)}, Sides::lower, {}});
    const Policy policy = answer.results.front().policy();
    auto run = start(model, policy);
    EXPECT_EQ(run.target(), policy.claim->quantile.value());
    EXPECT_EQ(exact_chance(run), policy.claim->exact_probability);
    EXPECT_EQ(model.action_name(run.act()), first);
  }
}

TEST(Run, StartsInTheStateThatWasDrawn) {
  ModelBuilder b;
  b.horizon(1).add_initial("s", "1/4").add_initial("t", "3/4");
  b.begin_choice("s", "go").add_outcome("end", 1, 1);
  b.begin_choice("t", "go").add_outcome("end", "1/2", 1).add_outcome("end", "1/2", 0);
  const Model model = b.build();
  Policy policy;
  policy.setting = resolve(model, {});
  policy.target = 1;
  policy.rules = {{0, *model.find_state("s"), {{std::nullopt, Choice{0}}}},
                  {0, *model.find_state("t"), {{std::nullopt, Choice{1}}}}};
  // A quarter of all bits.
  EXPECT_EQ(drawn_initial(policy.setting, 0), *model.find_state("s"));
  EXPECT_EQ(drawn_initial(policy.setting, (std::uint64_t{1} << 62U) - 1), *model.find_state("s"));
  EXPECT_EQ(drawn_initial(policy.setting, std::uint64_t{1} << 62U), *model.find_state("t"));
  EXPECT_EQ(exact_chance(start(model, policy, *model.find_state("s"))), 1);
  EXPECT_EQ(exact_chance(start(model, policy, *model.find_state("t"))), Rational(1, 2));
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { start(model, policy); }),
            "start: found 2 initial states, expected the one that was drawn, as drawn_initial() "
            "draws");
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { start(model, policy, *model.find_state("end")); }),
            "start: found state 'end', expected an initial one");
}

}  // namespace
}  // namespace quantiplan
