#include "quantiplan/solve.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "quantiplan/error.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

TEST(Solve, AnswersTheCommuteAsTheManualDoes) {
  const Model model = testing::commute();
  const Answer answer = solve(model, {{Rational(1, 10)}, Sides::upper, {}});
  const Result& result = answer.results.at(0);
  EXPECT_EQ(result.status, Status::solved);
  EXPECT_EQ(result.certificate, Certificate::exact);
  EXPECT_EQ(*result.quantile, -40);
  EXPECT_EQ(*result.upper, -40);
  EXPECT_EQ(*result.probability->exact, 1);
  EXPECT_EQ(*result.mean->exact, -40);
  EXPECT_EQ(*result.expectation_policy->mean.exact, Rational("-3189/100"));
  EXPECT_EQ(*result.expectation_policy->quantile, -55);
  EXPECT_EQ(*result.expectation_policy->probability.exact, Rational(401, 500));
}

// semantics, section 7: tau, lower, upper.
TEST(Solve, GivesThePaperExampleInEveryConfiguration) {
  const struct {
    const char* tau;
    const char* lower;
    const char* upper;
  } cases[] = {{"1/2", "1", "1"},
               {"9/10", "1", "19/10"},
               {"19/20", "19/10", "19/10"},
               {"99/100", "19/10", "271/100"},
               {"199/200", "271/100", "271/100"}};
  for (const std::uint64_t horizon : {3U, 4U, 10U, 17U}) {
    const Model model = testing::paper_example_2(horizon);
    for (const Engine engine : {Engine::steps, Engine::paper}) {
      for (const Arithmetic arithmetic : {Arithmetic::floating, Arithmetic::exact}) {
        Options options;
        options.engine = engine;
        options.arithmetic = arithmetic;
        options.check = true;
        for (const auto& c : cases) {
          const Answer answer = solve(model, {{Rational(c.tau)}, Sides::both, {}}, options);
          EXPECT_EQ(*answer.results.at(0).quantile, Rational(c.lower))
              << c.tau << " horizon " << horizon;
          EXPECT_EQ(*answer.results.at(1).quantile, Rational(c.upper))
              << c.tau << " horizon " << horizon;
          EXPECT_TRUE(answer.results.at(0).check->passed);
          EXPECT_TRUE(answer.results.at(1).check->passed);
        }
      }
    }
  }
}

TEST(Solve, EndsWithAValidBracketWhenStopped) {
  const Model model = testing::commute();
  std::atomic<bool> stop{true};
  Options options;
  options.stop = &stop;
  const Answer answer = solve(model, {{Rational(1, 10)}, Sides::both, {}}, options);
  for (const Result& result : answer.results) {
    EXPECT_EQ(result.status, Status::interrupted);
    EXPECT_EQ(result.certificate, Certificate::bracket);
    // Three steps at -45 at worst, nothing at best.
    EXPECT_EQ(*result.quantile, -135);
    EXPECT_EQ(*result.upper, 0);
  }
}

TEST(Solve, EndsWithATieWhenTheExactSolveDoesNotFit) {
  const Model model = testing::coin(401);
  Options options;
  options.arithmetic = Arithmetic::floating;
  options.memory_limit_bytes = 800'000;
  const Answer answer = solve(model, {{Rational(1, 2)}, Sides::lower, {}}, options);
  const Result& result = answer.results.at(0);
  EXPECT_EQ(result.status, Status::limit_reached);
  EXPECT_EQ(result.certificate, Certificate::tie);
  // P(W >= 201) is exactly 1/2: the lower quantile is 200, and doubles cannot tell.
  EXPECT_EQ(*result.quantile, 200);
  EXPECT_EQ(*result.upper, 201);
  options.memory_limit_bytes = 0;
  const Answer settled = solve(model, {{Rational(1, 2)}, Sides::both, {}}, options);
  EXPECT_EQ(settled.results.at(0).certificate, Certificate::exact);
  EXPECT_EQ(*settled.results.at(0).quantile, 200);
  EXPECT_EQ(*settled.results.at(1).quantile, 201);
  EXPECT_EQ(*settled.results.at(1).probability->exact, Rational(1, 2));
}

