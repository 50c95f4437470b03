// The same over a finite horizon: against all policies of time and state.
#include "reduce/arrival_policy.hpp"

#include <gtest/gtest.h>

#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "stationary_brute_force.hpp"

namespace quantiplan {
namespace {

using testing::ArrivalPair;
using testing::TinyModel;
using testing::TinyOutcome;

// Of a table (time, state) -> choice, from the state on.
ArrivalPair played(const TinyModel& tiny,
                   const std::vector<testing::Chosen>& table,
                   std::size_t time,
                   std::size_t state,
                   const Rational& discount) {
  if (state == tiny.goal()) return {1, 0};
  if (time == table.size() || tiny.states[state].empty()) return {0, 0};
  ArrivalPair sum{0, 0};
  for (const TinyOutcome& o : tiny.states[state][table[time][state]]) {
    const ArrivalPair after = played(tiny, table, time + 1, o.next, discount);
    sum.chance += o.probability * after.chance;
    sum.mean += o.probability * (o.reward * after.chance + discount * after.mean);
  }
  return sum;
}

ArrivalPair best_of_tables(const TinyModel& tiny,
                           std::vector<testing::Chosen>& table,
                           std::size_t time,
                           const Rational& discount) {
  if (time == table.size()) return played(tiny, table, 0, 0, discount);
  ArrivalPair best{-1, 0};
  testing::for_each_policy(tiny, [&](const testing::Chosen& chosen) {
    table[time] = chosen;
    const ArrivalPair pair = best_of_tables(tiny, table, time + 1, discount);
    if (best < pair) best = pair;
  });
  return best;
}

TEST(ArrivalPolicy, IsTheBestOfAllPolicies) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    for (const int sign : {-1, 1}) {
      for (const Rational& discount : {Rational(1), Rational(1, 2)}) {
        const TinyModel tiny = testing::tiny_model(seed, 2, true, sign);
        std::vector<testing::Chosen> table(2 + seed % 2, testing::Chosen(4, 0));
        const ArrivalPair best = best_of_tables(tiny, table, 0, discount);
        const Model model = testing::built(tiny, table.size());
        Setting setting;
        setting.discount = discount;
        for (const Arithmetic arithmetic : {Arithmetic::automatic, Arithmetic::floating}) {
          Options options;
          options.arithmetic = arithmetic;
          const Policy policy = expectation_policy(model, setting, options);
          for (testing::Chosen& row : table) row.assign(4, 0);
          for (const PolicyRule& rule : policy.rules)
            table[rule.time][index(rule.state)] =
                index(rule.runs.front().choice) - index(model.choices(rule.state).front());
          EXPECT_EQ(played(tiny, table, 0, 0, discount), best) << seed;
        }
      }
    }
  }
}

TEST(ArrivalPolicy, ComparesTheGoalBeforeTheCost) {
  ModelBuilder b;
  b.horizon(1).initial("s").goal("home").rewards_are_costs(true);
  b.begin_choice("s", "cheap").add_outcome("home", "9/10", 1).add_outcome("lost", "1/10", 1);
  b.begin_choice("s", "dear").add_outcome("home", 1, 100);
  b.begin_choice("s", "less dear").add_outcome("home", 1, 99);
  const Answer answer = solve(b.build(), {{Rational(1, 5)}, Sides::lower, {}});
  const Result& result = answer.results.front();
  EXPECT_EQ(result.quantile, Total(-1));
  EXPECT_EQ(result.goal_probability->exact, Rational(9, 10));
  EXPECT_EQ(result.goal_mean->exact, Rational(-9, 10));
  EXPECT_FALSE(result.mean);
  EXPECT_EQ(result.expectation_policy->mean.exact, Rational(-99));
  EXPECT_EQ(result.expectation_policy->goal_probability->exact, Rational(1));
  EXPECT_EQ(result.expectation_policy->probability.exact, Rational(0));
}

TEST(ArrivalPolicy, AnAdversaryIsRefused) {
  const Model model = testing::built(testing::tiny_model(1, 2, true, -1), 2);
  ResolvedSetting setting = resolve(model, {});
  setting.adversarial = true;
  EXPECT_THROW(static_cast<void>(arrival_policy(model, setting, {})), Error);
}

}  // namespace
}  // namespace quantiplan
