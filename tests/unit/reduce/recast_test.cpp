#include "reduce/recast.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

// One step: 3 and the goal, or 1 and an end that is none, with probability 1/2 each; or surely 2 and
// the end.
Model door() {
  ModelBuilder b;
  b.horizon(1).initial("s");
  b.begin_choice("s", "knock").add_outcome("goal", "1/2", 3).add_outcome("end", "1/2", 1);
  b.begin_choice("s", "leave").add_outcome("end", 1, 2);
  return b.build();
}

ResolvedSetting setting_of(const Model& model, bool goal, bool cost, bool adversarial) {
  Setting setting;
  if (goal) setting.goal = std::vector<std::string>{"goal"};
  setting.cost = cost;
  setting.adversarial = adversarial;
  return resolve(model, setting);
}

TEST(Recast, LeavesAPlainProblemAsItIs) {
  const Model model = door();
  const Recast recast(model, setting_of(model, false, false, false));
  EXPECT_EQ(&recast.plain_model().rewards(), &model.rewards());
  EXPECT_EQ(recast.plain_model().outcomes(Choice{0}).data(), model.outcomes(Choice{0}).data());
  EXPECT_EQ(recast.total(Rational(7)), Total(7));
  EXPECT_EQ(recast.plain_target(Total(2)).first, 2);
  EXPECT_FALSE(recast.plain_target(Total(2)).strictly);
}

TEST(Recast, CountsCostsBelowZero) {
  const Model model = door();
  const Recast recast(model, setting_of(model, false, true, false));
  const Model& plain = recast.plain_model();
  const Choice leave = plain.choices(recast.plain_setting().initial.only())[1];
  EXPECT_EQ(plain.reward(plain.outcomes(leave).front()), -2);
  // A wealth of -2 is a cost of 2: totals stay wealth.
  EXPECT_EQ(recast.total(Rational(-2)), Total(-2));
}

TEST(Recast, PutsGoalsAboveEveryMiss) {
  const Model model = door();
  const Recast recast(model, setting_of(model, true, false, false));
  const Model& plain = recast.plain_model();
  const Choice knock = plain.choices(recast.plain_setting().initial.only())[0];
  const Rational reached = plain.reward(plain.outcomes(knock)[0]);
  const Rational bonus = reached - 3;
  EXPECT_GT(bonus, recast.range());
  EXPECT_EQ(plain.reward(plain.outcomes(knock)[1]), 1);
  EXPECT_EQ(recast.total(reached), Total(3));
  EXPECT_TRUE(recast.total(Rational(1)).is_miss());
  EXPECT_EQ(recast.plain_target(Total(3)).first, reached);
  // Merely to arrive is less than any total of those who do, and more than that of any other.
  EXPECT_LE(recast.plain_target(Total::minus_infinity()).first, reached);
  EXPECT_GT(recast.plain_target(Total::minus_infinity()).first, 2);
}

TEST(Recast, TurnsAnAdversarysQuestionsRound) {
  const Model model = door();
  const Recast recast(model, setting_of(model, false, false, true));
  const Question question = recast.plain(Question{Rational(1, 10), Side::lower});
  EXPECT_EQ(question.tau, Rational(9, 10));
  EXPECT_EQ(question.side, Side::upper);
  EXPECT_EQ(recast.total(Rational(-2)), Total(2));
  // He wants W < 2, that is -W > -2.
  EXPECT_EQ(recast.plain_target(Total(2)).first, -2);
  EXPECT_TRUE(recast.plain_target(Total(2)).strictly);
}

TEST(Recast, MovesTargetsAndRunsByTheBonusAndBack) {
  const Model model = door();
  const ResolvedSetting setting = setting_of(model, true, false, false);
  const Recast recast(model, setting);
  Policy policy;
  policy.setting = setting;
  policy.target = Rational(3);
  const auto choices = model.choices(setting.initial.only());
  policy.rules.push_back(
      {0, setting.initial.only(), {{Rational(3), choices[0]}, {std::nullopt, choices[1]}}});
  const Policy plain = recast.plain(policy);
  EXPECT_EQ(*plain.target, recast.plain_target(Total(3)).first);
  EXPECT_EQ(*plain.rules[0].runs[0].upto - 3, *plain.target - 3);
  const Policy back = recast.policy(plain);
  EXPECT_EQ(*back.target, 3);
  EXPECT_EQ(*back.rules[0].runs[0].upto, 3);
  EXPECT_EQ(back.rules[0].runs[1].choice, choices[1]);
}

TEST(Recast, GathersMissesIntoOneAtomAndLeavesNoMean) {
  const Model model = door();
  const Recast recast(model, setting_of(model, true, false, false));
  const Rational reached = recast.plain_target(Total(3)).first;
  Distribution plain;
  plain.atoms = {{Rational(1), Value::exactly(Rational(1, 4))},
                 {Rational(2), Value::exactly(Rational(1, 4))},
                 {reached, Value::exactly(Rational(1, 2))}};
  plain.mean = Value::exactly(Rational(0));
  const Distribution out = recast.distribution(plain);
  ASSERT_EQ(out.atoms.size(), 2U);
  EXPECT_TRUE(out.atoms[0].wealth.is_miss());
  EXPECT_EQ(*out.atoms[0].probability.exact, Rational(1, 2));
  EXPECT_EQ(out.atoms[1].wealth, Total(3));
  EXPECT_FALSE(out.mean.exact);
}

}  // namespace
}  // namespace quantiplan