TEST(Solve, CallsManyOpenLevelsABracketAndNotATie) {
  // From 1 to 1000 in unequal steps, a plateau of many levels at exactly 1/2.
  ModelBuilder b;
  b.horizon(120).initial("start");
  b.begin_choice("start", "toss").add_outcome("high", "1/2", 1000).add_outcome("low", "1/2", 1);
  b.begin_choice("high", "wait").add_outcome("high", "1/3", 1).add_outcome("high", "2/3", 0);
  b.begin_choice("low", "wait").add_outcome("low", "1/3", 1).add_outcome("low", "2/3", 0);
  const Model model = b.build();
  Options options;
  options.arithmetic = Arithmetic::floating;
  options.representation = Representation::sparse;
  options.memory_limit_bytes = 250'000;
  const Result result = solve(model, {{Rational(1, 2)}, Sides::upper, {}}, options).results.at(0);
  EXPECT_EQ(result.status, Status::limit_reached);
  EXPECT_EQ(result.certificate, Certificate::bracket);
  options.memory_limit_bytes = 0;
  const Result settled = solve(model, {{Rational(1, 2)}, Sides::upper, {}}, options).results.at(0);
  EXPECT_EQ(settled.certificate, Certificate::exact);
  EXPECT_EQ(*settled.quantile, 1000);
  EXPECT_LE(*result.quantile, *settled.quantile);
  EXPECT_GE(*result.upper, *settled.quantile);
  const Frontier curve = frontier(model, {{Rational(1, 2)}, Sides::upper, {}}, options);
  EXPECT_EQ(curve.status, Status::solved);
}

TEST(Solve, HoldsNoMemoryOfTargetsTheSearchDropped) {
  const Model model = testing::coin(200);
  Options options;
  options.arithmetic = Arithmetic::floating;
  const Query query{{Rational(1, 10), Rational(1, 2), Rational(9, 10)}, Sides::both, {}, false};
  const Answer steps = solve(model, query, options);
  options.engine = Engine::paper;
  const Answer paper = solve(model, query, options);
  EXPECT_GT(paper.work.passes, 10U);
  EXPECT_LT(paper.work.peak_bytes, 2 * steps.work.peak_bytes);
}

TEST(Solve, AnswersIdenticallyAtAnyNumberOfThreads) {
  const Model model = testing::paper_example_2(12);
  std::vector<Answer> answers;
  for (const std::uint32_t threads : {1U, 2U, 5U}) {
    Options options;
    options.threads = threads;
    options.arithmetic = Arithmetic::floating;
    answers.push_back(
        solve(model, {{Rational(1, 100), Rational(97, 100)}, Sides::both, {}}, options));
  }
  for (const Answer& answer : answers) {
    EXPECT_EQ(answer.work.backups, answers[0].work.backups);
    EXPECT_EQ(answer.work.breakpoints, answers[0].work.breakpoints);
    for (std::size_t i = 0; i < answer.results.size(); ++i) {
      EXPECT_EQ(answer.results[i].quantile, answers[0].results[i].quantile);
      EXPECT_EQ(answer.results[i].probability->nearest, answers[0].results[i].probability->nearest);
      EXPECT_EQ(answer.results[i].mean->nearest, answers[0].results[i].mean->nearest);
    }
  }
}

TEST(Solve, ChoosesByUnderflowedProbabilitiesInRationals) {
  // Doubles see 0 for both actions; only one can reach 3 at all.
  ModelBuilder b;
  b.horizon(3).initial("s");
  b.begin_choice("s", "never").add_outcome("s", 1, 0);
  b.begin_choice("s", "rarely")
      .add_outcome("s", "1e-200", 1)
      .add_outcome("s", Number(Rational(1) - Number("1e-200").rational()), -1);
  const Model model = b.build();
  Options options;
  options.arithmetic = Arithmetic::floating;
  const Answer answer = solve(model, {{1}, Sides::lower, {}}, options);
  EXPECT_EQ(*answer.results.at(0).quantile, 3);
  EXPECT_EQ(answer.results.at(0).certificate, Certificate::exact);
  EXPECT_EQ(*answer.results.at(0).probability->exact, Number("1e-600").rational());
}

