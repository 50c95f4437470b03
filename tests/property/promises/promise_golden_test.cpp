// Golden cases whose expected.json tells what a promise costs (golden_case.hpp), and the examples
// whose figures the documents quote.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "harness/golden_case.hpp"
#include "harness/harness.hpp"
#include "harness/lowest_terms.hpp"
#include "promises/promise_reference.hpp"
#include "quantiplan/domains.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

std::vector<std::string> promise_cases(bool (*wanted)(const Model&)) {
  std::vector<std::string> names;
  for (const std::string& name : golden_cases()) {
    const GoldenCase golden(name);
    const auto results = golden.expected["results"].GetArray();
    if (!results.Empty() && results[0].HasMember("promise") && wanted(golden.read.model))
      names.push_back(name);
  }
  return names;
}

bool is_finite(const Model& model) { return model.horizon() != kInfiniteHorizon; }
bool has_goal(const Model& model) { return !model.goal().empty(); }

class PromiseGolden : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] std::vector<Result> solved(Prefer prefer, Arithmetic arithmetic) const {
    Query query = golden_.query();
    query.prefer = prefer;
    Options options;
    options.arithmetic = arithmetic;
    options.check = true;
    std::vector<Result> results = solve(golden_.read.model, query, options).results;
    EXPECT_EQ(results.size(), golden_.expected["results"].Size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      const auto at = static_cast<rapidjson::SizeType>(i);
      EXPECT_EQ(results[i].quantile, total_in(golden_.expected["results"][at]["quantile"]));
      EXPECT_EQ(results[i].prefer, prefer);
      EXPECT_TRUE(results[i].check && results[i].check->passed);
    }
    return results;
  }
  [[nodiscard]] const rapidjson::Value& promise(std::size_t i) const {
    return golden_.expected["results"][static_cast<rapidjson::SizeType>(i)]["promise"];
  }

  // Of the policy: that the episode is no miss.
  [[nodiscard]] ProbabilityBracket chance_of_goal(const Result& result) const {
    return evaluate(golden_.read.model, result.policy()).at_least_bracket(Total::minus_infinity());
  }

  GoldenCase golden_{GetParam()};
};

// The number of the promise that goes by this name, if it is told.
std::optional<Rational> told(const rapidjson::Value& promise, const char* name) {
  if (!promise.HasMember(name)) return std::nullopt;
  return number_in(promise[name]);
}

// At least the vertex of the hull that a search ends at, and no more than the bound.
void expect_between(const Value& found, const rapidjson::Value& promise, const char* name) {
  const Rational bound = number_in(promise[(std::string(name) + "_bound").c_str()]);
  ASSERT_TRUE(found.exact);
  EXPECT_GE(*found.exact, number_in(promise[name])) << name;
  EXPECT_LE(*found.exact, bound) << name;
}

TEST_P(PromiseGolden, AgreesWithTheReference) {
  const PlainModel plain = take_apart(golden_.read.model);
  if (plain.is_infinite()) return;
  PromiseReference reference(plain, KeepFates::hull);
  std::size_t i = 0;
  for (const rapidjson::Value& result : golden_.expected["results"].GetArray()) {
    const Rational level = number_in(result["quantile"]);
    const Rational theta = 1 - number_in(result["tau"]);
    const Side side = side_in(result["side"]);
    const rapidjson::Value& numbers = promise(i++);
    const Fate surest = reference.surest(level);
    EXPECT_EQ(surest.promise, number_in(result["probability"]));
    const bool by_goal = !plain.goal.empty();
    if (by_goal) {
      EXPECT_EQ(surest.arrival, told(numbers, "surest_goal_probability"));
      EXPECT_EQ(-surest.gain, told(numbers, "surest_cost"));
      EXPECT_EQ(reference.arrival_bound(level, theta, side),
                told(numbers, "goal_probability_bound"));
    } else {
      EXPECT_EQ(surest.gain, told(numbers, "surest_mean"));
      EXPECT_EQ(reference.mean_bound(level, theta, side), told(numbers, "mean_bound"));
    }
    const std::vector<Fate> curve = reference.curve(level);
    const auto worth = [&](const Fate& fate) { return by_goal ? fate.arrival : fate.gain; };
    EXPECT_EQ(worth(curve.front()),
              told(numbers, by_goal ? "greatest_goal_probability" : "greatest_mean"));
    const auto kept = std::find_if(curve.begin(), curve.end(), [&](const Fate& fate) {
      return keeps(fate.promise, theta, side);
    });
    EXPECT_EQ(worth(*kept), told(numbers, by_goal ? "goal_probability" : "mean"));
  }
}

