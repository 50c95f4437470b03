#include "domains/inventory.hpp"

#include <gtest/gtest.h>

#include "domains/model_rows.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

TEST(Inventory, HasOneStatePerStockAndOneChoicePerOrder) {
  const Model model = inventory({});
  EXPECT_EQ(model.name(), "inventory-3");
  EXPECT_EQ(model.horizon(), 12u);
  EXPECT_EQ(model.discount(), Rational(1));
  EXPECT_EQ(model.state_count(), 4u);
  EXPECT_EQ(model.state_name(model.initial()->only()), "stock=0");
  EXPECT_EQ(actions_of(model, "stock=1"), Names({"order 0", "order 1", "order 2"}));
  EXPECT_EQ(actions_of(model, "stock=3"), Names({"order 0"}));
  expect_probabilities_sum_to_one(model);
}

// Order 2 to a stock of 1: 4 + 2*2 for the order, 3 for holding, 8 for each unit sold.
TEST(Inventory, RewardsDependOnTheDemand) {
  const Model model = inventory({});
  EXPECT_EQ(outcomes_of(model, "stock=1", "order 2"),
            Rows({{"stock=3", Rational(1, 4), -11},
                  {"stock=2", Rational(1, 2), -3},
                  {"stock=1", Rational(1, 4), 5}}));
  // Demands of 1 and 2 are the same to a stock of 1: one outcome.
  EXPECT_EQ(outcomes_of(model, "stock=1", "order 0"),
            Rows({{"stock=1", Rational(1, 4), -1}, {"stock=0", Rational(3, 4), 7}}));
  EXPECT_EQ(outcomes_of(model, "stock=0", "order 0"), Rows({{"stock=0", 1, 0}}));
}

// The values of the source for three steps from each stock: 67/16, 129/16, 194/16, 227/16.
TEST(Inventory, GreatestExpectedTotalsAreThoseOfTheSource) {
  const Rational expected[] = {
      Rational(67, 16), Rational(129, 16), Rational(97, 8), Rational(227, 16)};
  for (std::uint32_t stock = 0; stock <= 3; ++stock) {
    InventoryParameters p;
    p.horizon = 3;
    p.initial_stock = stock;
    const Model model = inventory(p);
    const Distribution d = evaluate(model, expectation_policy(model, {}));
    EXPECT_EQ(d.mean.exact, expected[stock]) << stock;
  }
}

TEST(Inventory, EveryParameterCounts) {
  InventoryParameters p;
  p.capacity = 2;
  p.initial_stock = 2;
  p.demand = {0, Rational(1, 3), 0, Rational(2, 3)};
  p.price = 10;
  p.order_cost = 3;
  p.unit_cost = Rational(1, 2);
  p.holding_cost = Rational(1, 4);
  p.shortage_cost = 6;
  const Model model = inventory(p);
  EXPECT_EQ(model.state_name(model.initial()->only()), "stock=2");
  // Costs 3 + 1/2 + 2/4 = 4; one sold, or two sold and one lost.
  EXPECT_EQ(outcomes_of(model, "stock=1", "order 1"),
            Rows({{"stock=1", Rational(1, 3), 6}, {"stock=0", Rational(2, 3), 10}}));
}

// Poisson of mean 1 given at most 3: 6, 6, 3, 1 of 16, which multiples of 10^-6 hold exactly.
TEST(Inventory, DemandCanBePoisson) {
  InventoryParameters p;
  p.poisson_mean = 1;
  EXPECT_EQ(outcomes_of(inventory(p), "stock=3", "order 0"),
            Rows({{"stock=3", Rational(3, 8), -3},
                  {"stock=2", Rational(3, 8), 5},
                  {"stock=1", Rational(3, 16), 13},
                  {"stock=0", Rational(1, 16), 21}}));
}

TEST(Inventory, WrongParametersAreNamedAllAtOnce) {
  InventoryParameters p;
  p.capacity = 0;
  p.initial_stock = 1;
  p.demand = {Rational(1, 2), Rational(-1, 6)};
  p.poisson_mean = 301;
  EXPECT_EQ(problems_of([&] { (void)inventory(p); }),
            Names({"--capacity: found 0, must be from 1 to 300",
                   "--initial-stock: found 1, must be at most capacity",
                   "--demand: found -1/6, must be from 0 to 1",
                   "--demand: found a sum of 1/3, must be probabilities of sum 1",
                   "--poisson-mean: found 301, must be from 0 to 300"}));
}

}  // namespace
}  // namespace quantiplan
