#include "policy/residual_rules.hpp"

#include <gtest/gtest.h>

#include "numbers/thrown.hpp"

namespace quantiplan {
namespace {

Model two_actions() {
  ModelBuilder builder;
  builder.begin_choice("a", "x").add_outcome("b", 1, 1).begin_choice("a", "y").add_outcome(
      "b", 1, 2);
  return builder.build();
}

TEST(ResidualRules, ChoosesTheFirstRunThatHoldsTheResidual) {
  const Model model = two_actions();
  Policy policy;
  policy.rules.push_back(
      {0, State{0}, {{Rational(-40), Choice{0}}, {Rational(5), Choice{1}}, {{}, Choice{0}}}});
  policy.rules.push_back({2, State{0}, {{{}, Choice{1}}}});
  EXPECT_EQ(choose_by_residual(model, policy, 0, State{0}, -41), Choice{0});
  EXPECT_EQ(choose_by_residual(model, policy, 0, State{0}, -40),
            Choice{0});  // upto includes its end
  EXPECT_EQ(choose_by_residual(model, policy, 0, State{0}, Rational(-399, 10)), Choice{1});
  EXPECT_EQ(choose_by_residual(model, policy, 0, State{0}, 5), Choice{1});
  EXPECT_EQ(choose_by_residual(model, policy, 0, State{0}, 6), Choice{0});
  EXPECT_EQ(choose_by_residual(model, policy, 2, State{0}, 0), Choice{1});
}

TEST(ResidualRules, SaysWhereItHasNoRule) {
  const Model model = two_actions();
  Policy policy;
  policy.rules.push_back({0, State{0}, {{Rational(1), Choice{0}}}});
  EXPECT_EQ(thrown(ErrorCode::bad_policy,
                   [&] { (void)choose_by_residual(model, policy, 1, State{0}, 0); }),
            "time 1, state 'a': no rule, the policy must have one");
  EXPECT_EQ(thrown(ErrorCode::bad_policy,
                   [&] { (void)choose_by_residual(model, policy, 0, State{1}, 0); }),
            "time 0, state 'b': no rule, the policy must have one");
  EXPECT_EQ(thrown(ErrorCode::bad_policy,
                   [&] { (void)choose_by_residual(model, policy, 0, State{0}, 2); }),
            "time 0, state 'a': no action above the last 'upto'");
}

// gamma = 0.9, H_0 = 1/4, H_t = 1/8 from time 1 on, 1/32 from time 3 on.
Policy on_a_grid() {
  Policy policy;
  policy.setting.horizon = 4;
  policy.setting.discount = Rational(9, 10);
  policy.target = Rational(5, 2);
  policy.grid = PolicyGrid{Rational(1, 4), {1, 3, 3}};
  return policy;
}

TEST(ResidualRules, CountsItsTargetInUnitsOfTheGrid) {
  EXPECT_EQ(first_residual(on_a_grid()), 10);
  Policy policy = on_a_grid();
  policy.grid.reset();
  EXPECT_EQ(first_residual(policy), Rational(5, 2));
  policy.target.reset();
  EXPECT_EQ(first_residual(policy), 0);
}

TEST(ResidualRules, RoundsRewardsDownToTheGridOfTheirTime) {
  const Policy policy = on_a_grid();
  // Time 0: 1 / (1/4) = 4 steps; then twice as many, as the grid of time 1 is twice as fine.
  EXPECT_EQ(next_residual(policy, 0, 10, 1), (10 - 4) * 2);
  EXPECT_EQ(next_residual(policy, 0, 10, Rational(9, 8)), (10 - 4) * 2);
  // Time 1: 0.9 / (1/8) = 7.2, rounded down; the step of time 2 is the same.
  EXPECT_EQ(next_residual(policy, 1, 12, 1), 12 - 7);
  // Time 2: 0.81 * -1 / (1/8) = -6.48, rounded down to -7; the step of time 3 is a quarter.
  EXPECT_EQ(next_residual(policy, 2, 5, -1), (5 + 7) * 4);
  // Time 3: 0.729 / (1/32) = 23.328.
  EXPECT_EQ(next_residual(policy, 3, 24, 1), 1);
  EXPECT_EQ(next_residual(policy, 3, 24, 0), 24);
}

TEST(ResidualRules, CarriesTheRealResidualWithoutAGrid) {
  Policy policy = on_a_grid();
  policy.grid.reset();
  EXPECT_EQ(next_residual(policy, 2, Rational(5, 2), 1), Rational(5, 3));
}

TEST(ResidualRules, CountsCostsAndAnAdversarysGainsAsNegative) {
  for (const bool on_grid : {false, true}) {
    Policy policy = on_a_grid();
    if (!on_grid) policy.grid.reset();
    const auto next = [&](bool cost, bool adversarial, const Rational& reward) {
      policy.setting.cost = cost;
      policy.setting.adversarial = adversarial;
      return next_residual(policy, 2, 4, reward);
    };
    const Rational gained = next(false, false, 1);
    EXPECT_EQ(next(true, false, -1), gained);
    EXPECT_EQ(next(false, true, -1), gained);
    EXPECT_EQ(next(true, true, 1), gained);
    EXPECT_EQ(next(true, false, 1), next(false, false, -1));
  }
}

TEST(ResidualRules, WithoutEndItsRulesHoldAtAllTimes) {
  const Model model = two_actions();
  Policy policy;
  policy.setting.horizon = kInfiniteHorizon;
  policy.rules.push_back({0, State{0}, {{Rational(1), Choice{0}}, {{}, Choice{1}}}});
  EXPECT_EQ(choose_by_residual(model, policy, 0, State{0}, 1), Choice{0});
  EXPECT_EQ(choose_by_residual(model, policy, 1'000'000, State{0}, 1), Choice{0});
  EXPECT_EQ(choose_by_residual(model, policy, 1'000'000, State{0}, 2), Choice{1});
  policy.rules.push_back({1, State{0}, {{{}, Choice{0}}}});
  policy.truncated_at = 1;
  EXPECT_EQ(choose_by_residual(model, policy, 0, State{0}, 2), Choice{1});
  EXPECT_EQ(choose_by_residual(model, policy, 1, State{0}, 2), Choice{0});
  EXPECT_EQ(choose_by_residual(model, policy, 1'000'000, State{0}, 2), Choice{0});
}

TEST(ResidualRules, ReachesItsTargetWhenTheLastIndexIsNotPositive) {
  // Every wealth of two steps on the grid: the index never promises more than was collected.
  const Policy policy = on_a_grid();
  for (int r = -20; r <= 20; ++r) {
    for (int u = -20; u <= 20; ++u) {
      const Rational first = Rational(r) / 7;
      const Rational second = Rational(u) / 3;
      const Rational wealth = first + policy.setting.discount * second;
      const Rational last =
          next_residual(policy, 1, next_residual(policy, 0, first_residual(policy), first), second);
      const Rational promised = *policy.target - last / 8;
      EXPECT_LE(promised, wealth);
      EXPECT_LT(wealth, promised + Rational(1, 4) + Rational(1, 8));
    }
  }
}

}  // namespace
}  // namespace quantiplan
