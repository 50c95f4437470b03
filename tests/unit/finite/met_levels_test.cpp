#include "finite/met_levels.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "finite/tabulate.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

Window window(std::int64_t sure, std::int64_t possible) {
  Window w;
  w.sure = sure;
  w.possible = possible;
  w.least = sure;
  return w;
}

std::set<std::int64_t> levels_of(const MetLevels& met, const Interval& from) {
  std::set<std::int64_t> out;
  for (std::int64_t y = from.above + 1; y <= from.upto; ++y)
    if (met.within({y - 1, y})) out.insert(y);
  return out;
}

TEST(MetLevels, FollowsEachResidualInsideTheWindow) {
  std::mt19937_64 dice(7);
  const auto between = [&](std::int64_t a, std::int64_t b) {
    return std::uniform_int_distribution<std::int64_t>(a, b)(dice);
  };
  for (int round = 0; round < 200; ++round) {
    const Window wide = window(-400, 400);
    MetLevels from;
    std::set<std::int64_t> truth;
    for (std::int64_t n = between(1, 60); n > 0; --n) {
      truth.insert(between(-300, 300));
      from.add(*truth.rbegin(), wide);
    }
    for (const std::int64_t y : truth) from.add(y, wide);
    from.sort();
    ASSERT_EQ(levels_of(from, {-400, 400}), truth);
    const unsigned shift = round % 3 == 0 ? 2 : 0;
    const Window narrow = window(-1500, 1500);
    MetLevels to;
    std::set<std::int64_t> moved;
    for (int part = 0; part < 3; ++part) {
      const Interval some{between(-310, 100), between(-100, 310)};
      const std::int64_t reward = between(-70, 70);
      to.add_moved(from, some, reward, shift, narrow);
      for (const std::int64_t y : truth)
        if (y > some.above && y <= some.upto) moved.insert((y - reward) * (1 << shift));
    }
    to.sort();
    EXPECT_EQ(levels_of(to, {-1500, 1500}), moved);
    if (!moved.empty()) {
      EXPECT_EQ(to.span().above, *moved.begin() - 1);
      EXPECT_EQ(to.span().upto, *moved.rbegin());
    }
  }
}

TEST(MetLevels, KeepsOnlyTheEndsOutsideTheWindow) {
  const Window w = window(0, 100);
  MetLevels met;
  for (const std::int64_t y : {-90, -3, 0, 1, 64, 100, 101, 300}) met.add(y, w);
  EXPECT_EQ(met.sort(), 2U);  // 1; 64 and 100
  const std::set<std::int64_t> inside{1, 64, 100};
  EXPECT_EQ(levels_of(met, {0, 100}), inside);
  EXPECT_EQ(levels_of(met, {-200, 0}).size(), 91U);    // -90 .. 0
  EXPECT_EQ(levels_of(met, {100, 400}).size(), 200U);  // 101 .. 300
  const auto found = met.within({1, 99});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->above, 63);
  EXPECT_EQ(found->upto, 64);
  EXPECT_FALSE(met.within({1, 63}));
}

TEST(MetLevels, TakesAllBetweenWhereItIsToldToForget) {
  const Window w = window(0, 100);
  MetLevels met;
  met.add(10, w);
  met.add(90, w);
  met.forget();
  EXPECT_TRUE(met.within({50, 51}));
  EXPECT_FALSE(met.within({90, 100}));
}

// From a, 0 or 4; in b residuals 6 and 2 are met, at which 'far' and 'sure' are best. 'middle', which
// is best from 3 to 5, is never asked for.
TEST(Tabulate, WhatNoPlayMeetsBreaksNoRun) {
  ModelBuilder b;
  b.horizon(2).initial("a");
  b.begin_choice("a", "draw").add_outcome("b", "1/2", 0).add_outcome("b", "1/2", 4);
  b.begin_choice("b", "sure").add_outcome("end", 1, 2);
  b.begin_choice("b", "middle").add_outcome("end", "4/5", 5).add_outcome("end", "1/5", 0);
  b.begin_choice("b", "far").add_outcome("end", "1/2", 6).add_outcome("end", "1/2", 0);
  const Model model = b.build();
  Query query;
  query.taus = {Rational(3, 10)};
  const Answer answer = solve(model, query);
  EXPECT_EQ(answer.results[0].quantile, Total(6));
  const Policy policy = answer.results[0].policy();
  ASSERT_EQ(policy.rules.size(), 2U);
  const auto& runs = policy.rules[1].runs;
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].upto, Rational(2));
  EXPECT_EQ(model.action_name(runs[0].choice), "sure");
  EXPECT_FALSE(runs[1].upto);
  EXPECT_EQ(model.action_name(runs[1].choice), "far");
  EXPECT_EQ(answer.results[0].distribution().at_least(Total(6)).exact, Rational(3, 4));
}

}  // namespace
}  // namespace quantiplan
