#include "evaluate/infinite/verdicts.hpp"

#include <gtest/gtest.h>

#include "evaluate/stationary_chains.hpp"
#include "numbers/thrown.hpp"
#include "policy/residual_rules.hpp"

namespace quantiplan {
namespace {

using testing::first_choices;

// s pays 3 or 4.5 and goes on; a and b circle without reward, b can leave to s or c; c ends.
Model circles() {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "x").add_outcome("a", "1/2", 3).add_outcome("a", "1/2", "9/2");
  b.begin_choice("a", "stay").add_outcome("b", 1, 0);
  b.begin_choice("b", "stay").add_outcome("a", 1, 0);
  b.begin_choice("b", "back").add_outcome("a", "1/2", 0).add_outcome("s", "1/2", 0);
  b.begin_choice("b", "leave").add_outcome("a", "1/2", 0).add_outcome("c", "1/2", 0);
  b.begin_choice("c", "x").add_outcome("end", 1, 0);
  return b.build();
}
constexpr Choice kStay{2};
constexpr Choice kBack{3};
constexpr Choice kLeave{4};

Policy with_b(const Model& model,
              const std::vector<PolicyRun>& runs,
              const std::vector<std::string>& goal = {}) {
  Policy policy = first_choices(model, goal);
  for (PolicyRule& rule : policy.rules) {
    if (model.state_name(rule.state) == "b") rule.runs = runs;
  }
  return policy;
}

TEST(StationaryRules, CountsInTheLargestUnit) {
  const Model model = circles();
  Policy policy = first_choices(model);
  const StationaryRules rules(model, policy);
  EXPECT_EQ(rules.wealth_unit(), Rational(3, 2));
  EXPECT_EQ(rules.direction(), StationaryRules::Direction::up);
  const auto outcomes = model.outcomes(Choice{0});
  EXPECT_EQ(rules.counts(outcomes[0]), 2);
  EXPECT_EQ(rules.after(5, outcomes[1]), 8);
  policy.setting.cost = true;
  const StationaryRules costs(model, policy);
  EXPECT_EQ(costs.direction(), StationaryRules::Direction::down);
  EXPECT_EQ(costs.counts(outcomes[0]), -2);
  EXPECT_EQ(costs.wealth_unit(), Rational(3, 2));
  policy.setting.adversarial = true;
  const StationaryRules adversary(model, policy);
  EXPECT_EQ(adversary.direction(), StationaryRules::Direction::up);
  EXPECT_EQ(adversary.wealth_unit(), Rational(-3, 2));
}

TEST(StationaryRules, ChooseAsThePolicyDoes) {
  const Model model = circles();
  Policy policy = with_b(model, {{Rational(-4), kLeave}, {Rational(1, 2), kBack}, {{}, kStay}});
  policy.target = 7;
  for (const bool cost : {false, true}) {
    policy.setting.cost = cost;
    const StationaryRules rules(model, policy);
    for (int k = -20; k <= 20; ++k) {
      const Rational residual = 7 - Rational(3, 2) * k;
      EXPECT_EQ(rules.choose(State{2}, k), choose_by_residual(model, policy, 0, State{2}, residual))
          << k;
    }
    // Changes at 7 - 3/2 k <= 1/2 and <= -4: from 5 and 8 on.
    EXPECT_EQ(rules.piece(4), 0U);
    EXPECT_EQ(rules.piece(5), 1U);
    EXPECT_EQ(rules.piece(8), 2U);
    EXPECT_EQ(rules.is_settled(8), !cost);
    EXPECT_EQ(rules.is_settled(4), cost);
    EXPECT_FALSE(rules.is_settled(5));
  }
}

TEST(StationaryRules, RefusesWhatDoesNotFit) {
  const Model model = circles();
  Policy policy = with_b(model, {{Rational(0), kLeave}, {{}, kStay}});
  EXPECT_EQ(thrown(ErrorCode::bad_policy, [&] { const StationaryRules rules(model, policy); }),
            "policy: found a rule by residual target, expected the policy to have a target");
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "x").add_outcome("s", "1/2", "1e30").add_outcome("s", "1/2", 1);
  const Model wide = b.build();
  EXPECT_NE(thrown(ErrorCode::refused,
                   [&] {
                     const Policy first = first_choices(wide);
                     const StationaryRules rules(wide, first);
                   })
                .find("62 bits"),
            std::string::npos);
  // Far thresholds are no harm.
  policy.target = Number("1e30").rational();
  const StationaryRules rules(model, policy);
  EXPECT_EQ(rules.choose(State{2}, 1'000'000), kStay);
}

