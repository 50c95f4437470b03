#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>

#include "quantiplan/attitude.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

// examples/two-minds.json: 9 at home; out, 8 or nothing, and whoever is lucky may keep 2 more or bet
// for 6 or nothing. docs/mathematics.md works it by hand.
ModelBuilder two_minds(const Number& at_home = 9) {
  ModelBuilder b;
  b.name("two minds").horizon(2).initial("evening");
  b.begin_choice("evening", "home").add_outcome("over", 1, at_home);
  b.begin_choice("evening", "out").add_outcome("lucky", "1/2", 8).add_outcome("over", "1/2", 0);
  b.begin_choice("lucky", "keep").add_outcome("over", 1, 2);
  b.begin_choice("lucky", "bet").add_outcome("over", "1/2", 6).add_outcome("over", "1/2", 0);
  return b;
}

const Query kHalfUpper{{Rational(1, 2)}, Sides::upper, {}};

struct Expected {
  Rational quantile;
  Rational probability;
  Rational mean;
  Rational regret;
};

void expect(const Model& model, const std::map<std::string, Expected>& by_name) {
  std::vector<Attitude> asked;
  asked.reserve(by_name.size());
  for (const auto& [name, values] : by_name) asked.push_back(Attitude::parse(name));
  for (const AttitudeResult& result : attitudes(model, asked, kHalfUpper).results) {
    const std::string name = to_text(result.attitude);
    const Expected& expected = by_name.at(name);
    EXPECT_EQ(result.status, Status::solved) << name;
    EXPECT_EQ(result.quantile->lower, Total(expected.quantile)) << name;
    EXPECT_EQ(result.quantile->upper, Total(expected.quantile)) << name;
    EXPECT_EQ(*result.probability->exact, expected.probability) << name;
    EXPECT_EQ(*result.mean->exact, expected.mean) << name;
    EXPECT_EQ(result.regret->least, expected.regret) << name;
    EXPECT_EQ(result.regret->most, expected.regret) << name;
    EXPECT_EQ(result.regret->time.has_value(), expected.regret > 0) << name;
    EXPECT_EQ(result.left_out, "") << name;
  }
}

TEST(Attitudes, AreThoseThatTheManualWorksByHand) {
  const Rational half(1, 2);
  expect(two_minds().build(),
         {{"resolute", {10, half, 5, 4}},
          {"replan", {8, half, Rational(11, 2), 0}},
          {"subgame-perfect", {9, 1, 9, 0}},
          {"recursive", {8, half, Rational(11, 2), 0}},
          {"within:0", {8, half, Rational(11, 2), 0}},
          {"within:1", {9, 1, 9, 0}},
          {"within:3.999", {9, 1, 9, 0}},
          {"within:4", {10, half, 5, 4}},
          {"within:inf", {10, half, 5, 4}}});
}

// A later self counts in its own units: it loses 4 whatever that is worth at the start.
TEST(Attitudes, CountRegretsAndTolerancesInUnitsOfTheSelf) {
  const Rational half(1, 2);
  ModelBuilder b = two_minds("17/2");
  b.discount("1/2");
  expect(b.build(),
         {{"resolute", {9, half, Rational(9, 2), 4}},
          {"replan", {8, half, Rational(19, 4), 0}},
          {"subgame-perfect", {Rational(17, 2), 1, Rational(17, 2), 0}},
          {"within:0", {8, half, Rational(19, 4), 0}},
          {"within:0.5", {Rational(17, 2), 1, Rational(17, 2), 0}},
          {"within:3", {Rational(17, 2), 1, Rational(17, 2), 0}},
          {"within:4", {9, half, Rational(9, 2), 4}}});
}

