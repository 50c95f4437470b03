// Mean minus lambda times variance where totals are too many to list: the policy's moments, and a bound of all policies.
#include <gtest/gtest.h>

#include "check/check_models.hpp"
#include "check/criteria/policy_moments.hpp"
#include "check/criteria/variance_bound.hpp"
#include "numbers/directed.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan::checking {
namespace {

// Heads or tails for ever, at the discount 1/2: W is uniform on [0, 2]. Or 0.9 at each step: W = 1.8.
Model coins(const char* sure) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).discount("1/2").initial("s");
  b.begin_choice("s", "toss").add_outcome("s", "1/2", 0).add_outcome("s", "1/2", 1);
  b.begin_choice("s", "take").add_outcome("s", 1, Number(sure));
  return b.build();
}

Policy always(const Model& model, const char* action) {
  Policy policy = empty_policy(model);
  for (std::uint64_t t = 0; t <= 20; ++t) add_rule(policy, model, t, "s", {{{}, action}});
  policy.truncated_at = 20;
  return policy;
}

TEST(VarianceCheck, MomentsGoOnBeyondTheStepsOfThePolicy) {
  const Model model = coins("0.9");
  const Options options;
  CheckLimits limits(options);
  const auto found = moments_of(model, always(model, "toss"), limits);
  ASSERT_TRUE(found);
  EXPECT_LE(found->mean.lower, 1);
  EXPECT_GE(found->mean.upper, 1);
  EXPECT_LE(found->square.lower, Rational(4, 3));
  EXPECT_GE(found->square.upper, Rational(4, 3));
  EXPECT_LE(found->square.upper - found->square.lower, Rational(1, 1'000'000'000));
  // 1 - 3 / 3, a little less.
  const auto least = least_mean_variance(model, always(model, "toss"), 3, limits);
  ASSERT_TRUE(least);
  EXPECT_LE(*least, 0);
  EXPECT_GE(*least, -1e-8);
}

TEST(VarianceCheck, AnIndexMattersOnlyBetweenThresholds) {
  // Toss until the first head, by the index alone: then take what is sure.
  const Model model = coins("0");
  Policy policy = empty_policy(model, Rational(0));
  policy.grid = PolicyGrid{Rational(1, 1024), {}};
  // The index falls by 1024 / 2^t with a head at time t: it is 0 as long as there was none.
  for (std::uint64_t t = 0; t < 9; ++t)
    add_rule(policy, model, t, "s", {{Rational(-1), "take"}, {{}, "toss"}});
  add_rule(policy, model, 9, "s", {{{}, "take"}});
  policy.truncated_at = 9;
  const Options options;
  CheckLimits limits(options);
  const auto found = moments_of(model, policy, limits);
  ASSERT_TRUE(found);
  // W = 2^-k with probability 2^-(k + 1), k = 0 .. 8.
  Rational mean = 0;
  Rational square = 0;
  Rational w = 1;
  for (int k = 0; k < 9; ++k, w /= 2) {
    mean += w * w / 2;
    square += w * w * w / 2;
  }
  EXPECT_LE(found->mean.lower, mean);
  EXPECT_GE(found->mean.upper, mean);
  EXPECT_LE(found->square.lower, square);
  EXPECT_GE(found->square.upper, square);
  EXPECT_LE(found->mean.upper - found->mean.lower, Rational(1, 1'000'000'000));
}

TEST(VarianceCheck, NoPolicyHasMoreThanTheBound) {
  // Taking 0.4 at every step, W = 0.8, or tossing: 1 - lambda / 3.
  const Model model = coins("0.4");
  const Options options;
  CheckLimits limits(options);
  const Policy policy = always(model, "take");
  const auto course = course_of(model, policy.setting, Rational(1, 1'000'000), limits);
  ASSERT_TRUE(course);
  // Tossing at the steps t in T, taking at the others: 0.8 + sum of 2^-t / 10 - lambda 4^-t / 4. Best where 2^-t < 0.4 / lambda.
  const auto best = [](const Rational& lambda) {
    Rational value(4, 5);
    Rational power = 1;
    for (int t = 0; t < 60; ++t, power /= 2) {
      const Rational gain = power / 10 - lambda * power * power / 4;
      if (gain > 0) value += gain;
    }
    return value;
  };
  for (const Rational& lambda : {Rational(1, 100), Rational(1), Rational(7)}) {
    const Rational value = best(lambda);
    const Rational near = value + Rational(1, 1000);
    const auto shown = most_mean_variance(*course, lambda, Rational(1), near);
    ASSERT_TRUE(shown);
    EXPECT_LE(*shown, near) << to_text(lambda);
    if (lambda >= 1) {
      EXPECT_GE(*shown, value) << to_text(lambda);
    }
  }
}

}  // namespace
}  // namespace quantiplan::checking