TEST(Frontier, ListsEveryStepOfTheCommute) {
  const Frontier curve =
      frontier(testing::commute(), {{Rational(1, 10), Rational(1, 2)}, Sides::upper, {}});
  ASSERT_EQ(curve.steps.size(), 4U);
  EXPECT_EQ(curve.steps[0].wealth, -40);
  EXPECT_EQ(*curve.steps[0].probability.exact, 1);
  EXPECT_EQ(curve.steps[1].wealth, -35);
  EXPECT_EQ(*curve.steps[1].probability.exact, Rational(401, 500));
  // Three trains without reaching the station cost 30, with probability 1/100.
  EXPECT_EQ(curve.steps[2].wealth, -30);
  EXPECT_EQ(*curve.steps[2].probability.exact, Rational(73, 100));
  EXPECT_EQ(curve.steps[3].wealth, -25);
  EXPECT_EQ(*curve.steps[3].probability.exact, Rational(18, 25));
  EXPECT_EQ(curve.quantiles.at(0).quantile, -40);
  EXPECT_EQ(curve.quantiles.at(1).quantile, -25);
}

TEST(Frontier, IsTheSameInDoublesWithinItsBound) {
  Options options;
  options.arithmetic = Arithmetic::floating;
  const Model model = testing::coin(40);
  const Frontier floating = frontier(model, {}, options);
  const Frontier exact = frontier(model, {});
  ASSERT_EQ(floating.steps.size(), exact.steps.size());
  EXPECT_EQ(exact.relative_error, 0);
  for (std::size_t i = 0; i < exact.steps.size(); ++i) {
    EXPECT_EQ(floating.steps[i].wealth, exact.steps[i].wealth);
    const Rational truth = *exact.steps[i].probability.exact;
    EXPECT_LE(abs(Rational(floating.steps[i].probability.nearest) - truth),
              truth * Rational(floating.relative_error) + Rational(1, Integer(1) << 53));
  }
}

TEST(Describe, TellsTheUnitAndTheRangeOfTheCommute) {
  const ModelInfo info = describe(testing::commute(), {});
  EXPECT_TRUE(info.has_setting);
  EXPECT_TRUE(info.wealth_is_exact);
  EXPECT_EQ(info.wealth_unit, 5);
  EXPECT_EQ(info.least_wealth, -65);
  EXPECT_EQ(info.greatest_wealth, -25);
  EXPECT_EQ(info.least_reward, -45);
  EXPECT_EQ(info.greatest_reward, -10);
  EXPECT_EQ(info.terminal_states, 1U);
  EXPECT_EQ(info.reachable_states, 3U);
}

TEST(Describe, SaysWhereWealthDoesNotFit) {
  const ModelInfo info = describe(testing::paper_example_2(60), {});
  EXPECT_TRUE(info.has_setting);
  EXPECT_FALSE(info.wealth_is_exact);
}

TEST(Options, RejectWhatTheTableRejects) {
  Options options;
  options.kernel = "abacus";
  EXPECT_THROW(options.validate(), Error);
  options = {};
  options.threads = 5000;
  EXPECT_THROW(options.validate(), Error);
  options = {};
  options.arithmetic = Arithmetic::exact;
  options.representation = Representation::dense;
  EXPECT_THROW(options.validate(), Error);
}

TEST(OptionTable, ReadsSizesAndNames) {
  Options options;
  for (const OptionEntry& entry : option_table()) {
    if (entry.name == "memory-limit") {
      entry.set(options, "1.5G");
      EXPECT_EQ(options.memory_limit_bytes, 1610612736U);
      EXPECT_THROW(entry.set(options, "many"), Error);
      EXPECT_THROW(entry.set(options, ""), Error);
    }
    if (entry.name == "engine") {
      entry.set(options, "paper");
      EXPECT_EQ(options.engine, Engine::paper);
      EXPECT_THROW(entry.set(options, "magic"), Error);
    }
  }
}

}  // namespace
}  // namespace quantiplan
