#include <gtest/gtest.h>

#include "numbers/thrown.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {
namespace {

ModelBuilder two_starts() {
  ModelBuilder builder("two.json");
  builder.horizon(1);
  builder.begin_choice("a", "x").add_outcome("end", 1, 1);
  builder.begin_choice("b", "x").add_outcome("end", 1, 2);
  return builder;
}

TEST(InitialStates, OneIsCertain) {
  const InitialStates start = State{3};
  EXPECT_TRUE(start.is_certain());
  EXPECT_EQ(start.only(), State{3});
  EXPECT_EQ(start, State{3});
}

TEST(InitialStates, AreSortedAndPositive) {
  const InitialStates start(
      {{State{2}, Rational(1, 3)}, {State{5}, 0}, {State{0}, Rational(2, 3)}});
  EXPECT_EQ(start.states(), (std::vector<State>{State{0}, State{2}}));
  EXPECT_TRUE(start.contains(State{2}));
  EXPECT_FALSE(start.contains(State{5}));
  EXPECT_EQ(InitialStates({{State{1}, 1}, {State{4}, 0}}), State{1});
}

TEST(InitialStates, SumToOne) {
  EXPECT_EQ(thrown(ErrorCode::bad_request,
                   [] {
                     InitialStates({{State{0}, Rational(1, 2)}, {State{1}, Rational(1, 4)}});
                   }),
            "initial: probabilities sum to 0.75, must be 1");
  EXPECT_EQ(
      thrown(ErrorCode::bad_request, [] { InitialStates(std::vector<InitialStates::Drawn>()); }),
      "initial: probabilities sum to 0, must be 1");
}

TEST(InitialStates, OfAModelAreThoseOfItsBuilder) {
  ModelBuilder builder = two_starts();
  builder.add_initial("b", "1/4", 1).add_initial("a", "3/4", 2);
  const Model model = builder.build();
  ASSERT_EQ(model.initial()->size(), 2U);
  EXPECT_EQ((*model.initial())[0].state, State{0});
  EXPECT_EQ((*model.initial())[0].probability, Rational(3, 4));
  EXPECT_EQ(resolve(model, {}).initial, *model.initial());
}

TEST(InitialStates, OfABuilderAreChecked) {
  ModelBuilder builder = two_starts();
  builder.add_initial("b", "1/2", 7).add_initial("b", "1/4", 8).add_initial("c", "1/8", 9);
  EXPECT_EQ(thrown(ErrorCode::bad_model, [&] { static_cast<void>(builder.build()); }),
            "two.json:7: initial: probabilities sum to 0.875, must be 1\n"
            "two.json:8: initial: state 'b' is given twice, must be once\n"
            "two.json:9: initial: unknown state 'c', must be a state of the model");
}

TEST(InitialStates, OfABuilderAreNormalisedWithinItsTolerance) {
  ModelBuilder builder = two_starts();
  builder.add_initial("a", "0.3333333", 3).add_initial("b", "0.6666666", 4);
  const Model model = builder.build();
  EXPECT_EQ((*model.initial())[0].probability, Rational(1, 3));
  EXPECT_EQ((*model.initial())[1].probability, Rational(2, 3));
  ASSERT_EQ(builder.notices().size(), 1U);
  EXPECT_EQ(builder.notices().front(),
            "two.json:3: initial: probabilities sum to 0.9999999, normalised to 1");
  ModelBuilder strict = two_starts();
  strict.tolerance(0).add_initial("a", "0.3333333", 3).add_initial("b", "0.6666666", 4);
  EXPECT_EQ(thrown(ErrorCode::bad_model, [&] { static_cast<void>(strict.build()); }),
            "two.json:3: initial: probabilities sum to 0.9999999, must be 1");
}

TEST(InitialStates, MayBeOverAtOnce) {
  const Model model = two_starts().build();
  Setting setting;
  setting.initial = InitialNames({{"a", Rational(1, 2)}, {"end", Rational(1, 2)}});
  EXPECT_EQ(resolve(model, setting).initial.size(), 2U);
  setting.goal = {{"end"}};
  EXPECT_EQ(resolve(model, setting).initial.size(), 2U);
  setting.goal = {{"a"}};
  EXPECT_EQ(resolve(model, setting).initial.size(), 2U);
}

TEST(InitialStates, WithoutProbabilitiesEachIsAQuestion) {
  ModelBuilder builder = two_starts();
  builder.may_begin("b").may_begin("a");
  const Model model = builder.build();
  EXPECT_FALSE(model.initial());
  ASSERT_EQ(model.possible_initial().size(), 2U);
  EXPECT_EQ(model.state_name(model.possible_initial()[0]), "a");
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { resolve(model, {}); }),
            "found 2 initial states, as 'a', expected one here: give --initial STATE");
  ModelBuilder one = two_starts();
  one.may_begin("b");
  EXPECT_TRUE(one.build().initial()->is_certain());
  ModelBuilder twice = two_starts();
  twice.may_begin("b", 3).may_begin("b", 4).may_begin("c", 5);
  EXPECT_EQ(thrown(ErrorCode::bad_model, [&] { static_cast<void>(twice.build()); }),
            "two.json:4: initial: state 'b' is given twice, must be once\n"
            "two.json:5: initial: unknown state 'c', must be a state of the model");
}

}  // namespace
}  // namespace quantiplan