TEST_P(PromiseGolden, IsKeptAtTheLeastPrice) {
  const std::vector<Result> results = solved(Prefer::mean, Arithmetic::exact);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (const auto bound = told(promise(i), "mean_bound")) {
      EXPECT_EQ(results[i].mean_bound.value().exact, bound);
      expect_between(results[i].mean.value(), promise(i), "mean");
    }
    if (const auto bound = told(promise(i), "goal_probability_bound")) {
      EXPECT_EQ(results[i].goal_probability_bound.value().exact, bound);
      const ProbabilityBracket reached = chance_of_goal(results[i]);
      EXPECT_GE(reached.upper, *told(promise(i), "goal_probability"));
      EXPECT_LE(reached.lower, *bound);
    }
  }
}

TEST_P(PromiseGolden, IsKeptInDoublesToTheStatedGap) {
  const std::vector<Result> results = solved(Prefer::mean, Arithmetic::floating);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (const auto bound = told(promise(i), "mean_bound")) {
      const Rational stated = results[i].mean_bound.value().greatest();
      const Rational cost = *told(promise(i), "greatest_mean") - *told(promise(i), "surest_mean");
      EXPECT_GE(stated, *bound);
      EXPECT_LE(stated, *bound + cost / 100 + Rational(0x1p-30));
      EXPECT_LE(results[i].mean.value().nearest, to_nearest_double(stated));
    }
    if (const auto bound = told(promise(i), "goal_probability_bound")) {
      EXPECT_GE(results[i].goal_probability_bound.value().greatest(), *bound);
      EXPECT_LE(results[i].goal_probability_bound->nearest, to_nearest_double(*bound) + 0.001);
      EXPECT_LE(chance_of_goal(results[i]).lower, *bound);
    }
  }
}

TEST_P(PromiseGolden, TheSurestPolicyWastesNothing) {
  const std::vector<Result> results = solved(Prefer::probability, Arithmetic::exact);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (const auto mean = told(promise(i), "surest_mean")) {
      EXPECT_EQ(results[i].mean.value().exact, mean);
    }
    if (const auto chance = told(promise(i), "surest_goal_probability")) {
      const ProbabilityBracket reached = chance_of_goal(results[i]);
      EXPECT_LE(reached.lower, *chance);
      EXPECT_GE(reached.upper, *chance);
      EXPECT_LE(reached.upper - reached.lower, Rational(0x1p-40));
      EXPECT_NEAR(results[i].goal_probability.value().nearest, to_nearest_double(*chance), 1e-12);
      EXPECT_NEAR(results[i].goal_mean.value().nearest,
                  -to_nearest_double(*told(promise(i), "surest_cost")),
                  1e-12);
    }
  }
}

constexpr auto kPromiseName = [](const auto& golden) { return test_name(golden.param); };
INSTANTIATE_TEST_SUITE_P(Cases,
                         PromiseGolden,
                         ::testing::ValuesIn(promise_cases(is_finite)),
                         kPromiseName);

class GoalPromiseGolden : public PromiseGolden {};

TEST_P(GoalPromiseGolden, IsKeptWithTheBestChanceOfTheGoal) {
  const std::vector<Result> results = solved(Prefer::mean, Arithmetic::exact);
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].goal_probability_bound.value().exact,
              told(promise(i), "goal_probability_bound"));
    // Of a policy that goes on for ever, evaluation sums up all but a hair.
    const Rational bound = *told(promise(i), "goal_probability_bound");
    const Rational found = results[i].goal_probability.value().greatest();
    EXPECT_GE(found, *told(promise(i), "goal_probability"));
    EXPECT_LE(results[i].goal_probability->least(), bound);
    EXPECT_LE(found, bound + Rational(0x1p-40));
  }
}