TEST(Attitudes, NameTheNestedQuantileAndWhoRegrets) {
  const Model model = two_minds().build();
  const AttitudeAnswer answer =
      attitudes(model, {Attitude::recursive(), Attitude::resolute()}, kHalfUpper);
  EXPECT_EQ(*answer.results[0].nested, 14);
  EXPECT_FALSE(answer.results[1].nested);
  EXPECT_EQ(*answer.results[1].regret->time, 1);
  EXPECT_EQ(answer.results[1].regret->state, "lucky");
  EXPECT_EQ(answer.slack, 0);
}

TEST(Attitudes, OfCostsAreThoseOfTheirNegatives) {
  ModelBuilder b;
  b.name("costs").horizon(2).initial("evening").rewards_are_costs();
  b.begin_choice("evening", "home").add_outcome("over", 1, -9);
  b.begin_choice("evening", "out").add_outcome("lucky", "1/2", -8).add_outcome("over", "1/2", 0);
  b.begin_choice("lucky", "keep").add_outcome("over", 1, -2);
  b.begin_choice("lucky", "bet").add_outcome("over", "1/2", -6).add_outcome("over", "1/2", 0);
  expect(b.build(), {{"resolute", {10, Rational(1, 2), 5, 4}}, {"subgame-perfect", {9, 1, 9, 0}}});
}

// Only resolute play is the best from the start, and says so; the checker confirms it.
TEST(Attitudes, ClaimWhatIsTrueAndNothingElse) {
  const Model model = two_minds().build();
  for (const AttitudeResult& result : attitudes(model, Attitude::all(), kHalfUpper).results) {
    const Policy policy = result.policy();
    const bool is_resolute = result.attitude == Attitude::resolute();
    ASSERT_EQ(policy.claim.has_value(), is_resolute) << to_text(result.attitude);
    if (is_resolute) {
      EXPECT_TRUE(check(model, policy, *policy.claim).passed);
    }
    const Distribution law = evaluate(model, policy);
    EXPECT_EQ(law.quantile(result.tau, result.side).lower, result.quantile->lower);
  }
}

// 0.1 + 0.2 + 0.7 of doubles is not 1, nor is 0.7 + 0.1 + 0.1 + 0.1 in any order: ties at theta and
// between choices are settled in rationals.
TEST(Attitudes, SettleTiesInRationals) {
  ModelBuilder b;
  b.name("ties").horizon(2).initial("a");
  b.begin_choice("a", "go").add_outcome("b", "0.1", 0).add_outcome("c", "0.9", 0);
  b.begin_choice("b", "stay").add_outcome("end", 1, 1);
  b.begin_choice("c", "split").add_outcome("end", "2/3", 1).add_outcome("end", "1/3", 0);
  b.begin_choice("c", "part").add_outcome("end", "1/3", 1).add_outcome("end", "2/3", 0);
  const Model model = b.build();
  // P(W >= 1) = 0.1 + 0.9 * 2/3 = 0.7.
  for (const auto& [tau, quantile] : {std::pair(Rational(3, 10), 1), {Rational(299, 1000), 0}}) {
    for (const AttitudeResult& result :
         attitudes(model, Attitude::all(), {{tau}, Sides::upper, {}}).results) {
      if (result.attitude == Attitude::recursive()) continue;
      EXPECT_EQ(result.quantile->lower, quantile) << to_text(result.attitude);
    }
  }
}

// Rows in another order give the same means: ties go by what the policy itself will collect.
TEST(Attitudes, BreakTiesByTheirOwnMeans) {
  for (const bool idle_first : {true, false}) {
    ModelBuilder b;
    b.horizon(3).initial("s");
    const auto idle = [&] { b.begin_choice("s", "idle").add_outcome("s", 1, -1); };
    if (idle_first) idle();
    b.begin_choice("s", "go").add_outcome("end", "1/2", -1).add_outcome("s", "1/2", -1);
    if (!idle_first) idle();
    b.begin_choice("s", "bad").add_outcome("s", 1, -100);
    const Model model = b.build();
    const Query query{{Rational(1, 20)}, Sides::lower, {}};
    for (const AttitudeResult& result :
         attitudes(model, {Attitude::replan(), Attitude::subgame_perfect()}, query).results) {
      EXPECT_EQ(result.quantile->lower, -3);
      EXPECT_EQ(*result.mean->exact, Rational(-7, 4)) << to_text(result.attitude);
    }
  }
}

