// The infinite horizon without discount on models whose answers follow by hand: rare prizes,
// cycles for nothing, infinite totals, and probabilities that just meet theta.
#include <gtest/gtest.h>

#include <string>

#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

struct Expected {
  const char* tau;
  const char* lower;  // empty: not asked
  const char* upper;
};

// In every arithmetic.
void expect(const Model& model, const Setting& setting, const std::vector<Expected>& all) {
  for (const Arithmetic arithmetic :
       {Arithmetic::automatic, Arithmetic::floating, Arithmetic::exact}) {
    Options options;
    options.engine = Engine::epochs;
    options.arithmetic = arithmetic;
    options.time_limit_seconds = 60;
    for (const Expected& e : all) {
      for (const Side side : {Side::lower, Side::upper}) {
        const std::string wanted = side == Side::lower ? e.lower : e.upper;
        if (wanted.empty()) continue;
        const Rational tau = Number::parse(e.tau).rational();
        const Query query{{tau}, side == Side::lower ? Sides::lower : Sides::upper, setting, false};
        const Result result = solve(model, query, options).results.front();
        SCOPED_TRACE(std::string(e.tau) + " " + std::string(to_text(side)));
        EXPECT_EQ(result.status, Status::solved);
        EXPECT_EQ(result.certificate, Certificate::exact);
        ASSERT_TRUE(result.quantile);
        EXPECT_EQ(to_text(*result.quantile), wanted);
      }
    }
  }
}

void expect(const Model& model, const std::vector<Expected>& all) { expect(model, {}, all); }
void expect_guaranteed(const Model& model, const std::vector<Expected>& all) {
  Setting setting;
  setting.adversarial = true;
  expect(model, setting, all);
}

ModelBuilder infinite_from(const char* initial) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial(initial);
  return b;
}

TEST(Epochs, WaitForAPrizeHoweverRare) {
  // The paper's rule stops at once, since the first steps change so little, and answers 0.
  ModelBuilder b = infinite_from("try");
  b.begin_choice("try", "again")
      .add_outcome("try", "9999/10000", 0)
      .add_outcome("end", "1/10000", 1000);
  const Model model = b.build();
  const std::vector<Expected> all = {{"0", "", "1000"}, {"1/2", "1000", "1000"}, {"1", "1000", ""}};
  expect(model, all);
  expect_guaranteed(model, all);
}

TEST(Epochs, SumAGeometricLoop) {
  ModelBuilder b = infinite_from("s");
  b.begin_choice("s", "go").add_outcome("s", "1/2", 1).add_outcome("end", "1/2", 0);
  const Model model = b.build();  // P(W >= y) = 2^-y: every theta 2^-y is met exactly
  const std::vector<Expected> all = {{"0", "", "0"},
                                     {"1/2", "0", "1"},
                                     {"3/4", "1", "2"},
                                     {"1023/1024", "9", "10"},
                                     {"1048575/1048576", "19", "20"},
                                     {"1", "inf", ""}};
  expect(model, all);
  expect_guaranteed(model, all);
}

TEST(Epochs, StayInACycleForNothing) {
  ModelBuilder b = infinite_from("s");
  b.begin_choice("s", "leave").add_outcome("end", 1, -3);
  b.begin_choice("s", "stay").add_outcome("t", 1, 0);
  b.begin_choice("t", "back").add_outcome("s", 1, 0);
  const Model model = b.build();
  expect(model, {{"0", "", "0"}, {"1/2", "0", "0"}, {"1", "0", ""}});
  expect_guaranteed(model, {{"0", "", "-3"}, {"1/2", "-3", "-3"}, {"1", "-3", ""}});
}

TEST(Epochs, LeaveACycleForNothingToReachTheGoal) {
  ModelBuilder b = infinite_from("s");
  b.goal("end");
  b.begin_choice("s", "stay").add_outcome("t", 1, 0);
  b.begin_choice("s", "leave").add_outcome("end", 1, -3);
  b.begin_choice("t", "back").add_outcome("s", 1, 0);
  const Model model = b.build();
  expect(model, {{"0", "", "-3"}, {"1/2", "-3", "-3"}, {"1", "-3", ""}});
  expect_guaranteed(model, {{"0", "", "miss"}, {"1/2", "miss", "miss"}, {"1", "miss", ""}});
}

