// Rewards rounded to a grid: floor and ceiling of gamma^t r / H_t, exactly.
#include <gtest/gtest.h>

#include "finite/stages.hpp"

namespace quantiplan {
namespace {

const char* const kRewards[] = {"1/3",
                                "-1/3",
                                "0.1",
                                "-0.1",
                                "7",
                                "-7",
                                "1e-9",
                                "1e6",
                                "-1e6",
                                "123456789/97",
                                "2.5",
                                "-1/1024",
                                "0",
                                "1",
                                "-1",
                                "1e-30",
                                "-1e-30"};

Model with_rewards(std::uint64_t horizon, const Rational& discount) {
  ModelBuilder b;
  b.horizon(horizon).initial("s").discount(discount);
  int i = 0;
  for (const char* reward : kRewards)
    b.begin_choice("s", "a" + std::to_string(i++)).add_outcome("s", 1, reward);
  return b.build();
}

Integer rounded(const Rational& value, Rounding rounding) {
  Integer out;
  if (rounding == Rounding::down) {
    mpz_fdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  } else {
    mpz_cdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  }
  return out;
}

TEST(RoundedScale, KeysAreFloorsAndCeilingsExactly) {
  for (const char* discount : {"1", "0.9", "1/3", "0.999", "1/2"}) {
    const Rational gamma = Number(discount).rational();
    const Model model = with_rewards(400, gamma);
    Options options;
    Limits limits(options);
    const Stages exact(model, resolve(model, {}), limits);
    Grid grid{Rational(1, 4096), std::vector<std::uint32_t>(401, 0)};
    for (std::size_t t = 5; t <= 400; ++t) grid.halvings[t] = t < 100 ? 1 : 4;
    for (const Rounding rounding : {Rounding::down, Rounding::up}) {
      const Stages stages(exact, grid, rounding);
      ASSERT_TRUE(stages.has_keys());
      Rational power = 1;
      for (std::uint64_t t = 0; t < 400; ++t) {
        if (t % 7 == 0 || t < 12) {
          for (const Choice c : model.choices(State{0})) {
            const Outcome& o = model.outcomes(c).front();
            const Rational steps = power * model.reward(o) / grid.step(t);
            EXPECT_EQ(Integer(static_cast<long>(stages.reward_key(t, o))), rounded(steps, rounding))
                << discount << " at " << t << ", reward " << to_text(model.reward(o));
            const double real = stages.scale().in_steps(t, o.reward);
            EXPECT_NEAR(real, steps.get_d(), 1e-12 * std::abs(real));
          }
        }
        power *= gamma;
      }
    }
  }
}

TEST(RoundedScale, ResidualsGrowWhereStepsAreHalved) {
  const Model model = with_rewards(3, 1);
  Options options;
  Limits limits(options);
  const Stages exact(model, resolve(model, {}), limits);
  const Stages stages(exact, {Rational(1, 2), {0, 0, 1, 3}}, Rounding::down);
  const Outcome& third = model.outcomes(model.choices(State{0})[0]).front();  // 1/3
  EXPECT_EQ(stages.reward_key(0, third), 0);
  EXPECT_EQ(stages.next_residual(0, 5, third), 5);
  EXPECT_EQ(stages.next_residual(1, 5, third), 10);  // steps of 1/2, then of 1/4
  EXPECT_EQ(stages.reward_key(2, third), 1);
  EXPECT_EQ(stages.next_residual(2, 10, third), 36);  // (10 - 1) * 4
  EXPECT_EQ(stages.scale().beyond_target(), Rational(1, 2));
  EXPECT_EQ(stages.scale().slack(), Rational(1, 2) + Rational(1, 2) + Rational(1, 4));
}

TEST(RoundedScale, SaysWhenKeysDoNotFit) {
  const Model model = with_rewards(3, 1);
  Options options;
  Limits limits(options);
  const Stages exact(model, resolve(model, {}), limits);
  const Grid fine{Rational(1, Integer(1) << 60), std::vector<std::uint32_t>(4, 0)};
  EXPECT_FALSE(Stages(exact, fine, Rounding::down).has_keys());
}

}  // namespace
}  // namespace quantiplan
