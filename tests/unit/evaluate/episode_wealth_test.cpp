#include "evaluate/episode_wealth.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

// Rewards 1/3, -5/7, 10^9 and 0.25, in the order of the outcomes.
Model awkward_rewards() {
  ModelBuilder builder;
  builder.begin_choice("s", "a");
  for (const char* reward : {"1/3", "-5/7", "1000000000", "0.25"})
    builder.add_outcome("s", "1/4", reward);
  return builder.build();
}

TEST(EpisodeWealth, IsTheDiscountedSumExactly) {
  const Model model = awkward_rewards();
  const Options options;
  const Limits limits(options);
  const auto outcomes = model.outcomes(Choice{0});
  for (const char* gamma : {"1", "9/10", "1/2", "99/100"}) {
    const Rational discount(gamma);
    EpisodeWealth wealth(model, discount);
    std::vector<NumberId> rewards;
    Rational sum = 0;
    Rational power = 1;
    EXPECT_EQ(wealth.of(rewards, limits), 0);
    for (std::size_t t = 0; t < 40; ++t) {
      const Outcome& o = outcomes[t * t % 4];
      rewards.push_back(o.reward);
      sum += power * model.reward(o);
      power *= discount;
      EXPECT_EQ(wealth.of(rewards, limits), sum) << gamma << " " << t;
    }
  }
}

TEST(EpisodeWealth, GoesBeyondThePowersItKeeps) {
  const Model model = awkward_rewards();
  const Options options;
  const Limits limits(options);
  const Rational half(1, 2);
  EpisodeWealth wealth(model, half);
  const NumberId quarter = model.outcomes(Choice{0})[3].reward;
  // 1/4 (2 - 2^(1-n))
  const std::vector<NumberId> rewards(5000, quarter);
  Rational missing(1);
  mpq_div_2exp(missing.get_mpq_t(), missing.get_mpq_t(), 5001);
  EXPECT_EQ(wealth.of(rewards, limits), Rational(1, 2) - missing);
  EXPECT_EQ(wealth.of(rewards, limits), Rational(1, 2) - missing);
  EXPECT_EQ(wealth.of({quarter}, limits), Rational(1, 4));
}

}  // namespace
}  // namespace quantiplan
