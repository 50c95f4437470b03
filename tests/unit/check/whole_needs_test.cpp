// Exact sums by windows: against places that are listed one by one, and where these are too many.
#include "check/finite/whole_needs.hpp"

#include <gtest/gtest.h>

#include "check/check_models.hpp"
#include "check/common/probabilities.hpp"
#include "check/finite/cut_ends.hpp"
#include "check/finite/forward_pass.hpp"
#include "check/finite/optimality.hpp"
#include "quantiplan/domains.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

Model garnet_with(const char* states,
                  const char* horizon,
                  const char* branching,
                  const char* most,
                  int seed = 1) {
  return generate("garnet",
                  {{"states", states},
                   {"actions", "3"},
                   {"branching", branching},
                   {"horizon", horizon},
                   {"reward-of", "outcome"},
                   {"least-reward", "-3"},
                   {"greatest-reward", most},
                   {"grid", "10"},
                   {"seed", std::to_string(seed)}});
}

// The same probabilities by both ways, exactly by the list.
void expect_agreement(const Model& model, const Setting& setting, Sides side) {
  const auto result = solve(model, {{Rational(1, 4)}, side, setting}).results.at(0);
  const Policy policy = result.policy();
  if (!policy.claim) return;
  Findings findings;
  const Options options;
  CheckLimits limits(options);
  const CountedClaim claim(policy, *policy.claim);
  const CheckCase task{model, policy, claim, limits, findings};
  const Ends own = ends_of_policy(model, policy, claim.own, limits).low;
  const Ends best = ends_of_best(model, policy, claim.beyond, limits).low;
  auto ledger = IntegerLedger::make(model, own.setting());
  ASSERT_TRUE(ledger);
  if (claim.own.numbers() != Event::Numbers::compared) return;

  WealthCourse<IntegerLedger> course(model, policy, *ledger);
  const PolicyReach reach(task, own, course);
  const Prospects prospects(model, own, own, reach, course, *ledger, limits);
  const auto tally =
      ForwardPass<WealthCourse<IntegerLedger>, decltype(prospects), RationalProbabilities>(
          model, own, course, prospects, /*asks_level=*/true, limits)
          .run();
  CountedClaim rough = claim;
  rough.exact.reset();
  const CheckCase rough_task{model, policy, rough, limits, findings};
  if (const auto whole = whole_chance(rough_task, own, *ledger)) {
    EXPECT_LE(whole->chance.bounds.low, tally.low);
    EXPECT_GE(whole->chance.bounds.high, tally.low);
    EXPECT_LT(Rational(whole->chance.bounds.high - whole->chance.bounds.low), Rational(1e-12));
    EXPECT_EQ(whole->chance.surely_some, tally.surely_some);
    EXPECT_EQ(whole->chance.surely_all, !tally.maybe_outside);
    EXPECT_EQ(whole->some_at.value_or(tally.some_at), tally.some_at);
  }
  if (best.event().numbers() != Event::Numbers::compared) return;
  const auto exact =
      greatest_chance(model, best, *ledger, limits, [](const Bounds& b) { return b.is_exact(); });
  ASSERT_TRUE(exact && exact->is_exact());
  if (const auto whole = greatest_whole_chance(task, best, *ledger)) {
    EXPECT_LE(whole->chance.bounds.low, exact->low);
    EXPECT_GE(whole->chance.bounds.high, exact->high);
    EXPECT_EQ(claim.beyond_demand.met_by(whole->chance.bounds), claim.beyond_demand.met_by(*exact));
  } else {
    // A tie: nobody but exact arithmetic can tell.
    EXPECT_EQ(exact->low, claim.beyond_demand.theta);
  }
}

TEST(WholeNeeds, AgreesWithPlacesThatAreListed) {
  for (int seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = garnet_with("5", "4", "3", "9", seed);
    Setting cost;
    cost.cost = true;
    Setting goal;
    goal.goal = {{"s3"}};
    Setting goal_at_cost = goal;
    goal_at_cost.cost = true;
    Setting discounted;
    discounted.discount = Rational(1, 2);
    for (const Setting& setting : {Setting(), cost, goal, goal_at_cost, adversary(), discounted})
      expect_agreement(model, setting, seed % 2 == 0 ? Sides::upper : Sides::lower);
  }
}

class ManyPlaces : public ::testing::Test {
 protected:
  CheckReport checked(const PolicyClaim& claim, unsigned threads = 1) {
    Options options;
    options.threads = threads;
    return check(model_, policy_, claim, options);
  }

  Model model_ = garnet_with("20", "8", "6", "2000");
  Policy policy_ = solve(model_, {{Rational(1, 4)}, Sides::lower, {}}).results.at(0).policy();
  PolicyClaim claim_ = *policy_.claim;
};

TEST_F(ManyPlaces, ConfirmsTheOptimumAtAnyNumberOfThreads) {
  const CheckReport report = checked(claim_);
  EXPECT_TRUE(report.passed);
  EXPECT_TRUE(report.optimality_checked);
  EXPECT_NE(report.findings.at(0).find("open at up to"), std::string::npos);
  EXPECT_EQ(report.findings, checked(claim_, 3).findings);
  ASSERT_TRUE(claim_.mean && claim_.mean_bound);
  EXPECT_NE(report.findings.at(4).find("Its mean is"), std::string::npos);
}

TEST_F(ManyPlaces, RefutesAWrongMean) {
  PolicyClaim wrong = claim_;
  wrong.mean = Value{wrong.mean->nearest - 1e-6, std::nullopt};
  const CheckReport report = checked(wrong);
  EXPECT_FALSE(report.passed);
  EXPECT_NE(report.findings.back().find("Its mean is not"), std::string::npos)
      << report.findings.back();
}

TEST_F(ManyPlaces, RefutesAWrongProbability) {
  PolicyClaim wrong = claim_;
  wrong.exact_probability.reset();
  wrong.probability += 1e-9;
  const CheckReport report = checked(wrong);
  EXPECT_FALSE(report.passed);
  EXPECT_FALSE(report.ended_early);
}

TEST_F(ManyPlaces, RefutesAQuantileThatIsNotTheOptimum) {
  // The next total below, with the policy's own probability.
  Options exact;
  exact.arithmetic = Arithmetic::exact;
  const Distribution d = evaluate(model_, policy_, exact);
  std::size_t at = 0;
  while (d.atoms[at + 1].wealth < claim_.quantile) ++at;
  PolicyClaim lower = claim_;
  lower.quantile = d.atoms[at].wealth;
  lower.set_probability({d.at_least(d.atoms[at].wealth.value()).nearest, std::nullopt});
  lower.mean.reset();
  lower.mean_bound.reset();
  const CheckReport report = checked(lower);
  EXPECT_FALSE(report.passed);
  EXPECT_NE(report.findings.back().find("so the quantile is not the optimum"), std::string::npos)
      << report.findings.back();
}

TEST_F(ManyPlaces, EndsEarlyWhereTheyDoNotFitTheMemory) {
  Options options;
  options.memory_limit_bytes = 3'000'000;
  const CheckReport report = check(model_, policy_, claim_, options);
  EXPECT_FALSE(report.optimality_checked);
  EXPECT_NE(report.findings.back().find("memory limit"), std::string::npos)
      << report.findings.back();
}

}  // namespace
}  // namespace quantiplan::checking
