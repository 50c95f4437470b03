#include "domains/garnet.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "domains/model_rows.hpp"

namespace quantiplan {
namespace {

GarnetParameters small_garnet() {
  GarnetParameters p;
  p.states = 20;
  p.actions = 3;
  p.branching = 4;
  p.horizon = 6;
  p.greatest_reward = 9;
  p.seed = 5;
  return p;
}

struct Row {
  std::size_t next;
  Rational probability;
  Rational reward;
  friend bool operator==(const Row&, const Row&) = default;
};

std::vector<Row> rows(const Model& model, Choice choice) {
  std::vector<Row> rows;
  for (const Outcome& o : model.outcomes(choice)) {
    rows.push_back({index(o.next), model.probability(o), model.reward(o)});
  }
  return rows;
}

std::vector<std::vector<Row>> all_rows(const Model& model) {
  std::vector<std::vector<Row>> all;
  for (std::uint32_t c = 0; c < model.choice_count(); ++c) all.push_back(rows(model, Choice{c}));
  return all;
}

TEST(Garnet, HasTheShapeThatWasAskedFor) {
  const Model model = garnet(small_garnet());
  EXPECT_EQ(model.name(), "garnet-20-3-4");
  EXPECT_EQ(model.horizon(), 6u);
  EXPECT_EQ(model.discount(), Rational(1));
  EXPECT_EQ(model.state_count(), 20u);
  EXPECT_EQ(model.choice_count(), 60u);
  EXPECT_EQ(model.outcome_count(), 240u);
  EXPECT_EQ(model.state_name(model.initial()->only()), "s0");
  EXPECT_EQ(model.state_name(State{19}), "s19");
  EXPECT_EQ(model.action_name(Choice{2}), "a2");
}

TEST(Garnet, UniformRewardsAreThePapers) {
  GarnetParameters p = small_garnet();
  p.states = 400;
  p.rewards = GarnetParameters::Rewards::uniform;
  const Model model = garnet(p);
  Rational sum;
  std::set<std::string> distinct;
  for (std::uint32_t c = 0; c < model.choice_count(); ++c) {
    const Rational r = rows(model, Choice{c}).front().reward;
    EXPECT_GE(r, 0);
    EXPECT_LE(r, 1);
    EXPECT_EQ(Rational(r * Rational(Integer("1000000000000000"))).get_den(), 1);
    sum += r;
    distinct.insert(to_text(r));
  }
  EXPECT_EQ(distinct.size(), 1200u);
  // The mean of 1200 has a standard deviation of 0.0083.
  EXPECT_NEAR(to_nearest_double(sum) / 1200, 0.5, 0.04);
}

TEST(Garnet, SkewedRewardsAreSafeOrRisky) {
  GarnetParameters p = small_garnet();
  p.states = 400;
  p.rewards = GarnetParameters::Rewards::skewed;
  const Model model = garnet(p);
  int safe = 0;
  Rational paid;
  for (std::uint32_t c = 0; c < model.choice_count(); ++c) {
    const std::vector<Row> all = rows(model, Choice{c});
    const Rational first = all.front().reward;
    if (std::ranges::all_of(all, [&](const Row& row) { return row.reward == first; })) {
      EXPECT_LE(first, Rational(1, 5));
      EXPECT_EQ(Rational(first * 1000).get_den(), 1);
      paid += first;
      ++safe;
      continue;
    }
    EXPECT_EQ(std::ranges::count(all, Rational(1), &Row::reward), 1);
    EXPECT_EQ(std::ranges::count(all, Rational(0), &Row::reward), 3);
  }
  // Of 1200 choices half, give or take 17; they pay 0.1 in the mean, give or take 0.0024.
  EXPECT_NEAR(safe, 600, 85);
  EXPECT_NEAR(to_nearest_double(paid) / safe, 0.1, 0.012);
}

TEST(Garnet, ProbabilitiesArePositiveGridFractionsThatSumToOne) {
  const Model model = garnet(small_garnet());
  for (const std::vector<Row>& choice : all_rows(model)) {
    Rational sum = 0;
    std::set<std::size_t> next;
    for (const Row& row : choice) {
      EXPECT_GT(row.probability, 0);
      const Rational units = row.probability * 1'000'000;
      EXPECT_EQ(units.get_den(), 1);
      sum += row.probability;
      next.insert(row.next);
    }
    EXPECT_EQ(sum, 1);
    EXPECT_EQ(next.size(), 4u);
  }
}

TEST(Garnet, RewardsOfAChoiceAgreeUnlessDrawnPerOutcome) {
  GarnetParameters p = small_garnet();
  const auto choices_with_several_rewards = [](const Model& model) {
    int count = 0;
    for (const std::vector<Row>& choice : all_rows(model)) {
      std::set<std::string> rewards;
      for (const Row& row : choice) {
        EXPECT_GE(row.reward, 0);
        EXPECT_LE(row.reward, 9);
        EXPECT_EQ(row.reward.get_den(), 1);
        rewards.insert(row.reward.get_str());
      }
      count += rewards.size() > 1 ? 1 : 0;
    }
    return count;
  };
  EXPECT_EQ(choices_with_several_rewards(garnet(p)), 0);
  p.reward_of = GarnetParameters::RewardOf::outcome;
  EXPECT_GT(choices_with_several_rewards(garnet(p)), 55);
}

TEST(Garnet, SeedNamesTheModel) {
  GarnetParameters p = small_garnet();
  const auto first = all_rows(garnet(p));
  EXPECT_EQ(all_rows(garnet(p)), first);
  p.seed = 6;
  EXPECT_NE(all_rows(garnet(p)), first);
}

TEST(Garnet, SeedNamesTheSameModelForEver) {
  GarnetParameters p = small_garnet();
  p.reward_of = GarnetParameters::RewardOf::outcome;
  p.least_reward = -9;
  const Model model = garnet(p);
  // Recomputed with another implementation of the header's rules, in another language.
  const std::vector<Row> expected{{6, Rational("4523/20000"), -6},
                                  {8, Rational("67153/1000000"), -5},
                                  {16, Rational("406349/1000000"), 3},
                                  {17, Rational("75087/250000"), 9}};
  EXPECT_EQ(rows(model, Choice{59}), expected);
}

TEST(Garnet, FullBranchingReachesEveryState) {
  GarnetParameters p = small_garnet();
  p.states = 4;
  const Model model = garnet(p);
  for (const std::vector<Row>& choice : all_rows(model)) {
    ASSERT_EQ(choice.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(choice[i].next, i);
  }
}

TEST(Garnet, OneSuccessorIsCertain) {
  GarnetParameters p = small_garnet();
  p.branching = 1;
  for (const std::vector<Row>& choice : all_rows(garnet(p))) {
    ASSERT_EQ(choice.size(), 1u);
    EXPECT_EQ(choice[0].probability, 1);
  }
}

TEST(Garnet, RewardsCanBeDecimalsAsInThePaper) {
  GarnetParameters p = small_garnet();
  p.greatest_reward = 1;
  p.reward_digits = 15;
  const Model model = garnet(p);
  std::set<std::string> rewards;
  for (const std::vector<Row>& choice : all_rows(model)) {
    for (const Row& row : choice) {
      EXPECT_GE(row.reward, 0);
      EXPECT_LE(row.reward, 1);
      EXPECT_EQ(Rational(row.reward * Rational("1000000000000000")).get_den(), 1);
      EXPECT_EQ(row.reward, choice.front().reward);
      rewards.insert(row.reward.get_str());
    }
  }
  EXPECT_EQ(rewards.size(), 60u);  // one per choice: two equal ones have probability 2e-12
}

// The draws of next states and probabilities do not depend on what a reward is.
TEST(Garnet, DecimalPlacesMultiplyTheRewards) {
  GarnetParameters p = small_garnet();
  p.least_reward = -3;
  p.greatest_reward = 7;
  p.reward_digits = 1;
  const std::vector<std::vector<Row>> decimals = all_rows(garnet(p));
  p.least_reward = -30;
  p.greatest_reward = 70;
  p.reward_digits = 0;
  const std::vector<std::vector<Row>> integers = all_rows(garnet(p));
  ASSERT_EQ(decimals.size(), integers.size());
  for (std::size_t c = 0; c < integers.size(); ++c) {
    for (std::size_t i = 0; i < integers[c].size(); ++i) {
      EXPECT_EQ(decimals[c][i].reward * 10, integers[c][i].reward);
      EXPECT_EQ(decimals[c][i].probability, integers[c][i].probability);
    }
  }
}

TEST(Garnet, WrongParametersAreNamedAllAtOnce) {
  GarnetParameters p = small_garnet();
  p.branching = 21;
  p.least_reward = 10;
  EXPECT_EQ(
      problems_of([&] { (void)garnet(p); }),
      std::vector<std::string>({"--branching: found 21, must be from 1 to states",
                                "--least-reward: found 10, must be at most greatest-reward"}));
}

TEST(Garnet, RewardsHaveFifteenDigitsAtMost) {
  GarnetParameters p = small_garnet();
  p.reward_digits = 15;
  EXPECT_EQ(problems_of([&] { (void)garnet(p); }),
            std::vector<std::string>(
                {"--reward-digits: found 15, must be at most 14 with rewards from 0 to 9"}));
  p.rewards = GarnetParameters::Rewards::uniform;
  EXPECT_NO_THROW((void)garnet(p));
  p.rewards = GarnetParameters::Rewards::integer;
  p.reward_digits = 16;
  p.greatest_reward = 1;
  EXPECT_EQ(problems_of([&] { (void)garnet(p); }),
            std::vector<std::string>(
                {"--reward-digits: found 16, must be at most 15 with rewards from 0 to 1"}));
}

}  // namespace
}  // namespace quantiplan
