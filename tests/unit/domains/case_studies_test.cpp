#include <gtest/gtest.h>

#include "domains/gamble.hpp"
#include "domains/hiv.hpp"
#include "domains/inventory.hpp"
#include "domains/model_rows.hpp"
#include "domains/seats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

// Computed by an expectation over the same figures elsewhere.
TEST(Seats, GreatestExpectedRevenueIsThatOfTheFigures) {
  const Model model = seats({});
  expect_probabilities_sum_to_one(model);
  const Distribution d = evaluate(model, expectation_policy(model, {}));
  EXPECT_NEAR(d.mean.nearest, 1407.22, 0.005);
}

TEST(Seats, ARequestIsForOneSeat) {
  const Model model = seats({});
  EXPECT_EQ(outcomes_of(model, "periods=5,seats=1", "accept 3"),
            Rows({{"periods=4,seats=0", Rational(7, 50), 200},
                  {"periods=4,seats=0", Rational(7, 50), 150},
                  {"periods=4,seats=0", Rational(4, 25), 120},
                  {"periods=4,seats=1", Rational(14, 25), 0}}));
  EXPECT_EQ(actions_of(model, "periods=4,seats=0"), Names({}));
}

TEST(Hiv, HasTheStatesOfItsSource) {
  const Model model = hiv({});
  EXPECT_EQ(model.state_count(), 505u);
  expect_probabilities_sum_to_one(model);
  EXPECT_EQ(actions_of(model, "age=1,cd4=3,periods=0"), Names({"wait", "treat"}));
  EXPECT_EQ(actions_of(model, "age=1,cd4=3,periods=2"), Names({"treat"}));
  EXPECT_EQ(actions_of(model, "dead"), Names({}));
  // The two risks of death are independent: 1 - (1 - 0.006)(1 - 0.000817).
  const auto rows = outcomes_of(model, "age=1,cd4=3,periods=0", "wait");
  EXPECT_EQ(rows.front().next, "dead");
  EXPECT_EQ(rows.front().probability, 1 - Rational(994, 1000) * (1 - Rational(817, 1000000)));
}

TEST(Hiv, QualityIsWorthAHalfYearOfIt) {
  HivParameters p;
  p.reward_of = HivParameters::RewardOf::quality;
  const Model model = hiv(p);
  EXPECT_EQ(outcomes_of(model, "age=7,cd4=6,periods=8", "treat").back().reward, Rational(9, 20));
}

// At least -70 for certain: who has lost plays the small one. At least 30 in three cases of four: who
// has won plays the small one, who has lost the large one.
TEST(Gamble, TheSecondDependsOnTheFirst) {
  const Model model = gamble({});
  Query query;
  query.taus = {Rational(1, 10), Rational(1, 2)};
  const Answer answer = solve(model, query);
  EXPECT_EQ(*answer.results[0].quantile, Total(-70));
  EXPECT_EQ(answer.results[0].probability->exact, Rational(1));
  EXPECT_EQ(*answer.results[1].quantile, Total(30));
  EXPECT_EQ(answer.results[1].probability->exact, Rational(3, 4));
}

TEST(Inventory, OrdersCanBeLimited) {
  InventoryParameters p;
  p.order_limit = 1;
  EXPECT_EQ(actions_of(inventory(p), "stock=1"), Names({"order 0", "order 1"}));
}

}  // namespace
}  // namespace quantiplan
