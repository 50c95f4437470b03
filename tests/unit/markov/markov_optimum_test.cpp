#include "markov/markov_optimum.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "quantiplan/error.hpp"
#include "quantiplan/measures.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

// A coin, then -100 with probability 1/20, or -8 surely.
Model coin_then_risk() {
  ModelBuilder builder;
  builder.horizon(2).initial("start");
  builder.begin_choice("start", "toss");
  builder.add_outcome("risky", "1/2", 0).add_outcome("safe", "1/2", 0);
  builder.begin_choice("risky", "go")
      .add_outcome("end", "1/20", -100)
      .add_outcome("end", "19/20", 0);
  builder.begin_choice("safe", "go").add_outcome("end", 1, -8);
  return builder.build();
}

// Safe 3 a step, or 10 and -2 with equal probability, over and over.
Model again_and_again(std::uint64_t horizon, const Number& discount) {
  ModelBuilder builder;
  builder.horizon(horizon).initial("here").discount(discount);
  builder.begin_choice("here", "safe").add_outcome("here", 1, 3);
  builder.begin_choice("here", "bold").add_outcome("here", "1/2", 10);
  builder.add_outcome("here", "1/2", -2);
  return builder.build();
}

double middle(const MarkovOptimum& found) {
  return to_nearest_double((found.lower.value() + found.upper.value()) / 2);
}

void expect_narrow(const MarkovOptimum& found, const char* width) {
  EXPECT_EQ(found.status, Status::solved);
  EXPECT_LE(found.upper.value() - found.lower.value(), Number(width).rational());
}

const Rational kHalf(1, 2);
const std::optional<Rational> kNarrow = Number("1e-6").rational();

TEST(MarkovOptimum, NestedCvarIsAnotherCriterionThanCvar) {
  const Model model = coin_then_risk();
  const MarkovOptimum nested =
      nested_cvar_optimum(model, resolve(model, {}), kHalf, std::nullopt, {});
  EXPECT_EQ(nested.lower, Total(-10));
  EXPECT_EQ(nested.upper, Total(-10));
  EXPECT_EQ(nested.status, Status::solved);
  const Distribution law = evaluate(model, nested.policy());
  EXPECT_EQ(measure(law, {{Measure::cvar}, {kHalf}, {}})[0].value->lower,
            Total(Number("-12.6").rational()));
}

TEST(MarkovOptimum, NestedCvarInDoublesHoldsTheExactOne) {
  const Model model = coin_then_risk();
  Options doubles;
  doubles.arithmetic = Arithmetic::floating;
  const MarkovOptimum nested =
      nested_cvar_optimum(model, resolve(model, {}), kHalf, kNarrow, doubles);
  EXPECT_LT(nested.lower, Total(-10));
  EXPECT_GT(nested.upper, Total(-10));
  expect_narrow(nested, "1e-10");
}

// Steps are alike: -ln(e^{-10 b} / 2 + e^{2 b} / 2) / b each, if that is more than 3.
TEST(MarkovOptimum, EntropicOfAlikeStepsIsAMultipleOfOne) {
  for (const double beta : {0.001, 0.05, 0.2, 1.0, 30.0}) {
    const Model model = again_and_again(20, 1);
    const MarkovOptimum found =
        entropic_optimum(model, resolve(model, {}), Rational(beta), kNarrow, {});
    const double bold = -std::log((std::exp(-10 * beta) + std::exp(2 * beta)) / 2) / beta;
    EXPECT_NEAR(middle(found), 20 * std::max(3.0, bold), 1e-6) << beta;
    expect_narrow(found, "1e-6");
    const Distribution law = evaluate(model, found.policy());
    EXPECT_GE(measure(law, {{Measure::entropic}, {}, {Rational(beta)}})[0].value->upper,
              found.lower);
  }
}

