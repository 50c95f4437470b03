#include "finite/solve/grid_choice.hpp"

#include <gtest/gtest.h>

#include "domains/machine.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

struct Weighed {
  explicit Weighed(const Model& model)
      : limits(options), exact(model, resolve(model, {}), limits), choice(exact) {
    const Stages fine(exact, choice.finest(), Rounding::down);
    EXPECT_TRUE(fine.has_keys());
    choice.weigh(fine, Windows(fine, ChoiceFilter(), limits));
  }
  Options options;
  Limits limits;
  Stages exact;
  GridChoice choice;
};

Model small_machine() {
  MachineParameters parameters;
  parameters.levels = 4;
  parameters.horizon = 60;
  return machine(parameters);
}

// What a bracket on the grid can be wide: see the header.
Rational width_of(const Grid& grid) {
  Rational sum = 2 * grid.unit;
  for (std::uint64_t t = 0; t + 1 < grid.halvings.size(); ++t) sum += grid.step(t);
  return sum;
}

TEST(GridChoice, KeepsWithinEpsilonWithStepsThatShrink) {
  const Model model = small_machine();
  const Weighed weighed(model);
  for (const char* text : {"10", "1", "0.1", "0.0371", "0.001", "1/3000000"}) {
    const Rational epsilon = Number(text).rational();
    const Grid grid = weighed.choice.within(epsilon);
    EXPECT_LE(width_of(grid), epsilon) << text;
    EXPECT_GT(4 * width_of(grid), epsilon) << text;  // and is not wasteful
    EXPECT_EQ(grid.halvings.size(), 61U);
    EXPECT_EQ(grid.halvings.front(), 0U);
    EXPECT_TRUE(std::ranges::is_sorted(grid.halvings));
    EXPECT_GT(grid.halvings.back(), 2U) << "discounting narrows what is left to decide";
  }
}

TEST(GridChoice, GridsOfSmallerEpsilonsAreNested) {
  const Model model = small_machine();
  const Weighed weighed(model);
  const Grid coarse = weighed.choice.within(Rational(1, 10));
  const Grid fine = weighed.choice.within(Rational(1, 80));
  for (std::uint64_t t = 0; t <= 60; ++t) {
    const Rational ratio = coarse.step(t) / fine.step(t);
    EXPECT_EQ(ratio.get_den(), 1) << t;
    EXPECT_EQ(mpz_popcount(ratio.get_num_mpz_t()), 1U) << t;
  }
}

TEST(GridChoice, WithoutDiscountTheFinestGridIsExact) {
  const Model model = testing::coin(20);
  const Weighed weighed(model);
  const Grid grid = weighed.choice.within(Rational(1, 1000));
  EXPECT_EQ(grid.unit, 1);
  EXPECT_EQ(grid.halvings.back(), 0U);
  const Stages down(weighed.exact, grid, Rounding::down);
  EXPECT_EQ(down.scale().slack(), 0);
}

TEST(GridChoice, EqualStepsKeepWithinTheCost) {
  const Model model = small_machine();
  const Weighed weighed(model);
  const Grid grid = weighed.choice.equal_for(1e6);
  EXPECT_EQ(grid.halvings.back(), 0U);
  EXPECT_LE(weighed.choice.cost_of(grid), 1e6);
  EXPECT_GT(weighed.choice.cost_of(grid), 1e5);
}

}  // namespace
}  // namespace quantiplan