TEST_P(GoalPromiseGolden, TheSurestPolicyWastesNothing) {
  for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::automatic}) {
    const std::vector<Result> results = solved(Prefer::probability, arithmetic);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const double goal = to_nearest_double(*told(promise(i), "surest_goal_probability"));
      const double cost = to_nearest_double(*told(promise(i), "surest_cost"));
      EXPECT_NEAR(results[i].goal_probability.value().nearest, goal, 1e-12);
      EXPECT_NEAR(results[i].goal_mean.value().nearest, -cost, 1e-9 * cost);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         GoalPromiseGolden,
                         ::testing::ValuesIn(promise_cases(has_goal)),
                         kPromiseName);

Query one_question(const Rational& tau, Prefer prefer) {
  Query query;
  query.taus = {tau};
  query.prefer = prefer;
  return query;
}

// Six digits, as the figures were told.
void expect_figure(const std::optional<Value>& found, double told_as) {
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->nearest, told_as, 5e-5);
}

TEST(Promises, OfTheDataCentreCostLittle) {
  const Model model =
      read_model(std::string(QUANTIPLAN_SOURCE_DIR) + "/examples/datacenter.json").model;
  Query query = one_question(q(1, 10), Prefer::mean);
  query.mean_gap = 0;
  const Result best = solve(model, query).results.front();
  EXPECT_EQ(best.quantile, Total(-80));
  expect_figure(best.probability, 0.900222);
  expect_figure(best.mean, -71.7456);
  expect_figure(best.mean_bound, -71.7267);
  expect_figure(best.expectation_policy->mean, -70.1409);
  query.mean_gap.reset();
  const Result near = solve(model, query).results.front();
  EXPECT_GT(near.mean->nearest, -72);
  EXPECT_LE(near.mean_bound->nearest - near.mean->nearest, 0.01 * (85.2825 - 70.1409));
  query.prefer = Prefer::probability;
  const Result surest = solve(model, query).results.front();
  EXPECT_EQ(surest.quantile, Total(-80));
  expect_figure(surest.probability, 0.910126);
}

TEST(Promises, OfTheCliffAreKeptByTheMeanOptimalPolicy) {
  const Model model = generate("cliff");
  const Result best = solve(model, one_question(q(1, 2), Prefer::mean)).results.front();
  EXPECT_EQ(best.quantile, Total(-17));
  EXPECT_EQ(best.mean->nearest, best.expectation_policy->mean.nearest);
  EXPECT_NEAR(best.mean->nearest, -23.3, 0.05);
  EXPECT_GT(best.probability->nearest, 0.5);
  EXPECT_LT(best.probability->nearest, 0.669);
  EXPECT_NEAR(best.mean_bound->nearest, best.mean->nearest, 1e-9);
  const Result surest = solve(model, one_question(q(1, 2), Prefer::probability)).results.front();
  EXPECT_NEAR(surest.probability->nearest, 0.669, 5e-4);
  EXPECT_GE(surest.mean->nearest, -35.05);
}

TEST(Promises, DoNotGoByTheOrderOfRows) {
  const std::vector<std::string> rows{
      "s,idle,s,1,-1", "s,go,end,.5,-1", "s,go,s,.5,-1", "s,bad,s,1,-100"};
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  do {
    std::string text = "idstatefrom,idaction,idstateto,probability,reward\n";
    for (const std::size_t i : order) text.append(rows[i]).append("\n");
    SCOPED_TRACE(text);
    const Model model = parse_model(text, Format::csv, "rows").model;
    for (const Prefer prefer : {Prefer::mean, Prefer::probability, Prefer::automatic}) {
      Query query = one_question(q(1, 20), prefer);
      query.setting.horizon = 3;
      query.setting.initial = "s";
      for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::floating}) {
        Options options;
        options.arithmetic = arithmetic;
        const Result result = solve(model, query, options).results.front();
        EXPECT_EQ(result.quantile, Total(-3));
        EXPECT_NEAR(result.mean.value().nearest, -1.75, 1e-9);
        EXPECT_GE(result.mean->most.value_or(-1.75), -1.75);
        EXPECT_EQ(evaluate(model, result.policy()).mean.nearest, -1.75);
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace quantiplan::testing