TEST(Epochs, DoNotCountACycleForNothingAsAGain) {
  // From above, iteration would keep 1 in the cycle for ever; the exit wins 5 with 1/3.
  ModelBuilder b = infinite_from("s");
  b.begin_choice("s", "round").add_outcome("t", 1, 0);
  b.begin_choice("s", "exit").add_outcome("end", "1/3", 5).add_outcome("end", "2/3", 0);
  b.begin_choice("t", "round").add_outcome("s", 1, 0);
  const Model model = b.build();
  expect(model, {{"1/2", "0", "0"}, {"2/3", "0", "5"}, {"3/4", "5", "5"}, {"1", "5", ""}});
  expect_guaranteed(model, {{"1/2", "0", "0"}, {"2/3", "0", "0"}, {"1", "0", ""}});
}

TEST(Epochs, DoNotLoseANestedCycleForNothing) {
  // Round and round costs 1, but the inner cycle is free: components of the whole model are not
  // enough.
  ModelBuilder b = infinite_from("a");
  b.begin_choice("a", "inner").add_outcome("b", 1, 0);
  b.begin_choice("a", "outer").add_outcome("c", 1, -1);
  b.begin_choice("b", "back").add_outcome("a", 1, 0);
  b.begin_choice("c", "back").add_outcome("a", "1/2", -1).add_outcome("b", "1/2", 0);
  const Model model = b.build();
  expect(model, {{"0", "", "0"}, {"1", "0", ""}});
  expect_guaranteed(model, {{"0", "", "-inf"}, {"1/2", "-inf", "-inf"}, {"1", "-inf", ""}});
}

TEST(Epochs, GoToMinusInfinityBelowTheChanceOfAnEnd) {
  ModelBuilder b = infinite_from("s");
  b.begin_choice("s", "go").add_outcome("end", "1/2", 0).add_outcome("pit", "1/2", -1);
  b.begin_choice("pit", "pay").add_outcome("pit", 1, -1);
  const Model model = b.build();  // p0 = 1/2
  const std::vector<Expected> all = {{"0", "", "-inf"},
                                     {"1/4", "-inf", "-inf"},
                                     {"1/2", "-inf", "0"},
                                     {"3/4", "0", "0"},
                                     {"1", "0", ""}};
  expect(model, all);
  expect_guaranteed(model, all);
}

TEST(Epochs, AtEqualityLossesAreANumberOnlyIfTheyAreBounded) {
  for (const bool bounded : {false, true}) {
    ModelBuilder b = infinite_from("s");
    b.begin_choice("s", "go").add_outcome("way", "1/2", 0).add_outcome("pit", "1/2", 0);
    b.begin_choice("pit", "pay").add_outcome("pit", 1, -1);
    b.begin_choice("way", "pay");
    if (bounded) {
      b.add_outcome("end", 1, -7);
    } else {
      b.add_outcome("way", "1/2", -1).add_outcome("end", "1/2", 0);
    }
    const Model model = b.build();
    const std::vector<Expected> all = {{"49/100", "-inf", "-inf"},
                                       {"1/2", "-inf", bounded ? "-7" : "-inf"},
                                       {"3/4", bounded ? "-7" : "-1", bounded ? "-7" : "0"}};
    expect(model, all);
    expect_guaranteed(model, all);
  }
}

TEST(Epochs, GoToInfinityAboveTheChanceOfGainWithoutEnd) {
  ModelBuilder b = infinite_from("s");
  b.begin_choice("s", "go").add_outcome("end", "1/2", 3).add_outcome("well", "1/2", 0);
  b.begin_choice("well", "draw").add_outcome("well", 1, 1);
  const Model model = b.build();  // pinf = 1/2, the rest is bounded
  const std::vector<Expected> all = {{"0", "", "3"},
                                     {"1/4", "3", "3"},
                                     {"1/2", "3", "inf"},
                                     {"3/4", "inf", "inf"},
                                     {"1", "inf", ""}};
  expect(model, all);
  expect_guaranteed(model, all);
}

