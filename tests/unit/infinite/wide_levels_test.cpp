// Levels so wide that all threads take part: the same bits as with one.
#include <gtest/gtest.h>

#include <string>

#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

constexpr int kStates = 20'000;  // more than two chunks of each level

Model ring() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("1").goal("0").rewards_are_costs();
  for (int i = 1; i < kStates; ++i) {
    const auto to = [&](long long next) { return std::to_string(next % kStates); };
    b.begin_choice(std::to_string(i), "walk")
        .add_outcome(to(7LL * i + 1), "1/3", 1)
        .add_outcome(to(3LL * i + 2), "2/3", 1);
    b.begin_choice(std::to_string(i), "jump")
        .add_outcome(to(11LL * i + 5), "1/7", 2)
        .add_outcome(to(13LL * i + i % 17), "6/7", 1);
  }
  return b.build();
}

TEST(WideLevels, DoNotDependOnThreads) {
  const Model model = ring();
  ThresholdQuery query;
  query.targets = {Total(Rational(-40)), Total(Rational(-25))};
  Options options;
  options.reduce = Reduce::none;
  options.arithmetic = Arithmetic::floating;
  options.threads = 1;
  const ThresholdAnswer alone = threshold(model, query, options);
  ASSERT_EQ(alone.results.size(), 2U);
  EXPECT_GT(alone.results.front().probability->nearest, 0.0);
  for (const std::uint32_t threads : {2U, 5U}) {
    options.threads = threads;
    const ThresholdAnswer together = threshold(model, query, options);
    for (std::size_t i = 0; i < alone.results.size(); ++i) {
      EXPECT_EQ(together.results[i].probability->nearest, alone.results[i].probability->nearest);
      EXPECT_EQ(together.results[i].upper->nearest, alone.results[i].upper->nearest);
    }
    EXPECT_EQ(together.work.multiply_adds, alone.work.multiply_adds);
  }
}

}  // namespace
}  // namespace quantiplan
