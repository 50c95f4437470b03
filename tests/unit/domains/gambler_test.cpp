#include "domains/gambler.hpp"

#include <gtest/gtest.h>

#include "domains/model_rows.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

// The best probability of a total of at least `wealth`.
Rational best_probability(const Model& model, const Rational& wealth) {
  const Frontier curve = frontier(model, Query{});
  Rational best = 0;
  for (const FrontierStep& step : curve.steps) {
    if (step.wealth >= wealth) best = std::max(best, step.probability.exact.value());
  }
  return best;
}

GamblerParameters unit_bets(std::uint32_t goal, std::uint32_t start, std::uint64_t horizon) {
  GamblerParameters p;
  p.goal = goal;
  p.initial_capital = start;
  p.horizon = horizon;
  p.least_bet = 1;
  p.greatest_bet = 1;
  return p;
}

TEST(Gambler, HasOneStatePerCapitalAndTwoTerminalOnes) {
  const Model model = gambler({});
  EXPECT_EQ(model.name(), "gambler-10");
  EXPECT_EQ(model.horizon(), 20u);
  EXPECT_EQ(model.discount(), Rational(1));
  EXPECT_EQ(model.state_count(), 11u);
  EXPECT_EQ(model.state_name(model.initial()->only()), "capital=4");
  EXPECT_TRUE(model.is_terminal(State{0}));
  EXPECT_TRUE(model.is_terminal(State{10}));
  expect_probabilities_sum_to_one(model);
}

TEST(Gambler, BetsNoMoreThanThereIsOrIsMissing) {
  const Model model = gambler({});
  EXPECT_EQ(actions_of(model, "capital=2"), Names({"bet 0", "bet 1", "bet 2"}));
  EXPECT_EQ(actions_of(model, "capital=9"), Names({"bet 0", "bet 1"}));
  EXPECT_EQ(actions_of(gambler(unit_bets(10, 5, 1)), "capital=5"), Names({"bet 1"}));
}

TEST(Gambler, RewardIsTheCapitalOrTheGoal) {
  GamblerParameters p;
  EXPECT_EQ(outcomes_of(gambler(p), "capital=7", "bet 3"),
            Rows({{"capital=10", Rational(2, 5), 3}, {"capital=4", Rational(3, 5), -3}}));
  EXPECT_EQ(outcomes_of(gambler(p), "capital=7", "bet 0"), Rows({{"capital=7", 1, 0}}));
  p.reward_of = GamblerParameters::RewardOf::goal;
  p.win = Rational(1, 3);
  EXPECT_EQ(outcomes_of(gambler(p), "capital=7", "bet 3"),
            Rows({{"capital=10", Rational(1, 3), 1}, {"capital=4", Rational(2, 3), 0}}));
  EXPECT_EQ(outcomes_of(gambler(p), "capital=7", "bet 2"),
            Rows({{"capital=9", Rational(1, 3), 0}, {"capital=5", Rational(2, 3), 0}}));
}

// From 1 to 3 by bets of 1: win twice, or win, lose and win twice, p^2 + p^3 q within four steps;
// one more detour is p^4 q^2 within six.
TEST(Gambler, ProbabilityOfTheGoalByHand) {
  const Rational p(2, 5);
  const Rational q(3, 5);
  EXPECT_EQ(best_probability(gambler(unit_bets(3, 1, 1)), 2), 0);
  EXPECT_EQ(best_probability(gambler(unit_bets(3, 1, 2)), 2), p * p);
  EXPECT_EQ(best_probability(gambler(unit_bets(3, 1, 4)), 2), p * p + p * p * p * q);
  EXPECT_EQ(best_probability(gambler(unit_bets(3, 1, 6)), 2),
            p * p + p * p * p * q + p * p * p * p * q * q);
}

// (1 - (q/p)^2) / (1 - (q/p)^5) = (1 - (3/2)^2) / (1 - (3/2)^5) = 40/211, from below.
TEST(Gambler, UnitBetsApproachTheRuinFormula) {
  const Rational limit(40, 211);
  const Rational soon = best_probability(gambler(unit_bets(5, 2, 100)), 3);
  EXPECT_LT(soon, limit);
  EXPECT_LT(limit - soon, Rational(1, 1'000'000));
}

TEST(Gambler, BoldPlayDoublesToTheGoal) {
  GamblerParameters p;
  p.goal = 4;
  p.initial_capital = 1;
  p.horizon = 2;
  EXPECT_EQ(best_probability(gambler(p), 3), Rational(4, 25));
  p.reward_of = GamblerParameters::RewardOf::goal;
  EXPECT_EQ(best_probability(gambler(p), 1), Rational(4, 25));
}

TEST(Gambler, WrongParametersAreNamedAllAtOnce) {
  GamblerParameters p;
  p.goal = 1;
  p.initial_capital = 3;
  p.win = 2;
  p.least_bet = 2;
  p.greatest_bet = 0;
  EXPECT_EQ(problems_of([&] { (void)gambler(p); }),
            Names({"--goal: found 1, must be from 2 to 5000",
                   "--initial-capital: found 3, must be at most goal",
                   "--win: found 2, must be from 0 to 1",
                   "--least-bet: found 2, must be from 0 to 1",
                   "--greatest-bet: found 0, must be at least 1"}));
}

}  // namespace
}  // namespace quantiplan
