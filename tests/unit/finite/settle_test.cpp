#include "finite/pass/settle.hpp"

#include <gtest/gtest.h>

#include "small_models.hpp"

namespace quantiplan {
namespace {

struct Solved {
  explicit Solved(Model m, std::uint64_t memory = 0)
      : model(std::move(m)),
        limits((options.memory_limit_bytes = memory, options)),
        stages(model, resolve(model, {}), limits),
        windows(stages, ChoiceFilter(), limits),
        expectation(stages, limits) {}
  std::optional<Settled> at(std::int64_t level) {
    const SettleInput input{stages, windows, expectation, ChoiceFilter(), nullptr};
    return settle(input, {level}, limits, work);
  }
  Model model;
  Options options;
  Limits limits;
  Stages stages;
  Windows windows;
  Expectation<double> expectation;
  Work work;
};

TEST(Settle, GivesExactProbabilitiesOfTheCommute) {
  Solved setup(testing::commute());
  EXPECT_EQ(setup.at(-8)->probability, 1);                   // -40
  EXPECT_EQ(setup.at(-4)->probability, 0);                   // -20 is beyond reach
  EXPECT_EQ(setup.at(-5)->probability, Rational(18, 25));    // -25: train, station, -15
  EXPECT_EQ(setup.at(-7)->probability, Rational(401, 500));  // -35: or after one train missed
}

TEST(Settle, TakesTheTrulyBetterOfChoicesThatDoublesCannotTellApart) {
  ModelBuilder b;
  b.horizon(1).initial("s");
  b.begin_choice("s", "worse")
      .add_outcome("e", "0.499999999999999999999", 1)
      .add_outcome("e", "0.500000000000000000001", 0);
  b.begin_choice("s", "better").add_outcome("e", "1/2", 1).add_outcome("e", "1/2", -100);
  Solved setup(b.build());
  const auto settled = setup.at(1);
  EXPECT_EQ(settled->probability, Rational(1, 2));
  EXPECT_EQ(setup.model.action_name(settled->points->choice[0][0]), "better");
}

TEST(Settle, EndsWithoutAResultWhenMemoryIsShort) {
  Solved setup(testing::coin(400), 250'000);
  EXPECT_FALSE(setup.at(200).has_value());
  EXPECT_GT(setup.work.exact_nodes, 0U);
}

}  // namespace
}  // namespace quantiplan
