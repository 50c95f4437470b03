// The one table of decisions that a curve has, for all of its levels.
#include <gtest/gtest.h>

#include "quantiplan/answer.hpp"
#include "quantiplan/domains.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

Model example(const std::string& name) {
  return read_model(std::string(QUANTIPLAN_SOURCE_DIR) + "/examples/" + name).model;
}

// Every level of the curve is attained with its probability by the one table.
void expect_attains_the_curve(const Model& model, const Setting& setting, std::size_t stride = 1) {
  Query query;
  query.setting = setting;
  Options options;
  options.arithmetic = Arithmetic::exact;
  const Frontier curve = frontier(model, query, options);
  ASSERT_TRUE(curve.policy);
  Policy policy = curve.policy();
  ASSERT_GT(curve.steps.size(), 1U);
  for (std::size_t i = 0; i < curve.steps.size(); i += stride) {
    if (!curve.steps[i].wealth.is_finite()) continue;
    policy.target = curve.steps[i].wealth.value();
    const Value reached = evaluate(model, policy, options).at_least(*policy.target);
    ASSERT_TRUE(reached.exact);
    EXPECT_EQ(*reached.exact, *curve.steps[i].probability.exact)
        << "target " << to_text(*policy.target);
  }
}

TEST(CurvePolicy, AttainsEveryLevelOfTheCommute) {
  expect_attains_the_curve(example("commute.json"), {});
}

TEST(CurvePolicy, AttainsTheLevelsOfADataCentre) {
  Setting setting;
  setting.horizon = 4;
  expect_attains_the_curve(example("datacenter.json"), setting, 7);
}

TEST(CurvePolicy, AttainsTheLevelsOfCostsADiscountAndAGoal) {
  Setting costs;
  costs.cost = true;
  expect_attains_the_curve(example("commute.json"), costs);
  Setting discounted;
  discounted.discount = Rational(1, 2);
  expect_attains_the_curve(example("commute.json"), discounted);
  Setting goal;
  goal.horizon = 5;
  expect_attains_the_curve(example("upload.json"), goal);
}

// Rules for all residuals: whoever did something else before is served as well as one can be.
TEST(CurvePolicy, HasARuleForWhoeverWentAnotherWay) {
  const Model model = example("datacenter.json");
  const Frontier curve = frontier(model, {});
  const Policy policy = curve.policy();
  std::size_t first = 0;
  for (const PolicyRule& rule : policy.rules)
    if (rule.time == 1) ++first;
  // At time 1 every number of machines, which is any action's, with every number of jobs.
  std::size_t reachable = 0;
  std::vector<bool> seen(model.state_count());
  for (const Choice c : model.choices(policy.setting.initial.only())) {
    for (const Outcome& o : model.outcomes(c)) {
      if (!seen[index(o.next)]) ++reachable;
      seen[index(o.next)] = true;
    }
  }
  EXPECT_EQ(first, reachable);
}

TEST(CurvePolicy, IsAbsentWhereThereIsNone) {
  Query adversary;
  adversary.setting.adversarial = true;
  EXPECT_FALSE(frontier(example("commute.json"), adversary).policy);
  Query infinite;
  infinite.taus = {Rational(1, 10)};
  EXPECT_FALSE(frontier(example("upload.json"), infinite).policy);
  EXPECT_FALSE(frontier(example("workflow.json"), {}).policy);
  Query discounted;
  discounted.setting.horizon = kInfiniteHorizon;
  discounted.setting.discount = Rational(1, 2);
  EXPECT_FALSE(frontier(example("commute.json"), discounted).policy);
}

}  // namespace
}  // namespace quantiplan
