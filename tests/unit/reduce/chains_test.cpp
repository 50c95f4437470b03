// States with one way on, by hand.
#include "reduce/chains.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

std::optional<ReducedModel> shortened(const Model& model, const Setting& asked = {}) {
  const Options options;
  Limits limits(options);
  return without_chains(model, resolve(model, asked), limits);
}

// s -1-> a -2-> b -0-> {goal, s}: a goes, b has two outcomes.
ModelBuilder errand() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s").goal("goal");
  b.begin_choice("s", "walk").add_outcome("a", 1, -1);
  b.begin_choice("s", "ride").add_outcome("goal", "1/3", -5).add_outcome("a", "2/3", -4);
  b.begin_choice("a", "on").add_outcome("b", 1, -2);
  b.begin_choice("b", "knock").add_outcome("goal", "1/2", 0).add_outcome("s", "1/2", 0);
  return b;
}

TEST(Chains, ArePassedOverAndTheirRewardsAddedUp) {
  const Model model = errand().build();
  const auto found = shortened(model);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->model.state_count(), 3U);
  EXPECT_EQ(found->state_of[index(*model.find_state("a"))], ReducedModel::kNone);
  const State s = *found->model.find_state("s");
  const State b = *found->model.find_state("b");
  EXPECT_EQ(found->setting.initial.only(), s);
  ASSERT_EQ(found->setting.goal.size(), 1U);
  EXPECT_EQ(found->model.state_name(found->setting.goal[0]), "goal");
  const auto walk = found->model.outcomes(*found->model.find_choice(s, "walk"));
  ASSERT_EQ(walk.size(), 1U);
  EXPECT_EQ(walk[0].next, b);
  EXPECT_EQ(found->model.reward(walk[0]), -3);
  const auto ride = found->model.outcomes(*found->model.find_choice(s, "ride"));
  ASSERT_EQ(ride.size(), 2U);
  EXPECT_EQ(found->model.reward(ride[1]), -6);
  EXPECT_EQ(found->model.probability(ride[1]), Rational(2, 3));
}

TEST(Chains, APolicySaysWhatToDoOnTheWay) {
  const Model model = errand().build();
  const auto found = shortened(model);
  ASSERT_TRUE(found);
  Policy small;
  small.setting = found->setting;
  const State s = *found->model.find_state("s");
  const State b = *found->model.find_state("b");
  small.rules = {{0,
                  s,
                  {{Rational(-7), *found->model.find_choice(s, "walk")},
                   {std::nullopt, *found->model.find_choice(s, "ride")}}},
                 {0, b, {{std::nullopt, *found->model.find_choice(b, "knock")}}}};
  const Options options;
  const Limits limits(options);
  const Policy policy = lifted(model, resolve(model, {}), *found, small, limits);
  ASSERT_EQ(policy.rules.size(), 3U);
  EXPECT_EQ(policy.rules[0].runs.size(), 2U);
  EXPECT_EQ(model.action_name(policy.rules[0].runs[1].choice), "ride");
  EXPECT_EQ(model.action_name(policy.rules[1].runs[0].choice), "on");
}

// Staying for nothing, or for a reward at every round, is no way on.
TEST(Chains, CyclesAreKept) {
  for (const int reward : {0, -1}) {
    ModelBuilder b = errand();
    b.begin_choice("b", "leave").add_outcome("c", 1, 0);
    b.begin_choice("c", "on").add_outcome("d", 1, 0);
    b.begin_choice("d", "on").add_outcome("e", 1, reward);
    b.begin_choice("e", "on").add_outcome("d", 1, 0);
    const Model model = b.build();
    const auto found = shortened(model);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->model.find_state("c"));
    EXPECT_TRUE(found->model.find_state("d"));
    EXPECT_TRUE(found->model.find_state("e"));
    const State at = *found->model.find_state("b");
    const auto leave = found->model.outcomes(*found->model.find_choice(at, "leave"));
    EXPECT_EQ(leave[0].next, *found->model.find_state("d"));
  }
}

TEST(Chains, InitialStatesAreKept) {
  Setting asked;
  asked.initial = InitialNames("a");
  const auto found = shortened(errand().build(), asked);
  EXPECT_FALSE(found);
}

TEST(Chains, OfAnotherReductionAreOne) {
  const Model model = errand().build();
  const auto first = shortened(model);
  ASSERT_TRUE(first);
  ReducedModel second = *first;
  const std::size_t states = first->model.state_count();
  second.state_of.assign(states, 0);
  second.choice_of.assign(first->model.choice_count(), 7);
  const ReducedModel both = composed(*first, second);
  EXPECT_EQ(both.state_of.size(), model.state_count());
  EXPECT_EQ(both.state_of[index(*model.find_state("a"))], ReducedModel::kNone);
  EXPECT_EQ(both.state_of[index(*model.find_state("b"))], 0U);
  EXPECT_EQ(both.choice_of[index(*model.find_choice(*model.find_state("b"), "knock"))], 7U);
}

}  // namespace
}  // namespace quantiplan
