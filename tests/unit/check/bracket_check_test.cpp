#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "check/check_models.hpp"
#include "check/tiny_grid_solver.hpp"
#include "check/verdicts_of_checks.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

// The example of the policy format: the commute with discount 0.9, in steps of 2 and then 1.
class GridCommute : public ::testing::Test {
 protected:
  GridCommute() {
    policy_.setting.discount = number("0.9");
    policy_.grid = PolicyGrid{2, {1}};
    add_rule(policy_, model_, 0, "home", {{Rational(-20), "bike"}, {{}, "train"}});
    for (const std::uint64_t t : {1U, 2U}) {
      add_rule(policy_, model_, t, "home", {{{}, "train"}});
      add_rule(policy_, model_, t, "station", {{{}, "wait"}});
    }
  }
  CheckReport checked(const PolicyClaim& claimed) { return check(model_, policy_, claimed); }

  Model model_ = commute();
  Policy policy_ = empty_policy(model_, number("-24"));
};

TEST_F(GridCommute, IsConfirmed) {
  const CheckReport report = checked(bracket("0.5", Side::lower, "-24", 0.72, "-23"));
  expect_confirmed(report);
  EXPECT_EQ(report.findings,
            (std::vector<std::string>{
                "The policy has a rule wherever it comes; by its own index the outcome is open at "
                "2 places (time, state, index).",
                "P(W >= -24) is at least 0.71999999999999997: it is more than 0.5, as claimed.",
                "The claimed probability 0.71999999999999997 is no more than that.",
                "The greatest P(W > -23) of any policy is 0: it is not more than 0.5, so no policy "
                "promises more."}));
}

TEST_F(GridCommute, IsRefutedIfTheProbabilityIsTooHigh) {
  expect_refuted(checked(bracket("0.5", Side::lower, "-24", 0.7200001, "-23")),
                 "The claimed probability 0.72000010000000003 is not proved: P(W >= -24), as it "
                 "counts, is at most 0.72");
  expect_refuted(checked(bracket("0.5", Side::lower, "-24", NAN, "-23")), "is not proved");
  // One step of doubles above 0.72.
  expect_refuted(checked(bracket("0.5", Side::lower, "-24", 0.72000000000000008, "-23")),
                 "is not proved");
}

TEST_F(GridCommute, IsRefutedIfTheQuantileIsTooHigh) {
  expect_refuted(
      checked(bracket("0.5", Side::lower, "-23.4", 0.72, "-23")),
      "P(W >= -23.4), as it counts, is at most 0: it is not more than 0.5, as the quantile "
      "demands.");
  expect_refuted(checked(bracket("0.25", Side::lower, "-24", 0.72, "-23")),
                 "it is not more than 0.75, as the quantile demands.");
}

TEST_F(GridCommute, IsRefutedIfTheUpperEndIsTooLow) {
  // In truth the quantile is -23.5.
  expect_confirmed(checked(bracket("0.5", Side::lower, "-24", 0.72, "-23.5")));
  expect_refuted(checked(bracket("0.5", Side::lower, "-24", 0.72, "-23.51")),
                 "The greatest P(W > -23.51) of any policy lies in [0.71999999999999975, "
                 "0.7200000000000002]: it is more than 0.5, so the upper end is too low.");
  expect_refuted(checked(bracket("0.5", Side::lower, "-24", 0.72, "-24.5")),
                 "The claimed bracket ends at -24.5, below its quantile -24.");
}

TEST_F(GridCommute, ProvesQuantilesBelowItsTargetToo) {
  // The next total but one is -31.15: 0.72 + 0.01 + 0.072. The last reward need not be rounded.
  expect_confirmed(checked(bracket("0.25", Side::lower, "-31.15", 0.80199999999999994, "-23")));
  expect_refuted(checked(bracket("0.25", Side::lower, "-31.1", 0.73, "-23")), "as it counts,");
}

TEST_F(GridCommute, SettlesATieInRationals) {
  // P(W >= -24) is 0.72 exactly: enough for the upper side, not for the lower.
  PolicyClaim tie = bracket("0.28", Side::upper, "-24", 0.72, "-23");
  tie.exact_probability = number("0.72");
  const CheckReport report = checked(tie);
  expect_confirmed(report);
  EXPECT_EQ(report.findings[1], "P(W >= -24) is at least 0.72: it is at least 0.72, as claimed.");
  expect_refuted(checked(bracket("0.28", Side::lower, "-24", 0.72, "-23")),
                 "is at most 0.72: it is not more than 0.72");
  tie.exact_probability = number("0.7200000000000000000001");
  expect_refuted(checked(tie), "is not proved");
}

TEST_F(GridCommute, NeedsARuleEvenWhereAllIsDecided) {
  // At home at time 2 the target is lost; someone who runs the policy must act there all the same.
  const Policy whole = policy_;
  for (std::size_t i = 0; i < whole.rules.size(); ++i) {
    policy_ = whole;
    policy_.rules.erase(policy_.rules.begin() + static_cast<std::ptrdiff_t>(i));
    expect_refuted(checked(bracket("0.5", Side::lower, "-24", 0.72, "-23")),
                   "and has no rule for it.");
    EXPECT_THROW(evaluate(model_, policy_), Error) << i;
  }
}

