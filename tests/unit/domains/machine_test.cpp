#include "domains/machine.hpp"

#include <gtest/gtest.h>

#include "domains/model_rows.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

TEST(Machine, HasOneStatePerWearAndABrokenOne) {
  const Model model = machine({});
  EXPECT_EQ(model.name(), "machine-10");
  EXPECT_EQ(model.horizon(), 100u);
  EXPECT_EQ(model.discount(), Rational(9, 10));
  EXPECT_EQ(model.state_name(model.initial()->only()), "wear=0");
  ASSERT_EQ(model.state_count(), 11u);
  EXPECT_EQ(model.state_name(State{9}), "wear=9");
  EXPECT_EQ(model.state_name(State{10}), "broken");
  EXPECT_EQ(actions_of(model, "wear=0"), Names({"run"}));
  EXPECT_EQ(actions_of(model, "wear=1"), Names({"run", "repair", "replace"}));
  EXPECT_EQ(actions_of(model, "broken"), Names({"repair", "replace"}));
  expect_probabilities_sum_to_one(model);
}

// At wear 4 of 10: breaks with 1/5 * 4/10 = 2/25, earns 1 / (1 + 4/10) = 5/7.
TEST(Machine, RunningWearsAndBreaks) {
  const Model model = machine({});
  EXPECT_EQ(outcomes_of(model, "wear=0", "run"),
            Rows({{"wear=1", Rational(2, 5), 1}, {"wear=0", Rational(3, 5), 1}}));
  EXPECT_EQ(outcomes_of(model, "wear=4", "run"),
            Rows({{"broken", Rational(2, 25), Rational(-30, 7)},
                  {"wear=5", Rational(46, 125), Rational(5, 7)},
                  {"wear=4", Rational(69, 125), Rational(5, 7)}}));
  // The most worn machine wears no further: 1/5 * 9/10 = 9/50, 1 / (1 + 9/10) = 10/19.
  EXPECT_EQ(outcomes_of(model, "wear=9", "run"),
            Rows({{"broken", Rational(9, 50), Rational(-85, 19)},
                  {"wear=9", Rational(41, 50), Rational(10, 19)}}));
}

TEST(Machine, RepairHalvesTheWearOrFails) {
  const Model model = machine({});
  EXPECT_EQ(outcomes_of(model, "wear=7", "repair"),
            Rows({{"wear=3", Rational(3, 4), Rational(-2, 5)},
                  {"wear=7", Rational(1, 4), Rational(-2, 5)}}));
  EXPECT_EQ(outcomes_of(model, "broken", "repair"),
            Rows({{"wear=5", Rational(3, 4), Rational(-2, 5)},
                  {"broken", Rational(1, 4), Rational(-2, 5)}}));
  EXPECT_EQ(outcomes_of(model, "broken", "replace"), Rows({{"wear=0", 1, Rational(-21, 10)}}));
}

// Two levels, two steps from wear 0. Wear 1 then breaks with 1/5 * 1/2 = 1/10 and earns 2/3.
//     stays new twice, or wears in the second step    3/5          1 + 9/10 * 1    = 1.9
//     wears, then runs on                             2/5 * 9/10   1 + 9/10 * 2/3  = 1.6
//     wears, then breaks                              2/5 * 1/10   1 + 9/10 * (2/3 - 5)
// Repairing instead would yield 1 - 9/10 * 2/5 = 0.64 surely.
TEST(Machine, TwoStepsByHand) {
  MachineParameters p;
  p.levels = 2;
  p.horizon = 2;
  Query query;
  query.taus = {Rational(2, 5), Rational(1, 25), Rational(3, 100)};
  query.sides = Sides::upper;
  const Answer answer = solve(machine(p), query);
  EXPECT_EQ(answer.results.at(0).quantile, Rational(19, 10));
  EXPECT_EQ(answer.results.at(1).quantile, Rational(8, 5));
  EXPECT_EQ(answer.results.at(2).quantile, Rational(16, 25));
  EXPECT_EQ(answer.results.at(1).probability.value().exact, Rational(24, 25));
}

TEST(Machine, EveryParameterCounts) {
  MachineParameters p;
  p.levels = 4;
  p.initial_wear = 4;
  p.horizon = 7;
  p.discount = 1;
  p.wear = Rational(1, 2);
  p.failure = 1;
  p.earnings = 3;
  p.slowdown = 2;
  p.breakdown = 7;
  p.repair_cost = 2;
  p.repair_success = 1;
  p.replacement_cost = 9;
  const Model model = machine(p);
  EXPECT_EQ(model.name(), "machine-4");
  EXPECT_EQ(model.horizon(), 7u);
  EXPECT_EQ(model.discount(), Rational(1));
  EXPECT_EQ(model.state_name(model.initial()->only()), "broken");
  EXPECT_EQ(outcomes_of(model, "wear=2", "run"),
            Rows({{"broken", Rational(1, 2), Rational(-11, 2)},
                  {"wear=3", Rational(1, 4), Rational(3, 2)},
                  {"wear=2", Rational(1, 4), Rational(3, 2)}}));
  EXPECT_EQ(outcomes_of(model, "wear=3", "repair"), Rows({{"wear=1", 1, -2}}));
  EXPECT_EQ(outcomes_of(model, "wear=3", "replace"), Rows({{"wear=0", 1, -9}}));
}

TEST(Machine, WrongParametersAreNamedAllAtOnce) {
  MachineParameters p;
  p.levels = 1;
  p.initial_wear = 2;
  p.horizon = 0;
  p.discount = Rational(3, 2);
  p.wear = -1;
  p.breakdown = Rational(-1, 3);
  EXPECT_EQ(problems_of([&] { (void)machine(p); }),
            Names({"--levels: found 1, must be from 2 to 1000000",
                   "--initial-wear: found 2, must be at most levels",
                   "--horizon: found 0, must be from 1 to 1000000000",
                   "--discount: found 1.5, must be above 0 and at most 1",
                   "--wear: found -1, must be from 0 to 1",
                   "--breakdown: found -1/3, must be at least 0"}));
}

}  // namespace
}  // namespace quantiplan
