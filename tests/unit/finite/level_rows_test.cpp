#include "finite/tradeoff/level_rows.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

TEST(LevelRows, AreThinnedEvenlyWithBothEnds) {
  EXPECT_EQ(thinned({1, 2, 3, 4, 5, 6, 7}, 3), (std::vector<std::int64_t>{1, 4, 7}));
  EXPECT_EQ(thinned({1, 2, 3}, 3), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(thinned({1, 2, 3}, 0), (std::vector<std::int64_t>{1, 3}));
}

TradeoffPoint row(int level, int mean, int bound) {
  return {Total(level),
          Value::exactly(Rational(level, 100)),
          Value::exactly(mean),
          Value::exactly(bound),
          nullptr};
}

// Who keeps the promise of 90 keeps that of 80 too, and what none has at 80 none has at 90.
TEST(LevelRows, LearnFromEachOther) {
  std::vector<TradeoffPoint> rows{row(70, 9, 9), row(80, 5, 7), row(90, 6, 8)};
  nest(rows);
  EXPECT_EQ(*rows[1].mean.exact, 6);
  EXPECT_FALSE(rows[1].probability.exact);
  EXPECT_NEAR(rows[1].probability.nearest, 0.9, 1e-15);
  EXPECT_EQ(*rows[2].mean_bound.exact, 7);
  EXPECT_EQ(*rows[0].mean.exact, 9);
}

// 71 may as well be 72, and 80 as well 81, whose mean nobody exceeds; 75 has another bound than 76.
TEST(LevelRows, LeaveOutWhatIsFree) {
  std::vector<TradeoffPoint> rows{
      row(71, 9, 9), row(72, 9, 9), row(75, 6, 8), row(76, 6, 7), row(80, 5, 5), row(81, 5, 5)};
  drop_free(rows);
  std::vector<Total> levels;
  levels.reserve(rows.size());
  for (const TradeoffPoint& point : rows) levels.push_back(point.level);
  EXPECT_EQ(levels, (std::vector<Total>{Total(72), Total(75), Total(76), Total(81)}));
}

}  // namespace
}  // namespace quantiplan
