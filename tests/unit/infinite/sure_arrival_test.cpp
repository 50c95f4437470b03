// What the graph says of the goal, against chances in rationals.
#include "infinite/sure_arrival.hpp"

#include <gtest/gtest.h>

#include "quantiplan/solve.hpp"
#include "stationary_brute_force.hpp"

namespace quantiplan {
namespace {

std::optional<bool> told(const Model& model, const Setting& setting) {
  const Options options;
  Limits limits(options);
  return sure_arrival(model, resolve(model, setting), limits);
}

ThresholdAnswer asked(const Model& model, const Setting& setting, const Options& options) {
  ThresholdQuery query;
  query.setting = setting;
  query.targets = {Total::minus_infinity()};
  return threshold(model, query, options);
}

TEST(SureArrival, IsWhatTheChancesSay) {
  Options exactly;
  exactly.arithmetic = Arithmetic::exact;
  exactly.reduce = Reduce::none;
  int sure = 0;
  int never = 0;
  int between = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Model model = testing::built(testing::tiny_model(seed, 2 + seed % 6, true, -1));
    for (const bool adversarial : {false, true}) {
      for (const bool is_drawn : {false, true}) {
        Setting setting;
        setting.adversarial = adversarial;
        if (is_drawn) setting.initial = parse_initial(model, "0:1/2,1:1/2");
        const ThresholdAnswer answer = asked(model, setting, exactly);
        ASSERT_TRUE(answer.results.front().probability->exact) << seed;
        const Rational chance = *answer.results.front().probability->exact;
        const auto found = told(model, setting);
        if (chance == 1) {
          ASSERT_EQ(found, true) << seed;
          ++sure;
        } else if (chance == 0) {
          ASSERT_EQ(found, false) << seed;
          ++never;
        } else {
          ASSERT_EQ(found, std::nullopt) << seed;
          ++between;
        }
      }
    }
  }
  EXPECT_GT(sure, 100);
  EXPECT_GT(never, 100);
  EXPECT_GT(between, 100);
}

// From each state a try for the goal, or on to the next, round for ever.
Model ring(int states) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("0").goal("goal").rewards_are_costs(true);
  for (int i = 0; i < states; ++i) {
    const std::string own = std::to_string(i);
    const std::string next = std::to_string((i + 1) % states);
    b.begin_choice(own, "try").add_outcome("goal", "1/2", 1).add_outcome(next, "1/2", 1);
    b.begin_choice(own, "pass").add_outcome(next, 1, 1);
  }
  return b.build();
}

TEST(SureArrival, SparesTheComparisonOfStates) {
  const Model model = ring(600);
  const Options options;
  const ThresholdAnswer best = asked(model, {}, options);
  EXPECT_EQ(best.engine.used, "epochs (graph)");
  EXPECT_FALSE(best.engine.reduction);
  EXPECT_EQ(best.results.front().probability->exact, Rational(1));
  EXPECT_EQ(best.results.front().certificate, Certificate::exact);
  // The policy that attains it.
  const Policy policy = best.results.front().policy();
  for (const PolicyRule& rule : policy.rules)
    EXPECT_EQ(model.action_name(rule.runs.front().choice), "try");

  Setting against;
  against.adversarial = true;
  const ThresholdAnswer least = asked(model, against, options);
  EXPECT_EQ(least.engine.used, "epochs (graph)");
  EXPECT_EQ(least.results.front().probability->exact, Rational(0));
}

TEST(SureArrival, LeavesRewardsOfBothSignsToTheirRefusal) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("0").goal("goal");
  constexpr int kStates = 600;
  for (int i = 0; i < kStates; ++i) {
    const std::string own = std::to_string(i);
    const std::string next = std::to_string((i + 1) % kStates);
    b.begin_choice(own, "try").add_outcome("goal", "1/2", 1).add_outcome(next, "1/2", -1);
  }
  EXPECT_ANY_THROW(asked(b.build(), {}, Options{}));
}

}  // namespace
}  // namespace quantiplan
