#include <gtest/gtest.h>

#include "quantiplan/model.hpp"

namespace quantiplan {
namespace {

Choice only_choice(const Model& model, std::string_view state) {
  return *model.choices(*model.find_state(state)).begin();
}

// "next probability reward" of each outcome, in order.
std::string outcomes_of(const Model& model, Choice choice) {
  std::string text;
  for (const Outcome& o : model.outcomes(choice)) {
    if (!text.empty()) text += "; ";
    text += std::string(model.state_name(o.next)) + " " + model.probability(o).get_str() + " " +
            model.reward(o).get_str();
  }
  return text;
}

TEST(ModelBuilder, BuildsFlatArrays) {
  ModelBuilder builder;
  builder.name("commute").horizon(3).discount("0.9").initial("home");
  builder.begin_choice("home", "bike").add_outcome("office", 1, -40);
  builder.begin_choice("home", "train")
      .add_outcome("station", "9/10", -10)
      .add_outcome("home", "0.1", -10);
  builder.begin_choice("station", "wait")
      .add_outcome("office", "0.8", -15)
      .add_outcome("office", "0.2", -45);
  const Model model = builder.build();

  EXPECT_EQ(model.name(), "commute");
  EXPECT_EQ(model.horizon(), 3U);
  EXPECT_EQ(model.discount(), Rational(9, 10));
  EXPECT_EQ(model.initial(), State{0});
  EXPECT_EQ(model.state_count(), 3U);
  EXPECT_EQ(model.choice_count(), 3U);
  EXPECT_EQ(model.outcome_count(), 5U);
  EXPECT_EQ(model.most_outcomes(), 2U);
  EXPECT_EQ(model.state_name(State{1}), "office");  // first met
  EXPECT_TRUE(model.is_terminal(State{1}));
  EXPECT_EQ(model.choice_count(State{0}), 2U);
  EXPECT_EQ(model.find_choice(State{0}, "train"), Choice{1});
  EXPECT_EQ(model.find_choice(State{0}, "wait"), std::nullopt);
  EXPECT_EQ(model.find_choice(State{0}, "fly"), std::nullopt);
  EXPECT_EQ(model.find_state("nowhere"), std::nullopt);
  EXPECT_EQ(model.action_name(Choice{2}), "wait");
  EXPECT_EQ(outcomes_of(model, Choice{1}), "station 9/10 -10; home 1/10 -10");
  EXPECT_EQ(outcomes_of(model, Choice{2}), "office 4/5 -15; office 1/5 -45");
  EXPECT_TRUE(builder.notices().empty());
}

TEST(ModelBuilder, SharesEqualNumbers) {
  ModelBuilder builder;
  builder.begin_choice("a", "x").add_outcome("a", "0.5", "1/2").add_outcome("b", "5e-1", "0.50");
  const Model model = builder.build();
  EXPECT_EQ(model.probabilities().size(), 1U);
  EXPECT_EQ(model.probabilities().nearest(NumberId{0}), 0.5);
}

TEST(ModelBuilder, SortsChoicesByStateAndKeepsTheirOrderWithin) {
  ModelBuilder builder;
  builder.begin_choice("a", "a1").add_outcome("b", 1, 1);
  builder.begin_choice("b", "b1").add_outcome("a", 1, 2);
  builder.begin_choice("a", "a2").add_outcome("c", 1, 3);
  builder.begin_choice("c", "c1").add_outcome("a", "0.5", 4).add_outcome("b", "0.5", 4);
  builder.begin_choice("b", "b2").add_outcome("c", 1, 5);
  const Model model = builder.build();
  std::string actions;
  for (std::uint32_t c = 0; c < model.choice_count(); ++c) {
    actions += std::string(model.action_name(Choice{c})) + " ";
  }
  EXPECT_EQ(actions, "a1 a2 b1 b2 c1 ");
  EXPECT_EQ(outcomes_of(model, Choice{1}), "c 1 3");
  EXPECT_EQ(outcomes_of(model, Choice{3}), "c 1 5");
  EXPECT_EQ(outcomes_of(model, Choice{4}), "a 1/2 4; b 1/2 4");
}

TEST(ModelBuilder, DeclaredStatesFixTheOrderWheneverTheyCome) {
  ModelBuilder builder;
  builder.begin_choice("a", "x").add_outcome("b", 1, 1);
  builder.begin_choice("b", "y").add_outcome("c", 1, 2);
  builder.declare_state("c").declare_state("b").declare_state("unused").declare_state("a");
  builder.initial("a");
  const Model model = builder.build();
  EXPECT_EQ(model.state_count(), 4U);
  EXPECT_EQ(model.state_name(State{0}), "c");
  EXPECT_EQ(model.state_name(State{2}), "unused");
  EXPECT_EQ(model.initial(), State{3});
  EXPECT_EQ(model.find_state("b"), State{1});
  EXPECT_EQ(model.action_name(Choice{0}), "y");
  EXPECT_EQ(outcomes_of(model, only_choice(model, "a")), "b 1 1");
  EXPECT_EQ(outcomes_of(model, only_choice(model, "b")), "c 1 2");
}

TEST(ModelBuilder, TakesDeclaredStatesByPosition) {
  ModelBuilder builder;
  builder.declare_state("a").declare_state("b");
  builder.begin_choice(State{1}, "x")
      .add_outcome(State{0}, "1/3", 0)
      .add_outcome(State{1}, "2/3", 0);
  const Model model = builder.build();
  EXPECT_EQ(outcomes_of(model, only_choice(model, "b")), "a 1/3 0; b 2/3 0");
}

TEST(ModelBuilder, MergesEqualOutcomesAndDropsImpossibleOnes) {
  ModelBuilder builder;
  builder.begin_choice("a", "x");
  builder.add_outcome("b", "0.25", 1).add_outcome("c", 0, 7).add_outcome("b", "0.25", 2);
  builder.add_outcome("b", "1/4", "1.0").add_outcome("a", "0.125", 1).add_outcome("b", "0.125", 2);
  const Model model = builder.build();
  EXPECT_EQ(outcomes_of(model, Choice{0}), "b 1/2 1; b 3/8 2; a 1/8 1");
  EXPECT_EQ(model.state_count(), 3U);  // c was met, though it cannot be reached
  EXPECT_EQ(model.most_outcomes(), 3U);
}

TEST(ModelBuilder, MergesAmongManyOutcomes) {
  ModelBuilder builder;
  builder.begin_choice("s", "x");
  for (int i = 0; i < 1000; ++i) builder.add_outcome("t" + std::to_string(i % 10), "1/1000", i % 2);
  const Model model = builder.build();
  EXPECT_EQ(model.outcome_count(), 10U);
  EXPECT_EQ(model.probability(model.outcomes(Choice{0})[0]), Rational(1, 10));
}

TEST(ModelBuilder, NormalisesATinyErrorExactlyAndSaysSo) {
  ModelBuilder builder("store.csv");
  builder.begin_choice("idle", "wait", 17);
  for (const char* next : {"a", "b", "c"}) builder.add_outcome(next, "0.3333333333", 0);
  const Model model = builder.build();
  EXPECT_EQ(outcomes_of(model, Choice{0}), "a 1/3 0; b 1/3 0; c 1/3 0");
  ASSERT_EQ(builder.notices().size(), 1U);
  EXPECT_EQ(builder.notices()[0],
            "store.csv:17: state 'idle', choice 'wait': probabilities sum to 0.9999999999, "
            "normalised to 1");
}

TEST(ModelBuilder, NormalisesWideNumbersToo) {
  ModelBuilder builder;
  builder.begin_choice("s", "x");
  builder.add_outcome("a", "0.500000000000000000000000000001", 0).add_outcome("b", "0.5", 0);
  const Model model = builder.build();
  Rational sum = 0;
  for (const Outcome& o : model.outcomes(Choice{0})) sum += model.probability(o);
  EXPECT_EQ(sum, 1);
  EXPECT_EQ(builder.notices().size(), 1U);
}

TEST(ModelBuilder, OneNoticeTellsOfAllNormalisedChoices) {
  ModelBuilder builder("m.csv");
  for (int i = 0; i < 25; ++i) {
    builder.begin_choice("s", "x" + std::to_string(i), 2)
        .add_outcome("s", i == 7 ? "0.9999999" : "0.9999999999", 0);
  }
  const Model model = builder.build();
  ASSERT_EQ(builder.notices().size(), 1U);
  EXPECT_EQ(builder.notices()[0],
            "m.csv: the probabilities of 25 choices were normalised to 1; the farthest off: "
            "m.csv:2: state 's', choice 'x7': sum 0.9999999");
}

TEST(ModelBuilder, TheToleranceIsTheCallers) {
  const auto problems_with = [](const Rational& tolerance) {
    ModelBuilder builder;
    builder.tolerance(tolerance);
    builder.begin_choice("s", "x").add_outcome("s", "0.93", 0);
    try {
      (void)builder.build();
    } catch (const Error& error) {
      return error.problems().front().message;
    }
    return std::string();
  };
  EXPECT_EQ(problems_with(Rational(7, 100)), "");
  EXPECT_EQ(problems_with(Rational(699, 10000)),
            "state 's', choice 'x': probabilities sum to 0.93, must be 1");
  EXPECT_EQ(problems_with(0), "state 's', choice 'x': probabilities sum to 0.93, must be 1");
  EXPECT_THROW(ModelBuilder().tolerance(1), Error);
  EXPECT_THROW(ModelBuilder().tolerance(-1), Error);
}

TEST(ModelBuilder, NamesRewardsThatLeaveNoUnit) {
  ModelBuilder builder;
  builder.begin_choice("s", "x").add_outcome("s", 1, "0.30000000000000004");
  builder.begin_choice("s", "y").add_outcome("s", 1, "1/3");
  (void)builder.build();
  ASSERT_EQ(builder.notices().size(), 1U);
  EXPECT_EQ(builder.notices()[0],
            "1 reward has more than 9 decimals (0.30000000000000004): it leaves no common unit of "
            "wealth, which may turn an exact answer into a bracket; rounding it helps "
            "(--round-rewards 6)");
}

TEST(ModelBuilder, RoundsRewardsIfItIsAsked) {
  ModelBuilder builder("m.csv");
  builder.round_rewards(2);
  builder.begin_choice("s", "x");
  for (const char* reward : {"0.30000000000000004", "-0.125", "1/3", "7.5", "-2"})
    builder.add_outcome("s", "1/5", reward);
  EXPECT_EQ(outcomes_of(builder.build(), Choice{0}),
            "s 1/5 3/10; s 1/5 -13/100; s 1/5 33/100; s 1/5 15/2; s 1/5 -2");
  ASSERT_EQ(builder.notices().size(), 1U);
  EXPECT_EQ(builder.notices()[0],
            "m.csv: the rewards of 3 outcomes were rounded to 2 decimals, by 0.005 at most");
  EXPECT_THROW(ModelBuilder().round_rewards(19), Error);
}

TEST(ModelBuilder, IsEmptyAfterBuilding) {
  ModelBuilder builder;
  builder.begin_choice("a", "x").add_outcome("b", 1, 1);
  EXPECT_EQ(builder.build().state_count(), 2U);
  builder.begin_choice("c", "y").add_outcome("c", 1, 1);
  const Model second = builder.build();
  EXPECT_EQ(second.state_count(), 1U);
  EXPECT_EQ(second.state_name(State{0}), "c");
}

TEST(Model, TakesTwelveBytesAnOutcome) {
  ModelBuilder builder;
  constexpr int kStates = 1000;
  for (int s = 0; s < kStates; ++s) builder.declare_state("s" + std::to_string(s));
  for (std::uint32_t s = 0; s < kStates; ++s) {
    builder.begin_choice(State{s}, "go");
    for (std::uint32_t k = 0; k < 100; ++k)
      builder.add_outcome(State{(s + k) % kStates}, "0.01", -1);
  }
  const Model model = builder.build();
  EXPECT_EQ(model.outcome_count(), 100000U);
  EXPECT_LT(static_cast<double>(model.bytes()) / 100000.0, 13.0);
}

TEST(ModelBuilder, KeepsGoalsInTheOrderOfStatesAndCosts) {
  ModelBuilder builder;
  builder.declare_state("a").declare_state("b").declare_state("c").goal("c").goal("b");
  builder.rewards_are_costs();
  builder.begin_choice("a", "go").add_outcome("b", 1, 1);
  const Model model = builder.build();
  EXPECT_EQ(model.goal(), (std::vector<State>{State{1}, State{2}}));
  EXPECT_TRUE(model.has_costs());
  EXPECT_FALSE(model.horizon());
}

}  // namespace
}  // namespace quantiplan