TEST_F(GridCommute, RefutesGridsThatAreNone) {
  const PolicyClaim claimed = bracket("0.5", Side::lower, "-24", 0.72, "-23");
  policy_.grid->unit = 0;
  expect_refuted(checked(claimed), "The unit of the policy's grid is 0, it must be above 0.");
  policy_.grid->unit = 5;
  expect_refuted(checked(claimed),
                 "The policy's target is -24, it must be a whole multiple of the grid's unit 5");
  policy_.grid = PolicyGrid{2, {3}};
  expect_refuted(checked(claimed), "must ascend from 1 to below the horizon.");
  policy_.grid = PolicyGrid{2, {1}};
  policy_.rules[0].runs[0].upto = Rational(1, 2);
  expect_refuted(checked(claimed), "a threshold is no whole number below 2^62");
  policy_.rules[0].runs[0].upto = Rational(1);
  policy_.target.reset();
  expect_refuted(checked(claimed), "The policy has a grid, but no target to count from.");
}

TEST_F(GridCommute, IsLeftOpenWhenItIsStopped) {
  const std::atomic<bool> stop = true;
  Options options;
  options.stop = &stop;
  const CheckReport report =
      check(model_, policy_, bracket("0.5", Side::lower, "-24", 0.72, "-23"), options);
  EXPECT_FALSE(report.passed);
  EXPECT_TRUE(report.ended_early);
}

TEST(BracketChecker, TreatsCertaintyAndPossibilityAsFacts) {
  // Thirds never sum to 1 in binary; a chance of 1e-30 is one.
  const Model model = lotteries({{{"1/3", "1.1"}, {"1/3", "2"}, {"1/3", "3"}},
                                 {{"1e-30", "9"}, {"999999999999999999999999999999e-30", "0"}}});
  const auto taking = [&](const char* action, int target) {
    Policy policy = empty_policy(model, Rational(target));
    policy.grid = PolicyGrid{1, {}};
    add_rule(policy, model, 0, "start", {{{}, action}});
    return policy;
  };
  expect_confirmed(check(model, taking("take 0", 1), bracket("0", Side::upper, "1", 1, "1.1")));
  expect_refuted(check(model, taking("take 0", 2), bracket("0", Side::upper, "2", 0.5, "2")),
                 "it is not at least 1");
  expect_confirmed(check(model, taking("take 1", 9), bracket("1", Side::lower, "9", 0, "9")));
  expect_refuted(check(model, taking("take 0", 3), bracket("1", Side::lower, "3", 0.3, "8")),
                 "so the upper end is too low.");
}

TEST(BracketChecker, HoldsAResidualPolicyToABracketToo) {
  const Model model = commute();
  Policy bike = empty_policy(model, number("-40"));
  add_rule(bike, model, 0, "home", {{{}, "bike"}});
  expect_confirmed(check(model, bike, bracket("0.1", Side::upper, "-40", 1, "-35")));
  // A lower bound may be low, and the quantile need not be attained.
  expect_confirmed(check(model, bike, bracket("0.1", Side::upper, "-41", 0.5, "-35")));
  expect_refuted(check(model, bike, bracket("0.5", Side::upper, "-40", 1, "-35")),
                 "so the upper end is too low.");
  Policy train = empty_policy(model);
  for (const std::uint64_t t : {0U, 1U, 2U}) {
    add_rule(train, model, t, "home", {{{}, "train"}});
    add_rule(train, model, t, "station", {{{}, "wait"}});
  }
  expect_confirmed(check(model, train, bracket("0.5", Side::upper, "-26", 0.72, "-20")));
  expect_refuted(check(model, train, bracket("0.5", Side::upper, "-26", 0.7200001, "-20")),
                 "The claimed probability 0.72000010000000003 is too high");
}

TEST(BracketChecker, IgnoresRewardsThatAreNeverMet) {
  ModelBuilder b;
  b.horizon(2).discount("0.5").initial("s");
  b.begin_choice("s", "stay").add_outcome("s", 1, 0);
  b.begin_choice("far", "collect").add_outcome("s", 1, "1e30");
  const Model model = b.build();
  Policy policy = empty_policy(model, Rational(0));
  policy.grid = PolicyGrid{number("1e-9"), {1}};
  for (const std::uint64_t t : {0U, 1U}) add_rule(policy, model, t, "s", {{{}, "stay"}});
  expect_confirmed(check(model, policy, bracket("0.5", Side::lower, "0", 1, "0")));
}

// Random models with awkward rewards: two states, two choices, two outcomes.
Model random_awkward_model(std::mt19937_64& bits, std::uint64_t horizon, const char* gamma) {
  const std::vector<const char*> rewards{"1/3", "0.1", "-0.7", "5/7", "-1", "2", "1e-3", "0"};
  const std::vector<const char*> chances{"1/2", "1/3", "0.1", "0.9"};
  ModelBuilder b;
  b.horizon(horizon).discount(gamma).initial("a");
  for (const char* state : {"a", "b"}) {
    for (const char* action : {"x", "y"}) {
      const Number p = chances[bits() % chances.size()];
      b.begin_choice(state, action);
      b.add_outcome(bits() % 2 == 0 ? "a" : "b", p, rewards[bits() % rewards.size()]);
      b.add_outcome(bits() % 4 == 0 ? "end" : "b",
                    Number(Rational(1 - p.rational())),
                    rewards[bits() % rewards.size()]);
    }
  }
  return b.build();
}

