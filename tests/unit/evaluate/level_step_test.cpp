// Arrays over levels of wealth against exact arithmetic, which goes node by node.
#include "evaluate/level_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluate/final_mass.hpp"
#include "quantiplan/domains.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

Options computed_in(Arithmetic arithmetic, unsigned threads = 1) {
  Options options;
  options.arithmetic = arithmetic;
  options.threads = threads;
  return options;
}

// Thousands of nodes at a time, close together.
Model wide_model() {
  return generate("garnet",
                  {{"states", "6"},
                   {"actions", "3"},
                   {"branching", "3"},
                   {"horizon", "7"},
                   {"reward-of", "outcome"},
                   {"least-reward", "-40"},
                   {"greatest-reward", "60"},
                   {"grid", "10"}});
}

void expect_same_levels(const Distribution& floating, const Distribution& exact) {
  ASSERT_EQ(floating.atoms.size(), exact.atoms.size());
  EXPECT_GT(floating.relative_error, 0);
  EXPECT_LT(floating.relative_error, 1e-12);
  for (std::size_t i = 0; i < exact.atoms.size(); ++i) {
    ASSERT_EQ(floating.atoms[i].wealth, exact.atoms[i].wealth);
    const Rational truth = *exact.atoms[i].probability.exact;
    EXPECT_LE(abs(Rational(floating.atoms[i].probability.nearest) - truth),
              truth * Rational(floating.relative_error) + Rational(floating.absolute_error));
  }
  EXPECT_NEAR(floating.mean.nearest, exact.mean.nearest, 1e-9);
}

void expect_same_bits(const Distribution& a, const Distribution& b) {
  ASSERT_EQ(a.atoms.size(), b.atoms.size());
  for (std::size_t i = 0; i < a.atoms.size(); ++i) {
    ASSERT_EQ(a.atoms[i].wealth, b.atoms[i].wealth);
    ASSERT_EQ(a.atoms[i].probability.nearest, b.atoms[i].probability.nearest);
  }
  EXPECT_EQ(a.mean.nearest, b.mean.nearest);
  EXPECT_EQ(a.relative_error, b.relative_error);
}

TEST(LevelStep, FollowsAPolicyByItsResidualAsExactArithmeticDoes) {
  const Model model = wide_model();
  const Policy policy = solve(model, {{Rational(1, 10)}, Sides::lower, {}}).results.at(0).policy();
  ASSERT_TRUE(policy.target);
  expect_same_levels(evaluate(model, policy, computed_in(Arithmetic::floating)),
                     evaluate(model, policy, computed_in(Arithmetic::exact)));
}

TEST(LevelStep, GivesTheSameBitsForThePassAndForTheTableAtAnyNumberOfThreads) {
  const Model model = generate(
      "garnet",
      {{"states", "20"}, {"horizon", "7"}, {"reward-of", "outcome"}, {"greatest-reward", "900"}});
  const auto result =
      solve(model, {{Rational(1, 10)}, Sides::lower, {}}, computed_in(Arithmetic::floating))
          .results.at(0);
  const Distribution one = evaluate(model, result.policy(), computed_in(Arithmetic::floating, 1));
  ASSERT_GT(one.atoms.size(), 1000U);
  expect_same_bits(one, evaluate(model, result.policy(), computed_in(Arithmetic::floating, 3)));
  expect_same_bits(one, result.distribution());
}

TEST(LevelStep, FollowsAPolicyOnAGridWhoseStepsAreHalved) {
  const Model model = generate("garnet",
                               {{"states", "6"},
                                {"actions", "2"},
                                {"branching", "3"},
                                {"horizon", "9"},
                                {"discount", "0.9"},
                                {"reward-of", "outcome"},
                                {"grid", "10"}});
  Options lattice = computed_in(Arithmetic::floating);
  lattice.engine = Engine::lattice;
  lattice.epsilon = Rational(3, 2);
  const Policy policy =
      solve(model, {{Rational(1, 10)}, Sides::lower, {}}, lattice).results.at(0).policy();
  ASSERT_TRUE(policy.grid);
  ASSERT_FALSE(policy.grid->halved_at.empty());
  expect_same_levels(evaluate(model, policy, computed_in(Arithmetic::floating)),
                     evaluate(model, policy, computed_in(Arithmetic::exact)));
}

TEST(LevelStep, KeepsLevelsWhoseProbabilityUnderflows) {
  const Distribution d = evaluate(testing::coin(1500),
                                  expectation_policy(testing::coin(1500), {}),
                                  computed_in(Arithmetic::floating));
  ASSERT_EQ(d.atoms.size(), 1501U);
  EXPECT_GT(d.atoms.front().probability.nearest, 0);
  EXPECT_LT(d.atoms.front().probability.nearest, 0x1p-1060);
}

TEST(LevelStep, NamesTheStateWithoutARuleAmongManyLevels) {
  const Model model = wide_model();
  Policy policy = expectation_policy(model, {});
  const std::uint64_t last = policy.rules.back().time;
  std::erase_if(policy.rules, [&](const PolicyRule& rule) { return rule.time == last; });
  try {
    (void)evaluate(model, policy, computed_in(Arithmetic::floating));
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_policy);
    EXPECT_NE(std::string(error.what()).find("at time 6"), std::string::npos) << error.what();
  }
}

TEST(LevelStep, AsksForMemoryBeforeItTakesIt) {
  const Model model = generate(
      "garnet",
      {{"states", "50"}, {"horizon", "6"}, {"reward-of", "outcome"}, {"greatest-reward", "20000"}});
  Policy policy = expectation_policy(model, {});
  policy.target = Rational(0);
  Options options = computed_in(Arithmetic::floating);
  EXPECT_FALSE(evaluate(model, policy, options).sample);
  options.memory_limit_bytes = 4'000'000;
  // Counted episode by episode where levels do not fit.
  EXPECT_TRUE(evaluate(model, policy, options).sample);
}

TEST(FinalMass, MergesRowsThatEndAtDifferentTimesWithSingleNodes) {
  FinalMass mass;
  mass.add(-1000, 0.125);
  mass.add(3, 0.125);
  mass.add(MassRow{2, {0.25, 0, 0.125}}, 2, 0);
  mass.add(MassRow{0, {0.125, 0.25}}, 2, 1);
  const auto entries = mass.entries();
  ASSERT_EQ(entries.size(), 5U);
  EXPECT_EQ(entries[0].level, -1000);
  EXPECT_EQ(entries[1].level, 0);
  EXPECT_EQ(entries[1].mass, 0.125);
  EXPECT_EQ(entries[2].level, 2);
  EXPECT_EQ(entries[2].mass, 0.5);
  EXPECT_EQ(entries[3].level, 3);
  EXPECT_EQ(entries[3].mass, 0.125);
  EXPECT_EQ(entries[4].level, 4);
  EXPECT_EQ(mass.most_additions(), 2U);
}

}  // namespace
}  // namespace quantiplan
