#include <gtest/gtest.h>

#include "numbers/thrown.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {
namespace {

std::string problems(ModelBuilder& builder) {
  return thrown(ErrorCode::bad_model, [&] { static_cast<void>(builder.build()); });
}

TEST(ModelProblems, AnEmptyModel) {
  ModelBuilder builder("empty.json");
  EXPECT_EQ(problems(builder),
            "empty.json: the model is empty: it has no choices, must have at least one");
  builder.declare_state("a");
  EXPECT_EQ(problems(builder),
            "empty.json: the model is empty: it has no choices, must have at least one");
}

TEST(ModelProblems, ASumThatIsNotOne) {
  ModelBuilder builder("store.mdp");
  builder.begin_choice("idle", "wait", 17)
      .add_outcome("idle", "0.5", 0, 18)
      .add_outcome("busy", "0.49", 0, 19);
  EXPECT_EQ(problems(builder),
            "store.mdp:17: state 'idle', choice 'wait': probabilities sum to 0.99, must be 1");
}

TEST(ModelProblems, ASumJustBeyondTheTolerance) {
  ModelBuilder builder;
  builder.begin_choice("a", "x").add_outcome("a", "0.999999", 0);  // off by 1e-6: mended
  builder.begin_choice("a", "y").add_outcome("a", "0.9999989", 0);
  EXPECT_EQ(problems(builder), "state 'a', choice 'y': probabilities sum to 0.9999989, must be 1");
}

TEST(ModelProblems, AMonstrousSumIsShortened) {
  ModelBuilder builder;
  builder.begin_choice("a", "x").add_outcome("a", "1e-300", 0).add_outcome("b", "1/3", 0);
  EXPECT_EQ(
      problems(builder),
      "state 'a', choice 'x': probabilities sum to about 0.333333333333 (the exact text has 603 "
      "characters), must be 1");
}

TEST(ModelProblems, FractionsWithoutAReasonableCommonDenominator) {
  ModelBuilder builder;
  builder.begin_choice("a", "x", 2);
  for (int i = 0; i < 10000; ++i) {
    // Neighbouring numbers of 900 digits have hardly a common factor.
    Rational p(1, Integer("1" + std::string(900, '0')) + i);
    builder.add_outcome("b", Number(p), 0);
  }
  EXPECT_EQ(
      problems(builder),
      "line 2: state 'a', choice 'x': the probabilities have a common denominator of more than "
      "65536 bits, must be simpler fractions");
}

TEST(ModelProblems, ProbabilitiesOutOfRange) {
  ModelBuilder builder;
  builder.begin_choice("a", "x", 3).add_outcome("b", "-0.1", 0, 4).add_outcome("c", "1.1", 0);
  builder.begin_choice("a", "y").add_outcome("b", "1e400", 0);
  EXPECT_EQ(
      problems(builder),
      "state 'a', choice 'y': next state 'b': probability is 1e400, must be from 0 to 1\n"
      "line 3: state 'a', choice 'x': next state 'c': probability is 1.1, must be from 0 to 1\n"
      "line 4: state 'a', choice 'x': next state 'b': probability is -0.1, must be from 0 to 1");
}

TEST(ModelProblems, ChoicesWithoutOutcomes) {
  ModelBuilder builder("m.json");
  builder.begin_choice("a", "x", 5).begin_choice("a", "y", 6).add_outcome("a", 0, 0);
  EXPECT_EQ(problems(builder),
            "m.json:5: state 'a', choice 'x': no outcomes, must have at least one\n"
            "m.json:6: state 'a', choice 'y': probabilities sum to 0, must be 1");
}

TEST(ModelProblems, UnknownStatesWithASuggestion) {
  ModelBuilder builder("m.json");
  builder.declare_state("home").declare_state("office");
  builder.begin_choice("home", "bike", 6).add_outcome("ofice", 1, -40, 7);
  builder.begin_choice("garage", "drive", 8).add_outcome("ofice", 1, -40, 9);
  EXPECT_EQ(
      problems(builder),
      "m.json:7: state 'home', choice 'bike': unknown state 'ofice', must be one of the declared "
      "states; did you mean 'office'?\n"
      "m.json:8: state 'garage', choice 'drive': unknown state 'garage', must be one of the "
      "declared "
      "states");
}

TEST(ModelProblems, AnEmptyListOfStates) {
  ModelBuilder builder;
  builder.states_are_declared().begin_choice("a", "x").add_outcome("a", 1, 0);
  EXPECT_EQ(problems(builder), "the list of states is empty, must name every state");
}

TEST(ModelProblems, NamesGivenTwice) {
  ModelBuilder builder("m.json");
  builder.declare_state("a", 2).declare_state("b", 2).declare_state("a", 3);
  builder.begin_choice("a", "x", 5).add_outcome("b", 1, 0);
  builder.begin_choice("b", "x", 6).add_outcome("b", 1, 0);
  builder.begin_choice("a", "x", 7).add_outcome("a", 1, 0);
  EXPECT_EQ(problems(builder),
            "m.json:3: states: 'a' is declared twice, must be declared once\n"
            "m.json:7: state 'a', choice 'x': given twice, first on line 5; actions of one state "
            "must have "
            "different names");
}

TEST(ModelProblems, NamesThatAreNone) {
  ModelBuilder builder("m.json");
  builder.begin_choice("", "x", 1).add_outcome("a", 1, 0);
  builder.begin_choice("a", "", 2).add_outcome("a", 1, 0);
  builder.begin_choice(std::string_view("a\0b", 3), "y", 3).add_outcome("a", 1, 0);
  EXPECT_EQ(problems(builder),
            "m.json:1: a state name is empty, must have at least one character\n"
            "m.json:2: an action name is empty, must have at least one character\n"
            "m.json:3: a state name 'a\\x00b' contains a NUL character");
}

TEST(ModelProblems, SettingsOutOfRange) {
  ModelBuilder builder("m.json");
  builder.horizon(0, 1).discount("3/2", 2).initial("hme", 3);
  builder.begin_choice("home", "x", 4).add_outcome("home", 1, 0);
  EXPECT_EQ(
      problems(builder),
      "m.json:1: horizon: found 0, must be from 1 to 1000000000, or infinite\n"
      "m.json:2: discount: found 1.5, must be above 0 and at most 1\n"
      "m.json:3: initial: unknown state 'hme', must be a state of the model; did you mean 'home'?");
  builder.horizon(1000000001).discount(0);
  builder.begin_choice("home", "x").add_outcome("home", 1, 0);
  EXPECT_EQ(problems(builder),
            "m.json: horizon: found 1000000001, must be from 1 to 1000000000, or infinite\n"
            "m.json: discount: found 0, must be above 0 and at most 1");
}

TEST(ModelProblems, OutcomesAndPositionsThatBelongNowhere) {
  ModelBuilder builder;
  builder.add_outcome("a", 1, 0).add_outcome(State{0}, 1, 0);
  builder.declare_state("a").begin_choice(State{7}, "x").add_outcome(State{8}, 1, 0);
  EXPECT_EQ(problems(builder),
            "outcome 'a' belongs to no choice\n"
            "an outcome belongs to no choice\n"
            "state number 7 is not declared, must be below 1\n"
            "state number 8 is not declared, must be below 1");
}

TEST(ModelProblems, AProblemOfTheReaderHidesWhatFollowsFromIt) {
  ModelBuilder builder("m.json");
  builder.initial("a", 1);
  builder.begin_choice("b", "x", 3);
  builder.problem(4, "state 'b', choice 'x': probability: no number");
  builder.add_outcome("b", "0.5", 0, 5);
  EXPECT_EQ(problems(builder), "m.json:4: state 'b', choice 'x': probability: no number");
}

TEST(ModelProblems, AreTwentyAtMost) {
  ModelBuilder builder;
  EXPECT_FALSE(builder.has_enough_problems());
  for (int i = 0; i < 30; ++i) builder.begin_choice("a", "x" + std::to_string(i));
  EXPECT_TRUE(builder.has_enough_problems());
  try {
    static_cast<void>(builder.build());
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 20U);
    EXPECT_TRUE(error.problems()[19].message.ends_with(" (further problems not shown)"));
  }
}

TEST(ModelProblems, GoalsThatAreNoStatesOrGivenTwice) {
  ModelBuilder builder;
  builder.goal("offce", 3).goal("office", 4).goal("office", 5);
  builder.begin_choice("home", "go").add_outcome("office", 1, 1);
  EXPECT_EQ(problems(builder),
            "line 3: goal: unknown state 'offce', must be a state of the model; did you mean "
            "'office'?\n"
            "line 5: goal: state 'office' is given twice, must be once");
}

}  // namespace
}  // namespace quantiplan