TEST(Epochs, AtEqualityTheLowerQuantileIsInfiniteIfTheRestHasNoBound) {
  ModelBuilder b = infinite_from("s");
  b.begin_choice("s", "go")
      .add_outcome("s", "1/2", 1)
      .add_outcome("well", "1/4", 0)
      .add_outcome("end", "1/4", 0);
  b.begin_choice("well", "draw").add_outcome("well", 1, 1);
  const Model model = b.build();
  const std::vector<Expected> all = {
      {"49/100", "5", "5"}, {"1/2", "inf", "inf"}, {"51/100", "inf", "inf"}};
  expect(model, all);
  expect_guaranteed(model, all);
}

TEST(Epochs, AGoalBeyondGainsWithoutEndIsNotAttained) {
  ModelBuilder b = infinite_from("s");
  b.goal("goal");
  b.begin_choice("s", "gain").add_outcome("s", 1, 1);
  b.begin_choice("s", "try").add_outcome("goal", "2/3", 0).add_outcome("end", "1/3", 0);
  const Model model = b.build();
  expect(model, {{"1/4", "miss", "miss"}, {"1/3", "miss", "inf"}, {"1/2", "inf", "inf"}});
  expect_guaranteed(model, {{"1/2", "miss", "miss"}});
  const Result result = solve(model, {{Rational(1, 2)}, Sides::upper, {}, false}).results.front();
  EXPECT_FALSE(result.attained);
  EXPECT_FALSE(result.policy);
  // But any number is.
  const ThresholdResult twenty = threshold(model, {{20}, {}}).results.front();
  EXPECT_EQ(twenty.probability->exact, Rational(2, 3));
  EXPECT_EQ(threshold(model, {{Total::minus_infinity()}, {}}).results.front().probability->exact,
            Rational(2, 3));
  const Policy policy = twenty.policy();
  EXPECT_EQ(evaluate(model, policy).at_least(20).exact, Rational(2, 3));
}

TEST(Epochs, AGoalAtACostHasNoWorst) {
  ModelBuilder b = infinite_from("s");
  b.goal("goal").rewards_are_costs();
  b.begin_choice("s", "go").add_outcome("end", "1/2", 0).add_outcome("try", "1/2", 0);
  b.begin_choice("try", "again").add_outcome("try", "1/2", 1).add_outcome("goal", "1/2", 1);
  const Model model = b.build();  // the goal at a cost of at most c: (1 - 2^-c) / 2
  const std::vector<Expected> all = {{"49/100", "miss", "miss"},
                                     {"1/2", "miss", "-inf"},
                                     {"5/8", "-3", "-2"},
                                     {"3/4", "-2", "-1"},
                                     {"1", "-1", ""}};
  expect(model, all);
  expect_guaranteed(model, all);
}

TEST(Epochs, MakeProgressWhereChoicesAreWorthTheSame) {
  // Waiting keeps the value of trying for ever, and reaches nothing.
  ModelBuilder b = infinite_from("s");
  b.goal("goal");
  b.begin_choice("s", "wait").add_outcome("s", 1, 0);
  b.begin_choice("s", "rest").add_outcome("t", 1, 0);
  b.begin_choice("s", "try").add_outcome("goal", "1/2", 1).add_outcome("t", "1/2", 0);
  b.begin_choice("t", "back").add_outcome("s", 1, 0);
  const Model model = b.build();
  for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::floating}) {
    Options options;
    options.arithmetic = arithmetic;
    const Result result =
        solve(model, {{Rational(1, 2)}, Sides::lower, {}, false}, options).results.front();
    EXPECT_EQ(to_text(*result.quantile), "1");
    const Distribution law = evaluate(model, result.policy(), options);
    EXPECT_NEAR(law.at_least(1).nearest, 1, 1e-12);
  }
}

}  // namespace
}  // namespace quantiplan
