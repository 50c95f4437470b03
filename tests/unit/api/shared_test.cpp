// Results of many taus share what they have in common; a change is for one of them alone.
#include "quantiplan/shared.hpp"

#include <gtest/gtest.h>

#include <string>

#include "quantiplan/solve.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

std::string made() { return "made"; }

TEST(Shared, CopiesHoldOneValueUntilOneOfThemIsChanged) {
  Shared<std::string> one = std::string("level");
  Shared<std::string> other = one;
  EXPECT_TRUE(one.is(other));
  EXPECT_EQ(&*one, &*other);
  other.change([](std::string& text) { text += 's'; });
  EXPECT_EQ(*one, "level");
  EXPECT_EQ(*other, "levels");
  EXPECT_FALSE(one.is(other));
  EXPECT_FALSE(one == other);
  other = std::string("level");
  EXPECT_TRUE(one == other);
}

TEST(Shared, MayBeAbsentAndIsAnOptional) {
  Shared<std::string> none;
  EXPECT_FALSE(none);
  EXPECT_TRUE(none == std::nullopt);
  EXPECT_EQ(none.value_or("-"), "-");
  EXPECT_THROW(static_cast<void>(none.value()), std::bad_optional_access);
  EXPECT_EQ(std::optional<std::string>(none), std::nullopt);
  none = std::optional<std::string>("here");
  EXPECT_EQ(std::optional<std::string>(none), "here");
  Shared<std::string>& itself = none;
  none = itself;
  EXPECT_EQ(none.value(), "here");
  const Shared<std::string> moved = std::move(none);
  EXPECT_EQ(*moved, "here");
  EXPECT_FALSE(none);  // NOLINT(bugprone-use-after-move)
}

TEST(Later, CopiesCallOneFunction) {
  Later<std::string> none;
  EXPECT_FALSE(none);
  none = nullptr;
  EXPECT_FALSE(none);
  int calls = 0;
  const Later<std::string> counting = [&calls] { return std::to_string(++calls); };
  const Later<std::string> copy = counting;
  EXPECT_EQ(counting(), "1");
  EXPECT_EQ(copy(), "2");
  EXPECT_EQ(Later<std::string>(made)(), "made");
}

TEST(Later, ResultsOfOneLevelShareWhatTheyHaveInCommon) {
  Query query;
  for (const char* tau : {"1/20", "1/10", "3/20", "1/5", "1/4", "3/10", "7/20"})
    query.taus.emplace_back(tau);
  const Answer answer = solve(testing::coin(3), query);
  // P(W <= 0) = 1/8, P(W <= 1) = 1/2
  EXPECT_EQ(answer.results[0].quantile->value(), 0);
  for (std::size_t i = 3; i < 7; ++i) {
    const Result& result = answer.results[i];
    EXPECT_EQ(result.quantile->value(), 1);
    EXPECT_EQ(result.tau, query.taus[i]);
    EXPECT_TRUE(result.quantile.is(answer.results[2].quantile));
    EXPECT_TRUE(result.probability.is(answer.results[2].probability));
    EXPECT_TRUE(result.mean.is(answer.results[2].mean));
    EXPECT_EQ(result.policy().claim->tau, result.tau);
  }
}

}  // namespace
}  // namespace quantiplan
