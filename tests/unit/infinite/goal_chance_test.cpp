#include "infinite/goal_chance.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

TEST(GoalChance, IsThatOfTheBestChoiceFromEveryState) {
  // try: the goal with 1/3, else lost; wait: s again. At `lost` nothing leads anywhere.
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "wait").add_outcome("s", 1, 0);
  b.begin_choice("s", "try").add_outcome("goal", "1/3", 0).add_outcome("lost", "2/3", 0);
  const Model model = b.build();
  Setting setting;
  setting.horizon = kInfiniteHorizon;
  setting.goal = std::vector<std::string>{"goal"};
  const ResolvedSetting resolved = resolve(model, setting);
  const Options options;
  Limits limits(options);
  const auto found = goal_chance(model, resolved, limits);
  ASSERT_TRUE(found);
  const std::size_t s = index(resolved.initial.only());
  EXPECT_EQ(found->low[s], Rational(1, 3));
  EXPECT_EQ(found->high[s], Rational(1, 3));
  EXPECT_EQ(found->choice[s], model.choices(resolved.initial.only())[1]);
}

TEST(GoalChance, OfAnAdversaryIsThatOfNeverArriving) {
  ModelBuilder b;
  b.initial("s");
  b.begin_choice("s", "try").add_outcome("goal", "1/3", 0).add_outcome("lost", "2/3", 0);
  const Model model = b.build();
  Setting setting;
  setting.horizon = kInfiniteHorizon;
  setting.goal = std::vector<std::string>{"goal"};
  setting.adversarial = true;
  const ResolvedSetting resolved = resolve(model, setting);
  const Options options;
  Limits limits(options);
  const auto found = goal_chance(model, resolved, limits);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->low[index(resolved.initial.only())], Rational(2, 3));
}

}  // namespace
}  // namespace quantiplan