TEST(MarkovOptimum, EntropicWithoutEndIsCutWhereItNoLongerMatters) {
  const Rational beta(1, 5);
  const Model infinite = again_and_again(kInfiniteHorizon, "9/10");
  const Model lengthy = again_and_again(400, "9/10");
  const MarkovOptimum found = entropic_optimum(infinite, resolve(infinite, {}), beta, kNarrow, {});
  const MarkovOptimum near = entropic_optimum(lengthy, resolve(lengthy, {}), beta, kNarrow, {});
  expect_narrow(found, "1e-6");
  expect_narrow(near, "1e-6");
  // What 400 steps leave out is below 1e-15.
  EXPECT_NEAR(middle(found), middle(near), 1e-6);
  ASSERT_TRUE(found.policy().truncated_at);
  EXPECT_LT(*found.policy().truncated_at, 150U);
  // Averse now, bold later, when little is at stake.
  EXPECT_EQ(infinite.action_name(found.policy().rules.front().runs[0].choice), "safe");
  EXPECT_EQ(infinite.action_name(found.policy().rules.back().runs[0].choice), "bold");
}

TEST(MarkovOptimum, NestedCvarWithoutEndIsAFixedPoint) {
  // bold: the worst half is -2; with tau 9/10 it is (5 * -2 + 4 * 10) / 9 = 10 / 3 > 3.
  const Model model = again_and_again(kInfiniteHorizon, "9/10");
  const ResolvedSetting setting = resolve(model, {});
  const MarkovOptimum half = nested_cvar_optimum(model, setting, kHalf, kNarrow, {});
  EXPECT_NEAR(middle(half), 30, 1e-6);
  expect_narrow(half, "1e-6");
  const MarkovOptimum most = nested_cvar_optimum(model, setting, Rational(9, 10), kNarrow, {});
  EXPECT_NEAR(middle(most), 100.0 / 3, 1e-6);
  expect_narrow(most, "1e-6");
}

TEST(MarkovOptimum, EvarEndsAtTheWorstCaseAndAtTheMean) {
  const Model model = again_and_again(5, 1);
  const ResolvedSetting setting = resolve(model, {});
  EXPECT_EQ(evar_optimum(model, setting, 0, std::nullopt, {}).lower, Total(15));
  EXPECT_EQ(evar_optimum(model, setting, 1, std::nullopt, {}).upper, Total(20));
  Rational before = 15;
  for (const char* tau : {"0.01", "0.5", "0.9", "0.99"}) {
    const MarkovOptimum found =
        evar_optimum(model, setting, Number(tau).rational(), Rational(1, 1000), {});
    expect_narrow(found, "0.001");
    EXPECT_GE(found.upper.value(), before);
    EXPECT_LE(found.lower, Total(20));
    before = found.lower.value();
    const Distribution law = evaluate(model, found.policy());
    EXPECT_GE(measure(law, {{Measure::evar}, {Number(tau).rational()}, {}})[0].value->upper,
              found.lower);
  }
}

TEST(MarkovOptimum, EvarWithoutEndIsThatOfManySteps) {
  const Model infinite = again_and_again(kInfiniteHorizon, "1/2");
  const Model lengthy = again_and_again(60, "1/2");
  const Rational width(1, 1000);
  const MarkovOptimum found = evar_optimum(infinite, resolve(infinite, {}), kHalf, width, {});
  const MarkovOptimum near = evar_optimum(lengthy, resolve(lengthy, {}), kHalf, width, {});
  expect_narrow(found, "0.001");
  EXPECT_LE(found.lower.value(), near.upper.value() + Number("1e-12").rational());
  EXPECT_GE(found.upper.value(), near.lower.value() - Number("1e-12").rational());
}

