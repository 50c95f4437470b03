#include "finite/stages.hpp"

#include <gtest/gtest.h>

#include "finite/expectation.hpp"
#include "finite/windows.hpp"
#include "quantiplan/error.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

using testing::commute;

struct Laid {
  explicit Laid(Model m, const Setting& setting = {})
      : model(std::move(m)), limits(options), stages(model, resolve(model, setting), limits) {}
  Model model;
  Options options;
  Limits limits;
  Stages stages;
};

TEST(Stages, HoldOnlyTheStatesMetAtEachTime) {
  const Laid laid(commute());
  EXPECT_EQ(laid.stages.horizon(), 3U);
  EXPECT_EQ(laid.stages.layer(0).size(), 1U);
  EXPECT_EQ(laid.stages.layer(1).size(), 3U);
}

TEST(Stages, EndWhereOnlyTerminalStatesAreLeft) {
  const Laid laid(testing::safe_or_gamble(),
                  {.horizon = 1'000'000'000, .discount = {}, .initial = {}});
  EXPECT_EQ(laid.stages.horizon(), 1U);
}

TEST(Stages, RefuseHorizonsThatDoNotFitTheMemory) {
  const Model model = testing::coin(1'000'000'000);
  Options options;
  options.memory_limit_bytes = 1 << 20;
  Limits limits(options);
  EXPECT_THROW(Stages(model, resolve(model, {}), limits), Error);
}

// Which rewards are met, and until when, where some states and rewards are met at some times only.
TEST(Stages, KnowTheRewardsMetAndTheLastTimeOfOne) {
  ModelBuilder b;
  b.horizon(5).initial("a");
  b.begin_choice("a", "go").add_outcome("b", Number(1), Number(3));
  b.begin_choice("b", "go").add_outcome("c", Number(1), Number(0));
  b.begin_choice("c", "go").add_outcome("c", Number(1), Number(0));
  b.begin_choice("far", "go").add_outcome("a", Number(1), Number(7));
  const Laid from_a(b.build());
  EXPECT_EQ(from_a.stages.horizon(), 5U);
  EXPECT_EQ(from_a.stages.rewards().last_reward_time, 0U);
  ASSERT_EQ(from_a.stages.rewards().distinct.size(), 1U);
  EXPECT_EQ(from_a.model.rewards().rational(from_a.stages.rewards().distinct[0]), 3);
  const Laid from_far(from_a.model, {.horizon = {}, .discount = {}, .initial = "far"});
  EXPECT_EQ(from_far.stages.rewards().last_reward_time, 1U);
  EXPECT_EQ(from_far.stages.rewards().distinct.size(), 2U);
  const Laid from_c(from_a.model, {.horizon = {}, .discount = {}, .initial = "c"});
  EXPECT_EQ(from_c.stages.rewards().last_reward_time, 0U);
  EXPECT_TRUE(from_c.stages.rewards().distinct.empty());
}

// Rows that begin alike are told apart; rewards have no part in them, but must be one for the choice.
TEST(SharedRows, AreTheSameToTheLastOutcome) {
  ModelBuilder b;
  b.horizon(1).initial("a");
  const auto choice = [&](const char* name, const char* third, int reward, int last_reward) {
    b.begin_choice("a", name);
    b.add_outcome("a", Number(Rational(1, 4)), Number(reward));
    b.add_outcome("b", Number(Rational(1, 4)), Number(reward));
    b.add_outcome(third, Number(Rational(1, 2)), Number(last_reward));
  };
  choice("one", "c", 1, 1);
  choice("another", "d", 1, 1);
  choice("as one", "c", 5, 5);
  choice("two rewards", "c", 5, 6);
  b.begin_choice("a", "short").add_outcome("a", Number(1), Number(1));
  b.begin_choice("b", "short").add_outcome("a", Number(1), Number(1));
  choice("as another", "d", 2, 2);
  choice("as both in part", "b", 2, 2);
  const Model model = b.build();
  const SharedRows rows(model);
  const auto row_of = [&](const char* name) {
    for (std::uint32_t c = 0; c < model.choice_count(); ++c)
      if (model.action_name(Choice{c}) == name) return rows.row(Choice{c});
    return SharedRows::kNone;
  };
  EXPECT_EQ(rows.size(), 2U);
  EXPECT_EQ(row_of("one"), 0U);
  EXPECT_EQ(row_of("as one"), 0U);
  EXPECT_EQ(row_of("another"), 1U);
  EXPECT_EQ(row_of("as another"), 1U);
  for (const char* name : {"two rewards", "short", "as both in part"})
    EXPECT_EQ(row_of(name), SharedRows::kNone) << name;
}

TEST(WealthScale, UnitIsTheGreatestCommonDivisor) {
  const Laid laid(commute());
  EXPECT_EQ(laid.stages.scale().unit(), 5);
  EXPECT_EQ(laid.stages.scale().wealth({-8}), -40);
}

TEST(WealthScale, CountsDiscountedRewardsInOneUnit) {
  const Laid laid(testing::paper_example_2(3));
  EXPECT_EQ(laid.stages.scale().unit(), Rational(1, 100));
  const Outcome stay = laid.model.outcomes(Choice{0})[0];
  EXPECT_EQ(laid.stages.reward_key(0, stay), 100);
  EXPECT_EQ(laid.stages.reward_key(1, stay), 90);
  EXPECT_EQ(laid.stages.reward_key(2, stay), 81);
}

TEST(WealthScale, RefusesWhatDoesNotFit64Bits) {
  EXPECT_FALSE(Laid(testing::paper_example_2(30)).stages.has_keys());
  ModelBuilder b;
  b.horizon(2).initial("s");
  b.begin_choice("s", "a").add_outcome("s", "1/2", "1e18").add_outcome("s", "1/2", "1e-18");
  EXPECT_FALSE(Laid(b.build()).stages.has_keys());
}

TEST(WealthScale, CeilingIsTheLeastKeyAtOrAboveAWealth) {
  const Laid laid(commute());
  EXPECT_EQ(laid.stages.scale().ceiling(Rational(-12)).value, -2);
  EXPECT_EQ(laid.stages.scale().ceiling(Rational(-10)).value, -2);
  EXPECT_EQ(laid.stages.scale().ceiling(Rational(11)).value, 3);
}

TEST(Windows, AreMaximinMaximaxAndMinimin) {
  const Laid laid(commute());
  const Windows windows(laid.stages, ChoiceFilter(), laid.limits);
  const Window& home = windows.at(0, 0);
  EXPECT_EQ(home.sure, -8);      // bike: -40 surely
  EXPECT_EQ(home.possible, -5);  // train, station, -15: -25
  // train twice, then bike: -10 - 10 - 40 = -60, as bad as train, train, wait at -10 - 10 - 45 =
  // -65.
  EXPECT_EQ(home.least, -13);
  EXPECT_EQ(laid.model.action_name(home.sure_choice), "bike");
}

TEST(Windows, OfAMarkovPolicySeeItsChoicesOnly) {
  const Laid laid(commute());
  const Expectation<Rational> expectation(laid.stages, laid.limits);
  const Windows windows(laid.stages, ChoiceFilter(expectation.choices()), laid.limits);
  // Train first: home again after two trains leaves -40 or worse.
  EXPECT_EQ(windows.at(0, 0).possible, -5);
  EXPECT_LT(windows.at(0, 0).sure, -8);
}

TEST(Expectation, IsExactInRationalsAndCloseInDoubles) {
  const Laid laid(commute());
  const Expectation<Rational> exact(laid.stages, laid.limits);
  const Expectation<double> floating(laid.stages, laid.limits);
  EXPECT_EQ(exact.value(0, 0) * laid.stages.scale().unit(), Rational("-3189/100"));
  EXPECT_NEAR(floating.value(0, 0) * 5, -31.89, 1e-12);
  EXPECT_EQ(laid.model.action_name(exact.choice(0, 0)), "train");
}

TEST(Expectation, TakesTheFirstOfChoicesThatRoundingCannotTellApart) {
  ModelBuilder b;
  b.horizon(1).initial("s");
  b.begin_choice("s", "first").add_outcome("e", "1/10", 1).add_outcome("e", "9/10", 0);
  b.begin_choice("s", "second").add_outcome("e", "1/30", 3).add_outcome("e", "29/30", 0);
  b.begin_choice("s", "third").add_outcome("e", "1/70", 7).add_outcome("e", "69/70", 0);
  const Laid laid(b.build());
  EXPECT_EQ(index(Expectation<double>(laid.stages, laid.limits).choice(0, 0)), 0U);
  EXPECT_EQ(index(Expectation<Rational>(laid.stages, laid.limits).choice(0, 0)), 0U);
}

TEST(Expectation, StaysOptimalOverLongHorizons) {
  ModelBuilder b;
  b.horizon(200'000).initial("s");
  b.begin_choice("s", "less").add_outcome("s", 1, 999);
  b.begin_choice("s", "more").add_outcome("s", 1, 1000);
  const Laid laid(b.build());
  const Expectation<double> expectation(laid.stages, laid.limits);
  EXPECT_EQ(expectation.value(0, 0), 200'000.0 * 1000);
  EXPECT_EQ(laid.model.action_name(expectation.choice(0, 0)), "more");
}

TEST(Limits, RefuseMemoryBeyondTheLimitAndSayHowMuch) {
  Options options;
  options.memory_limit_bytes = 1000;
  Limits limits(options);
  limits.take(900, "a first piece");
  try {
    limits.take(200, "a second piece");
    FAIL() << "expected a refusal";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_NE(
        std::string(error.what()).find("a second piece would need 200 bytes besides 900 bytes"),
        std::string::npos)
        << error.what();
  }
}

TEST(Limits, EndWhenTheStopFlagIsSet) {
  std::atomic<bool> stop{false};
  Options options;
  options.stop = &stop;
  const Limits limits(options);
  EXPECT_EQ(limits.status(), Status::solved);
  stop = true;
  EXPECT_EQ(limits.status(), Status::interrupted);
}

}  // namespace
}  // namespace quantiplan
