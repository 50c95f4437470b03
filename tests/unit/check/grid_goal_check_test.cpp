// Policies on a grid with goals, costs and adversaries, against the plainest solver.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "check/tiny_grid_solver.hpp"
#include "check/verdicts_of_checks.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

Model random_errand(std::mt19937_64& bits, const char* gamma) {
  const std::vector<const char*> rewards{"1/3", "0.1", "-0.7", "5/7", "-1", "2", "1e-3", "0"};
  const std::vector<const char*> chances{"1/2", "1/3", "0.1", "0.9"};
  const std::vector<const char*> states{"a", "b", "shop", "lost"};
  ModelBuilder b;
  b.horizon(4).discount(gamma).initial("a").goal("shop");
  for (const char* state : states) b.declare_state(state);
  for (const char* state : {"a", "b"}) {
    for (const char* action : {"x", "y"}) {
      const Number p = chances[bits() % chances.size()];
      b.begin_choice(state, action);
      b.add_outcome(states[bits() % 4], p, rewards[bits() % rewards.size()]);
      b.add_outcome(bits() % 3 == 0 ? "shop" : "b",
                    Number(Rational(1 - p.rational())),
                    rewards[bits() % rewards.size()]);
    }
  }
  return b.build();
}

double below(const Rational& p) {
  const double nearest = to_nearest_double(p);
  return Rational(nearest) > p ? std::nextafter(nearest, 0.0) : nearest;
}
double above(const Rational& p) {
  const double nearest = to_nearest_double(p);
  return Rational(nearest) < p ? std::nextafter(nearest, 2.0) : nearest;
}

struct Case {
  Policy policy;
  PolicyClaim claim;
  Rational truth;  // the greatest, or for an adversary the least, P(W >= y)
};

Case threshold_on_grid(const Model& model,
                       const PolicyGrid& grid,
                       const Setting& setting,
                       const Rational& y) {
  const bool adversarial = setting.adversarial;
  const State start = model.initial()->only();
  // An adversary counts -W, and asks for more than -y.
  const Rational target = adversarial ? Rational(-y) : y;
  TinyGridSolver down(model, grid, Count::down, setting, adversarial);
  TinyGridSolver up(model, grid, Count::up, setting, adversarial);
  TinyGridSolver truly(model, grid, Count::truly, setting, adversarial);
  const Rational low = down.best(0, start, target);
  const Rational high = up.best(0, start, target);
  const Rational truth = truly.best(0, start, target);
  Case made{down.policy(target), {}, truth};
  if (adversarial) {
    made.claim = threshold_claim(y, 1 - high, above(1 - low));
    made.claim.probability = below(1 - high);
    made.truth = 1 - truth;
  } else {
    made.claim = threshold_claim(y, low, above(high));
    made.claim.probability = below(low);
  }
  return made;
}

TEST(GridGoalChecker, AgreesWithThePlainestSolver) {
  std::mt19937_64 bits(21);
  int refuted = 0;
  for (const char* gamma : {"0.5", "0.9", "1"}) {
    for (int i = 0; i < 24; ++i) {
      const Model model = random_errand(bits, gamma);
      PolicyGrid grid{Rational(1, 4), {1, 2}};
      // Some so fine at last that an index does not fit 62 bits where the wealth is far off.
      if (i % 3 == 0) grid.halved_at.resize(57, 3);
      Setting setting;
      setting.cost = (i & 1) != 0;
      setting.adversarial = (i & 2) != 0;
      if ((i & 4) != 0) setting.goal.emplace();
      const Rational y(static_cast<int>(bits() % 9) - 4, 4);
      Case made = threshold_on_grid(model, grid, setting, Rational(y));
      SCOPED_TRACE(std::string(gamma) + " " + std::to_string(i));
      expect_confirmed(check(model, made.policy, made.claim));
      // Neither end may lie beyond the truth.
      PolicyClaim high = made.claim;
      high.probability = to_nearest_double(made.truth) + 1e-6;
      high.most_probability = 1.5;
      EXPECT_FALSE(check(model, made.policy, high).passed);
      PolicyClaim low = made.claim;
      low.most_probability = to_nearest_double(made.truth) - 1e-6;
      low.probability = -0.5;
      if (*low.most_probability < 0) continue;
      EXPECT_FALSE(check(model, made.policy, low).passed);
      ++refuted;
    }
  }
  EXPECT_GT(refuted, 30);
}

}  // namespace
}  // namespace quantiplan::checking
