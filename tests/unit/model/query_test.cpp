#include "quantiplan/query.hpp"

#include <gtest/gtest.h>

#include "numbers/thrown.hpp"

namespace quantiplan {
namespace {

Model walk(bool with_setting) {
  ModelBuilder builder;
  if (with_setting) builder.horizon(3).discount("0.9").initial("home");
  builder.begin_choice("home", "go").add_outcome("office", 1, 1);
  return builder.build();
}

std::string refused(const Model& model, const Setting& setting) {
  return thrown(ErrorCode::bad_request, [&] { resolve(model, setting); });
}

std::string refused(const Query& query) {
  return thrown(ErrorCode::bad_request, [&] { questions(query); });
}

TEST(Resolve, TakesWhatTheModelSays) {
  const ResolvedSetting setting = resolve(walk(true), {});
  EXPECT_EQ(setting.horizon, 3U);
  EXPECT_EQ(setting.discount, Rational(9, 10));
  EXPECT_EQ(setting.initial, State{0});
}

TEST(Resolve, PrefersWhatIsGiven) {
  ModelBuilder builder;
  builder.horizon(3).discount("0.9").initial("a");
  builder.begin_choice("a", "x").add_outcome("b", 1, 1).begin_choice("b", "x").add_outcome(
      "a", 1, 1);
  const ResolvedSetting setting = resolve(builder.build(), {7, Rational(1, 2), "b"});
  EXPECT_EQ(setting.horizon, 7U);
  EXPECT_EQ(setting.discount, Rational(1, 2));
  EXPECT_EQ(setting.initial, State{1});
}

TEST(Resolve, TheDiscountIsOneUnlessSaid) {
  EXPECT_EQ(resolve(walk(false), {1, std::nullopt, "home"}).discount, 1);
}

TEST(Resolve, NamesEveryMissingPiece) {
  EXPECT_EQ(refused(walk(false), {}),
            "no horizon: the model has none; give --horizon N, or --horizon infinite\n"
            "no initial state: the model has none; give --initial STATE");
}

TEST(Resolve, NamesEveryWrongPiece) {
  EXPECT_EQ(refused(walk(true), {0, Rational(-1), "hom"}),
            "--horizon: found 0, must be from 1 to 1000000000, or infinite\n"
            "--discount: found -1, must be above 0 and at most 1\n"
            "--initial: unknown state 'hom', must be a state of the model; did you mean 'home'?");
  EXPECT_EQ(refused(walk(true), {1000000001, std::nullopt, std::nullopt}),
            "--horizon: found 1000000001, must be from 1 to 1000000000, or infinite");
}

TEST(Resolve, TakesAnInitialStateWithoutChoices) {
  EXPECT_EQ(refused(walk(true), {std::nullopt, std::nullopt, "office"}), "");
}

Model trip() {
  ModelBuilder builder;
  builder.horizon(kInfiniteHorizon).initial("home").goal("office").rewards_are_costs();
  builder.begin_choice("home", "go").add_outcome("station", 1, 1).add_outcome("office", 0, 1);
  builder.begin_choice("station", "go").add_outcome("office", 1, 1);
  return builder.build();
}

TEST(Resolve, TakesGoalsCostsAndNoEndFromTheModel) {
  const Model model = trip();
  const ResolvedSetting setting = resolve(model, {});
  EXPECT_TRUE(setting.is_infinite());
  ASSERT_EQ(setting.goal.size(), 1U);
  EXPECT_EQ(model.state_name(setting.goal[0]), "office");
  EXPECT_TRUE(setting.cost);
  EXPECT_FALSE(setting.adversarial);
  EXPECT_FALSE(setting.is_plain());
  EXPECT_TRUE(resolve(walk(true), {}).is_plain());
}

TEST(Resolve, PrefersGoalsAndCostsThatAreGiven) {
  const Model model = trip();
  Setting given;
  given.horizon = 5;
  given.goal = std::vector<std::string>{"station", "office", "station"};
  given.cost = false;
  given.adversarial = true;
  const ResolvedSetting setting = resolve(model, given);
  EXPECT_EQ(setting.horizon, 5U);
  EXPECT_FALSE(setting.is_infinite());
  EXPECT_EQ(setting.goal.size(), 2U);
  EXPECT_LT(setting.goal[0], setting.goal[1]);
  EXPECT_FALSE(setting.cost);
  EXPECT_TRUE(setting.adversarial);
  given.goal->clear();
  EXPECT_TRUE(resolve(model, given).goal.empty());
}

TEST(Resolve, RefusesGoalsThatAreNone) {
  Setting given;
  given.goal = std::vector<std::string>{"offce"};
  EXPECT_EQ(refused(trip(), given),
            "--goal: unknown state 'offce', must be a state of the model; did you mean 'office'?");
  given.goal = std::vector<std::string>{"home"};
  EXPECT_EQ(refused(trip(), given), "");  // it is met at once
}

TEST(Questions, BothMeansLowerThenUpperWhereDefined) {
  std::string text;
  for (const Question& q : questions({{0, Rational(1, 2), 1}, Sides::both, {}})) {
    text += q.tau.get_str() + " " + std::string(to_text(q.side)) + "; ";
  }
  EXPECT_EQ(text, "0 upper; 1/2 lower; 1/2 upper; 1 lower; ");
}

TEST(Questions, OneSideIsAskedForAllTaus) {
  const auto lower = questions({{Rational(1, 10), 1}, Sides::lower, {}});
  ASSERT_EQ(lower.size(), 2U);
  EXPECT_EQ(lower[1].tau, 1);
  EXPECT_EQ(lower[1].side, Side::lower);
  EXPECT_EQ(questions({{0}, Sides::upper, {}}).size(), 1U);
}

TEST(Questions, RefuseWhatIsUndefined) {
  EXPECT_EQ(refused(Query{}), "--tau: none given, must have at least one");
  EXPECT_EQ(refused(Query{{Rational(-1, 10), Rational(3, 2)}, Sides::both, {}}),
            "--tau: found -0.1, must be from 0 to 1\n--tau: found 1.5, must be from 0 to 1");
  EXPECT_EQ(refused(Query{{0}, Sides::lower, {}}),
            "--tau: the lower quantile is undefined at 0; give --side upper");
  EXPECT_EQ(refused(Query{{1}, Sides::upper, {}}),
            "--tau: the upper quantile is undefined at 1; give --side lower");
}

}  // namespace
}  // namespace quantiplan
