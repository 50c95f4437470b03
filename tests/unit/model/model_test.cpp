// A Model is a handle: copies share its arrays, and so does a model with other rewards.
#include "quantiplan/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

Rational negated(const Rational& r) { return -r; }

TEST(Model, CopiesShareTheirArraysAndKeepThemAlive) {
  std::optional<Model> first(testing::commute());
  const Outcome* outcomes = first->outcomes(Choice{0}).data();
  const std::string* name = &first->name();
  const Model copy = *first;
  first.reset();
  EXPECT_EQ(copy.outcomes(Choice{0}).data(), outcomes);
  EXPECT_EQ(&copy.name(), name);
  EXPECT_EQ(copy.name(), "commute");
  EXPECT_EQ(copy.reward(copy.outcomes(Choice{0})[0]), -40);
}

TEST(Model, OtherRewardsShareEverythingElse) {
  const Model model = testing::commute();
  const Model costs = model.with_rewards(negated);
  for (std::uint32_t i = 0; i < model.choice_count(); ++i) {
    const Choice c{i};
    EXPECT_EQ(costs.outcomes(c).data(), model.outcomes(c).data());
    EXPECT_EQ(costs.action_name(c).data(), model.action_name(c).data());
    for (const Outcome& o : model.outcomes(c)) {
      EXPECT_EQ(costs.reward(o), -model.reward(o));
      EXPECT_EQ(costs.rewards().nearest(o.reward), -model.rewards().nearest(o.reward));
      EXPECT_EQ(costs.probability(o), model.probability(o));
    }
  }
  EXPECT_EQ(&costs.name(), &model.name());
  EXPECT_EQ(costs.state_name(State{0}).data(), model.state_name(State{0}).data());
  EXPECT_EQ(&costs.probabilities(), &model.probabilities());
  EXPECT_EQ(&model.rewards(), &model.probabilities());
  EXPECT_NE(&costs.rewards(), &model.rewards());
  EXPECT_EQ(costs.rewards().size(), model.rewards().size());
  // One table more, and nothing else.
  EXPECT_EQ(costs.bytes(), model.bytes() + costs.rewards().bytes());
}

TEST(Model, OtherRewardsOutliveWhatTheyWereMadeFrom) {
  std::optional<Model> first(testing::commute());
  const Model twice =
      first->with_rewards(negated).with_rewards([](const Rational& r) { return Rational(2 * r); });
  first.reset();
  EXPECT_EQ(twice.reward(twice.outcomes(Choice{0})[0]), 80);
  EXPECT_EQ(twice.probability(twice.outcomes(Choice{0})[0]), 1);
  EXPECT_EQ(twice.find_state("station"), State{2});
}

TEST(Model, RewardsBeyond64BitsStayExact) {
  const Rational wide("100000000000000000000000000001/3");
  const Model model =
      testing::safe_or_gamble().with_rewards([&](const Rational& r) { return Rational(r + wide); });
  const Outcome& safe = model.outcomes(Choice{1})[0];
  EXPECT_EQ(model.reward(safe), wide + 5);
  EXPECT_EQ(model.rewards().nearest(safe.reward), to_nearest_double(Rational(wide + 5)));
}

TEST(Model, EachRewardIsChangedOnceAndProbabilitiesAreNot) {
  std::vector<Rational> seen;
  const Model model = testing::commute().with_rewards([&](const Rational& r) {
    seen.push_back(r);
    return r;
  });
  std::ranges::sort(seen);
  EXPECT_EQ(seen, (std::vector<Rational>{-45, -40, -15, -10}));
}

TEST(Model, OtherRewardsAreWritten) {
  const Model model = testing::commute();
  const Model costs = model.with_rewards(negated);
  for (const Format format : {Format::json, Format::csv}) {
    const Model read = parse_model(format_model(costs, format), format, "costs").model;
    ASSERT_EQ(read.outcome_count(), model.outcome_count());
    for (std::uint32_t i = 0; i < model.choice_count(); ++i) {
      for (std::size_t k = 0; k < model.outcomes(Choice{i}).size(); ++k) {
        const Outcome& o = read.outcomes(Choice{i})[k];
        EXPECT_EQ(read.reward(o), -model.reward(model.outcomes(Choice{i})[k]));
        EXPECT_EQ(read.probability(o), model.probability(model.outcomes(Choice{i})[k]));
      }
    }
  }
}

std::string problem_of(const Model& model, const std::function<Rational(const Rational&)>& f) {
  try {
    (void)model.with_rewards(f);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_model);
    return error.what();
  }
  return "none";
}

TEST(Model, RewardsMustStayDifferent) {
  const std::string problem =
      problem_of(testing::commute(), [](const Rational& r) { return r < -20 ? Rational(-20) : r; });
  EXPECT_NE(problem.find("another reward is -20, must stay different"), std::string::npos)
      << problem;
}

TEST(Model, RewardsMustBeWhatTheWealthTakes) {
  ModelBuilder b;
  Wealth product;
  product.kind = WealthKind::product;
  b.horizon(1).initial("s").wealth(product);
  b.begin_choice("s", "a").add_outcome("s", 1, 2);
  const std::string problem = problem_of(b.build(), negated);
  EXPECT_NE(problem.find("must be above 0 in a product"), std::string::npos) << problem;
}

}  // namespace
}  // namespace quantiplan
