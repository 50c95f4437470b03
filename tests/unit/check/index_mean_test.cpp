// Means of policies that go by an index, needs by arrays, against what the engine computed forward.
#include "check/means/index_mean.hpp"

#include <gtest/gtest.h>

#include "check/verdicts_of_checks.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

std::optional<Bounds> mean_of(const Model& model, const Policy& policy) {
  const Options options;
  CheckLimits limits(options);
  Findings findings;
  const CountedClaim counted(policy, *policy.claim);
  const CheckCase task{model, policy, counted, limits, findings};
  return mean_by_index(task, ends_of_policy(model, policy, counted.own, limits));
}

Model gambles() {
  ModelBuilder b;
  b.horizon(14).initial("s");
  b.begin_choice("s", "work").add_outcome("s", 1, "1/3");
  b.begin_choice("s", "risk").add_outcome("s", "1/2", "7/5").add_outcome("s", "1/2", "-1/7");
  b.begin_choice("s", "bet").add_outcome("s", "1/5", "9/2").add_outcome("t", "4/5", "-1");
  b.begin_choice("t", "back").add_outcome("s", "2/3", 0).add_outcome("end", "1/3", "1/4");
  b.begin_choice("t", "stay").add_outcome("t", 1, "1/5");
  return b.build();
}

class IndexMeans : public ::testing::TestWithParam<bool> {};

TEST_P(IndexMeans, AreThoseOfTheEngine) {
  const Model model = gambles();
  Query query;
  query.taus = {number("1/10"), number("0.3"), number("1/2"), number("0.8")};
  query.setting.discount = number("4/5");
  query.setting.cost = GetParam();
  query.prefer = Prefer::mean;
  Options options;
  options.engine = Engine::lattice;
  int policies = 0;
  const Answer answer = solve(model, query, options);
  for (const Result& result : answer.results) {
    const Policy policy = result.policy();
    if (!policy.grid || !policy.claim->mean) continue;
    const auto mean = mean_of(model, policy);
    ASSERT_TRUE(mean.has_value());
    EXPECT_LT(to_nearest_double(mean->high - mean->low), 1e-15);
    EXPECT_NEAR(to_nearest_double(mean->low), result.mean->nearest, 1e-11);
    ++policies;
  }
  EXPECT_EQ(policies, 4);
}

INSTANTIATE_TEST_SUITE_P(OfRewardsAndCosts, IndexMeans, ::testing::Bool());

}  // namespace
}  // namespace quantiplan::checking
