// Distributions of an infinite horizon against long, plain unrolling of random policies.
#include <gtest/gtest.h>

#include "evaluate/random_stationary.hpp"
#include "evaluate/stationary_chains.hpp"
#include "policy/residual_rules.hpp"

namespace quantiplan {
namespace {

constexpr int kCap = 24;      // amounts beyond are lumped: no rule tells them apart
constexpr int kSteps = 3000;  // every state leaves its part with 1/81 in four steps

using testing::Case;
using testing::random_case;

// P(amount = a and it counts) after many steps; the last entry holds all from kCap on.
std::vector<double> unrolled(const Case& c) {
  const Model& model = c.model;
  const ResolvedSetting& setting = c.policy.setting;
  const auto is_goal = [&](State s) {
    return std::ranges::find(setting.goal, s) != setting.goal.end();
  };
  const int counted = c.sign * (setting.cost ? -1 : 1) * (setting.adversarial ? -1 : 1);
  std::vector<std::vector<Choice>> choice(model.state_count());
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    if (model.is_terminal(State{s})) continue;
    for (int amount = 0; amount <= kCap; ++amount) {
      const Rational residual = c.policy.target.value_or(0) - counted * amount;
      choice[s].push_back(choose_by_residual(model, c.policy, 0, State{s}, residual));
    }
  }
  std::vector<std::vector<double>> mass(model.state_count(), std::vector<double>(kCap + 1));
  mass[0][0] = 1;
  for (int step = 0; step < kSteps; ++step) {
    std::vector<std::vector<double>> next(model.state_count(), std::vector<double>(kCap + 1));
    for (std::uint32_t s = 0; s < model.state_count(); ++s) {
      for (int amount = 0; amount <= kCap; ++amount) {
        const double p = mass[s][static_cast<std::size_t>(amount)];
        if (p == 0) continue;
        if (is_goal(State{s}) || model.is_terminal(State{s})) {
          next[s][static_cast<std::size_t>(amount)] += p;
          continue;
        }
        for (const Outcome& o : model.outcomes(choice[s][static_cast<std::size_t>(amount)])) {
          const int more = amount + std::abs(static_cast<int>(model.reward(o).get_d()));
          next[index(o.next)][static_cast<std::size_t>(std::min(more, kCap))] +=
              p * model.probabilities().nearest(o.probability);
        }
      }
    }
    mass = std::move(next);
  }
  std::vector<double> out(kCap + 1);
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    if (!setting.goal.empty() && !is_goal(State{s})) continue;
    for (std::size_t amount = 0; amount <= kCap; ++amount) out[amount] += mass[s][amount];
  }
  return out;
}

// P(W >= wealth of this amount) from the amounts.
double at_least(const std::vector<double>& mass, int amount, bool is_positive) {
  double sum = 0;
  for (int a = 0; a <= kCap; ++a) {
    if (is_positive ? a >= amount : a <= amount) sum += mass[static_cast<std::size_t>(a)];
  }
  return sum;
}

TEST(InfiniteUnrolled, IsTheLimitOfFiniteHorizons) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Case c = random_case(seed);
    const std::vector<double> truth = unrolled(c);
    const bool is_positive = (c.sign > 0) != c.policy.setting.cost;
    const Distribution exact = testing::infinite(c.model, c.policy, Arithmetic::exact);
    const Distribution floating = testing::infinite(c.model, c.policy, Arithmetic::floating);
    EXPECT_EQ(exact.relative_error, 0);
    for (int amount = 0; amount < kCap; ++amount) {
      const Total wealth = is_positive ? amount : -amount;
      const double p = at_least(truth, amount, is_positive);
      const ProbabilityBracket bracket = exact.at_least_bracket(wealth);
      ASSERT_LE(bracket.lower.get_d(), p + 1e-9) << seed << " " << amount;
      ASSERT_GE(bracket.upper.get_d(), p - 1e-9) << seed << " " << amount;
      ASSERT_LE(bracket.upper.get_d() - bracket.lower.get_d(), 2e-12) << seed << " " << amount;
      const ProbabilityBracket rounded = floating.at_least_bracket(wealth);
      ASSERT_LE(rounded.lower, bracket.upper) << seed << " " << amount;
      ASSERT_GE(rounded.upper, bracket.lower) << seed << " " << amount;
      ASSERT_LE(rounded.upper.get_d() - rounded.lower.get_d(), 4e-12) << seed << " " << amount;
    }
  }
}

TEST(InfiniteUnrolled, DoublesKeepWithinTheirBound) {
  int atoms = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Case c = random_case(seed);
    const Distribution exact = testing::infinite(c.model, c.policy, Arithmetic::exact);
    const Distribution floating = testing::infinite(c.model, c.policy, Arithmetic::floating);
    ASSERT_LT(floating.absolute_error, 1e-12) << seed;
    const std::size_t both = std::min(exact.atoms.size(), floating.atoms.size());
    for (std::size_t i = 0; i < both; ++i) {
      if (exact.atoms[i].wealth != floating.atoms[i].wealth) continue;
      const Rational truth = *exact.atoms[i].probability.exact;
      const Rational off = abs(Rational(Rational(floating.atoms[i].probability.nearest) - truth));
      ASSERT_LE(
          off,
          Rational(truth * Rational(floating.relative_error) + Rational(floating.absolute_error)))
          << seed << " " << i;
      ++atoms;
    }
    Rational all = 0;
    for (const Atom& atom : exact.atoms) all += *atom.probability.exact;
    ASSERT_LE(all, 1);
    ASSERT_GE(all, 1 - Rational(exact.rest ? exact.rest->probability : 0.0)) << seed;
    if (std::isfinite(exact.mean.nearest)) {
      ASSERT_NEAR(exact.mean.nearest, floating.mean.nearest, 1e-9) << seed;
    }
  }
  EXPECT_GT(atoms, 500);
}

}  // namespace
}  // namespace quantiplan