TEST(Verdicts, AClosedCircleWithoutRewardIsTheTotal) {
  const Model model = circles();
  const Policy policy = with_b(model, {{{}, kStay}});
  const StationaryRules rules(model, policy);
  Verdicts verdicts(rules);
  EXPECT_EQ(verdicts.at(State{0}, 0), Verdict::open);
  EXPECT_EQ(verdicts.at(State{1}, 2), Verdict::total);
  EXPECT_EQ(verdicts.at(State{2}, 2), Verdict::total);
  EXPECT_EQ(verdicts.at(State{4}, 2), Verdict::total);  // terminal
  const Policy to_c = with_b(model, {{{}, kStay}}, {"c"});
  const StationaryRules goal(model, to_c);
  Verdicts missed(goal);
  EXPECT_EQ(missed.at(State{1}, 2), Verdict::miss);
  EXPECT_EQ(missed.at(State{0}, 0), Verdict::miss);
  EXPECT_EQ(missed.at(State{3}, 2), Verdict::total);  // the goal
  EXPECT_EQ(missed.at(State{4}, 2), Verdict::miss);   // terminal elsewhere
}

TEST(Verdicts, ACircleThatPaysIsInfinite) {
  const Model model = circles();
  const Policy policy = with_b(model, {{{}, kBack}});
  const StationaryRules rules(model, policy);
  Verdicts verdicts(rules);
  for (const std::uint32_t s : {0U, 1U, 2U}) EXPECT_EQ(verdicts.at(State{s}, 0), Verdict::infinite);
}

TEST(Verdicts, AWayOutKeepsItOpenForAGoalOnly) {
  const Model model = circles();
  const Policy policy = with_b(model, {{{}, kLeave}});
  const StationaryRules rules(model, policy);
  Verdicts verdicts(rules);
  // Wherever it goes, nothing is added.
  EXPECT_EQ(verdicts.at(State{1}, 2), Verdict::total);
  const Policy to_c = with_b(model, {{{}, kLeave}}, {"c"});
  const StationaryRules goal(model, to_c);
  Verdicts towards(goal);
  EXPECT_EQ(towards.at(State{1}, 2), Verdict::open);
}

TEST(Verdicts, ARuleThatWillChangeKeepsItOpenUntilItHas) {
  const Model model = circles();
  // Back to s until at most -4 is needed, then stay.
  Policy policy = with_b(model, {{Rational(-4), kStay}, {{}, kBack}});
  policy.target = 7;
  const StationaryRules rules(model, policy);
  Verdicts verdicts(rules);
  EXPECT_EQ(verdicts.at(State{1}, 2), Verdict::open);
  EXPECT_EQ(verdicts.at(State{1}, 7), Verdict::open);
  EXPECT_EQ(verdicts.at(State{1}, 8), Verdict::total);
  // Stay until then, and back for ever afterwards.
  policy = with_b(model, {{Rational(-4), kBack}, {{}, kStay}});
  policy.target = 7;
  const StationaryRules reversed(model, policy);
  Verdicts other(reversed);
  EXPECT_EQ(other.at(State{1}, 7), Verdict::total);
  EXPECT_EQ(other.at(State{1}, 8), Verdict::infinite);
  EXPECT_EQ(other.at(State{0}, 7), Verdict::open);
}

}  // namespace
}  // namespace quantiplan
