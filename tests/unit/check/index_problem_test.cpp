#include "check/finite/index_problem.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "check/check_models.hpp"
#include "check/finite/mixes.hpp"

namespace quantiplan::checking {
namespace {

class IndexProblemTest : public ::testing::Test {
 protected:
  IndexProblemTest() {
    ModelBuilder b;
    b.horizon(4).discount("0.9").initial("s");
    b.begin_choice("s", "a").add_outcome("s", "1/2", 1).add_outcome("s", "1/2", "-1/3");
    model_.emplace(b.build());
    one_ = model_->outcomes(Choice{0})[0].reward;
    minus_third_ = model_->outcomes(Choice{0})[1].reward;
  }
  std::optional<IndexProblem> make(IndexQuestion question, const Total& wealth, bool more_than) {
    const ResolvedSetting setting = resolve(*model_, {});
    ends_.emplace_back(*model_, setting, Event(setting, wealth, more_than));
    return IndexProblem::make(*model_, ends_.back(), std::move(question), limits_);
  }

  Options options_;
  CheckLimits limits_{options_};
  std::optional<Model> model_;
  std::deque<Ends> ends_;
  NumberId one_{};
  NumberId minus_third_{};
};

TEST_F(IndexProblemTest, RoundsRewardsAsItIsAsked) {
  auto down = make({{Rational(1, 4), {1, 3, 3}}, Rounding::down, 2}, 2, false);
  auto up = make({{Rational(1, 4), {1, 3, 3}}, Rounding::up, 2}, 2, false);
  ASSERT_TRUE(down && up);
  // 1 and -1/3 in steps of 1/4, 0.9 of them in steps of 1/8, 0.81, and 0.729 in steps of 1/32.
  const std::vector<std::vector<std::int64_t>> expected{
      {4, -2, 4, -1}, {7, -3, 8, -2}, {6, -3, 7, -2}, {23, -8, 24, -7}};
  for (const std::uint64_t t : {0U, 1U, 2U, 3U, 1U, 3U, 0U}) {
    down->move_to(t);
    up->move_to(t);
    EXPECT_EQ(down->key(one_), expected[t][0]) << t;
    EXPECT_EQ(down->key(minus_third_), expected[t][1]) << t;
    EXPECT_EQ(up->key(one_), expected[t][2]) << t;
    EXPECT_EQ(up->key(minus_third_), expected[t][3]) << t;
  }
}

TEST_F(IndexProblemTest, CountsNeedsFromTheLevelAskedFor) {
  // W >= 17/10 from 2: at least 2 - 3/10, so up to floor(3/10 / H) steps may be left.
  auto problem = make({{Rational(1, 4), {1, 3, 3}}, Rounding::down, 2}, Rational(17, 10), false);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->first(), 8 - 1);
  EXPECT_EQ(problem->shift(), 1U);
  EXPECT_EQ(problem->delta(), 2 - 2 * 1);
  EXPECT_EQ(problem->need(5), 5 - 1);
  problem->move_to(2);
  EXPECT_EQ(problem->shift(), 2U);
  EXPECT_EQ(problem->delta(), 9 - 4 * 2);
  // W > 3/2: exactly 1/2 left is not enough.
  auto strict = make({{Rational(1, 4), {}}, Rounding::down, 2}, Rational(3, 2), true);
  EXPECT_EQ(strict->first(), 8 - 1);
}

TEST_F(IndexProblemTest, IsNoneWhereNeedsMightNotFit) {
  Rational tiny(1);
  mpq_div_2exp(tiny.get_mpq_t(), tiny.get_mpq_t(), 70);
  EXPECT_FALSE(make({{tiny, {}}, Rounding::down, 0}, 1, false));
  EXPECT_FALSE(make({{1, std::vector<std::uint64_t>(62, 1)}, Rounding::down, 0}, 1, false));
}

TEST(LongMix, ConvertsWithinTwoRoundings) {
  for (const char* text : {"1/3", "0.1", "1", "999999999999999999999999999999e-30", "1e-300"}) {
    const Rational value = number(text);
    const Bounds bounds = bounds_of(to_long_double(value), 1, 1);
    EXPECT_LE(bounds.low, value) << text;
    EXPECT_GE(bounds.high, value) << text;
    EXPECT_LE(bounds.high - bounds.low, value * number("1e-14")) << text;
  }
  EXPECT_EQ(to_long_double(0), 0);
  EXPECT_EQ(to_long_double(1), 1);
}

TEST(LongMix, BoundsSayNothingWhereRoundingsAreTooMany) {
  const Bounds bounds = bounds_of(0.5L, ~std::uint64_t{0} / 2, 1);
  EXPECT_EQ(bounds.low, 0);
  EXPECT_EQ(bounds.high, 1);
}

}  // namespace
}  // namespace quantiplan::checking