struct Solved {
  Policy policy;
  PolicyClaim claim;
  Rational truth;
};

Solved solve_on_grid(const Model& model, const PolicyGrid& grid, const Rational& tau, Side side) {
  TinyGridSolver down(model, grid, Count::down);
  TinyGridSolver up(model, grid, Count::up);
  TinyGridSolver truly(model, grid, Count::truly);
  Solved solved;
  // A target must be a multiple of the unit: the greatest that meets the demand.
  Rational target = down.quantile(tau, side);
  const Rational units = target / grid.unit;
  Integer whole;
  mpz_fdiv_q(whole.get_mpz_t(), units.get_num_mpz_t(), units.get_den_mpz_t());
  target = Rational(whole) * grid.unit;
  solved.policy = down.policy(target);
  const Rational p = down.best(0, solved.policy.setting.initial.only(), target);
  double below = to_nearest_double(p);
  if (Rational(below) > p) below = std::nextafter(below, 0.0);
  solved.claim = {tau, side, target, below, p, up.quantile(tau, side)};
  solved.truth = truly.quantile(tau, side);
  return solved;
}

TEST(BracketChecker, AgreesWithThePlainestSolver) {
  std::mt19937_64 bits(20);
  for (const char* gamma : {"0.5", "0.9", "0.99", "1"}) {
    for (int i = 0; i < 4; ++i) {
      const Model model = random_awkward_model(bits, 4, gamma);
      PolicyGrid grid{Rational(1, 4 + static_cast<int>(bits() % 5)), {1, 2, 2}};
      // Half of them so fine at last that a hull holds 10^13 needs and a few steps.
      if (i % 2 == 0) grid.halved_at.resize(45, 3);
      const Rational tau = Rational(static_cast<int>(1 + bits() % 9)) / 10;
      const Side side = bits() % 2 == 0 ? Side::lower : Side::upper;
      Solved solved = solve_on_grid(model, grid, tau, side);
      SCOPED_TRACE(std::string(gamma) + " " + std::to_string(i));
      ASSERT_LE(solved.claim.quantile, solved.truth);
      ASSERT_LE(solved.truth, *solved.claim.upper);
      expect_confirmed(check(model, solved.policy, solved.claim));
      // The truth itself is an upper end; anything below it is none.
      solved.claim.upper = solved.truth;
      expect_confirmed(check(model, solved.policy, solved.claim));
      if (solved.claim.quantile < solved.truth) {
        solved.claim.upper = Rational((solved.claim.quantile.value() + solved.truth) / 2);
        EXPECT_FALSE(check(model, solved.policy, solved.claim).passed);
        solved.claim.upper = solved.truth;
      }
      solved.claim.exact_probability = *solved.claim.exact_probability + Rational(1, 1000000);
      EXPECT_FALSE(check(model, solved.policy, solved.claim).passed);
    }
  }
}

// A thousand steps of a discounted coin: exact wealth has 3300 bits.
TEST(BracketChecker, FollowsAThousandDiscountedSteps) {
  ModelBuilder b;
  b.horizon(1000).discount("0.9").initial("s");
  b.begin_choice("s", "flip").add_outcome("s", "1/2", 1).add_outcome("s", "1/2", 0);
  b.begin_choice("s", "rest").add_outcome("s", 1, "0.5");
  const Model model = b.build();
  Policy policy = empty_policy(model, number("4.5"));
  policy.grid = PolicyGrid{number("1/512"), {}};
  for (std::uint64_t t = 1; t < 1000 && policy.grid->halved_at.size() < 60; ++t)
    if (t % 7 == 0) policy.grid->halved_at.push_back(t);
  for (std::uint64_t t = 0; t < 1000; ++t) add_rule(policy, model, t, "s", {{{}, "rest"}});
  // Resting gives 5 (1 - 0.9^1000), counted with less than 0.1 lost.
  EXPECT_TRUE(check(model, policy, bracket("0.3", Side::lower, "4.5", 1, "10")).passed);
  expect_refuted(check(model, policy, bracket("0.3", Side::lower, "5", 1, "10")),
                 "as the quantile demands.");
  // Flipping now and then, some policy exceeds 5.2 with probability 0.72.
  expect_refuted(check(model, policy, bracket("0.3", Side::lower, "4.5", 1, "5.2")),
                 "Some policy has a quantile above 5.2");
  const CheckReport report = check(model, policy, bracket("0.25", Side::lower, "4.5", 1, "5.2"));
  expect_confirmed(report);
  EXPECT_NE(report.findings.back().find("No policy has a quantile above 5.2"), std::string::npos)
      << report.findings.back();
}

}  // namespace
}  // namespace quantiplan::checking