TEST(Attitudes, AreReadAndWrittenAsText) {
  for (const char* text : {"resolute",
                           "replan",
                           "subgame-perfect",
                           "recursive",
                           "within:0",
                           "within:0.5",
                           "within:1/3",
                           "within:inf"}) {
    EXPECT_EQ(to_text(Attitude::parse(text)), text);
  }
  EXPECT_EQ(Attitude::parse("within:2/4"), Attitude::within(Rational(1, 2)));
  for (const char* text : {"",
                           "Resolute",
                           "within",
                           "within:",
                           "within:-1",
                           "within:nan",
                           "within:-inf",
                           "within:1e9999999",
                           "replan ",
                           "all"}) {
    EXPECT_THROW(Attitude::parse(text), Error) << text;
  }
}

TEST(Attitudes, RefuseWhatTheyAreNotAbout) {
  const Model model = two_minds().build();
  const auto refused = [&](Setting setting) {
    try {
      attitudes(model, Attitude::all(), {{Rational(1, 2)}, Sides::upper, std::move(setting)});
    } catch (const Error& error) {
      return error.code() == ErrorCode::refused ? error.problems().front().place : "another";
    }
    return std::string("none");
  };
  Setting infinite;
  infinite.horizon = kInfiniteHorizon;
  infinite.discount = Rational(1, 2);
  EXPECT_EQ(refused(infinite), "horizon");
  Setting goal;
  goal.goal = {{"over"}};
  EXPECT_EQ(refused(goal), "goal");
  Setting adversarial;
  adversarial.adversarial = true;
  EXPECT_EQ(refused(adversarial), "adversarial");
  EXPECT_THROW(attitudes(model, {}, kHalfUpper), Error);
}

// A discount over so many steps has no exact grid: brackets, of which each holds the truth of a
// finer one.
TEST(Attitudes, AreBracketsWhereWealthIsRounded) {
  const Model model = testing::paper_example_2(100);
  Query query{{Rational(19, 20)}, Sides::lower, {}};
  Options coarse;
  coarse.epsilon = Rational(1, 10);
  const AttitudeAnswer answer = attitudes(model, Attitude::all(), query, coarse);
  EXPECT_GT(answer.slack, 0);
  EXPECT_LE(answer.slack, Rational(1, 10));
  for (const AttitudeResult& result : answer.results) {
    const std::string name = to_text(result.attitude);
    EXPECT_LE(result.quantile->upper.value() - result.quantile->lower.value(), answer.slack);
    EXPECT_LE(result.regret->least, result.regret->most) << name;
    EXPECT_GE(result.probability->nearest, 0.05) << name;
    EXPECT_FALSE(result.policy().claim) << name;
  }
  // Playing twice and then leaving has 1 + 0.9 with probability 1/10 > 1/20.
  const QuantileOfDistribution& best = *answer.results[0].quantile;
  EXPECT_LE(best.lower, Total(Rational(19, 10)));
  EXPECT_GE(best.upper, Total(Rational(19, 10)));
}

TEST(Attitudes, EndEarlyWhenTheyAreStopped) {
  const std::atomic<bool> stop{true};
  Options options;
  options.stop = &stop;
  const Model model = two_minds().build();
  for (const AttitudeResult& result :
       attitudes(model, Attitude::all(), kHalfUpper, options).results) {
    EXPECT_EQ(result.status, Status::interrupted);
    EXPECT_FALSE(result.policy);
    EXPECT_NE(result.left_out, "");
  }
}

}  // namespace
}  // namespace quantiplan