TEST(MarkovOptimum, AGoalHasToBeReachedSurely) {
  ModelBuilder builder;
  builder.horizon(1).initial("start").goal("goal");
  builder.begin_choice("start", "leap")
      .add_outcome("goal", "9/10", 50)
      .add_outcome("pit", "1/10", 0);
  builder.begin_choice("start", "walk").add_outcome("goal", "1/2", 1).add_outcome("goal", "1/2", 3);
  builder.begin_choice("pit", "stay").add_outcome("pit", 1, 0);
  const Model model = builder.build();
  const ResolvedSetting setting = resolve(model, {});
  EXPECT_EQ(nested_cvar_optimum(model, setting, kHalf, std::nullopt, {}).lower, Total(1));
  EXPECT_LE(entropic_optimum(model, setting, 1, kNarrow, {}).upper, Total(2));
  Setting within_pit;
  within_pit.initial = "pit";
  for (const MarkovOptimum& found :
       {entropic_optimum(model, resolve(model, within_pit), 1, kNarrow, {}),
        evar_optimum(model, resolve(model, within_pit), kHalf, kNarrow, {}),
        nested_cvar_optimum(model, resolve(model, within_pit), kHalf, kNarrow, {})}) {
    EXPECT_EQ(found.lower, Total::miss());
    EXPECT_EQ(found.upper, Total::miss());
  }
}

TEST(MarkovOptimum, CostsCountAgainstWealth) {
  const Model model = again_and_again(1, 1);
  Setting cost;
  cost.cost = true;
  // Of costs 3, and -2 or 10, the worst half is 10: take 3.
  EXPECT_EQ(nested_cvar_optimum(model, resolve(model, cost), kHalf, std::nullopt, {}).lower,
            Total(-3));
}

TEST(MarkovOptimum, AnAdversaryMinimises) {
  const Model model = again_and_again(1, 1);
  Setting hostile;
  hostile.adversarial = true;
  const ResolvedSetting setting = resolve(model, hostile);
  EXPECT_EQ(nested_cvar_optimum(model, setting, kHalf, std::nullopt, {}).lower, Total(-2));
  EXPECT_LT(entropic_optimum(model, setting, 1, kNarrow, {}).upper, Total(3));
  EXPECT_THROW(evar_optimum(model, setting, kHalf, kNarrow, {}), Error);
}

TEST(MarkovOptimum, WhatIsNotDefinedIsRefused) {
  const Model model = again_and_again(kInfiniteHorizon, 1);
  const ResolvedSetting setting = resolve(model, {});
  try {
    entropic_optimum(model, setting, 1, std::nullopt, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_NE(std::string(error.what()).find("without discount"), std::string::npos);
  }
  const Model finite = again_and_again(2, 1);
  EXPECT_THROW(entropic_optimum(finite, resolve(finite, {}), 0, std::nullopt, {}), Error);
  EXPECT_THROW(evar_optimum(finite, resolve(finite, {}), 2, std::nullopt, {}), Error);
  EXPECT_THROW(
      entropic_optimum(finite, resolve(finite, {}), Number("1e30").rational(), std::nullopt, {}),
      Error);
}

// Whatever the search had found when the time was up has its policy, without one more pass.
TEST(MarkovOptimum, AnEvarThatIsCutShortHasItsPolicy) {
  const Model model = again_and_again(500, Number(1));
  const ResolvedSetting setting = resolve(model, {});
  Options options;
  options.arithmetic = Arithmetic::floating;
  for (options.time_limit_seconds = 0.001; options.time_limit_seconds < 0.5;
       options.time_limit_seconds *= 2) {
    const MarkovOptimum found =
        evar_optimum(model, setting, Number("0.1").rational(), kNarrow, options);
    if (found.lower >= Total(1500)) {  // 3 a step are sure; else nothing was known
      ASSERT_TRUE(bool(found.policy));
    }
    if (found.status == Status::solved) return;
  }
}

TEST(MarkovOptimum, AStoppedCallGivesABracketThatHolds) {
  const Model model = again_and_again(5, 1);
  std::atomic<bool> stop = true;
  Options options;
  options.stop = &stop;
  for (const MarkovOptimum& found :
       {entropic_optimum(model, resolve(model, {}), 1, kNarrow, options),
        evar_optimum(model, resolve(model, {}), kHalf, kNarrow, options),
        nested_cvar_optimum(model, resolve(model, {}), kHalf, kNarrow, options)}) {
    EXPECT_EQ(found.status, Status::interrupted);
    EXPECT_LE(found.lower, Total(-10));
    EXPECT_GE(found.upper, Total(20));
    EXPECT_FALSE(found.policy);
  }
}

}  // namespace
}  // namespace quantiplan
