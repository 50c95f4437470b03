#include <gtest/gtest.h>

#include "io/example_commute.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

constexpr const char* kCommute =
    R"({ "format": "quantiplan-model/1", "name": "commute", "horizon": 3,
  "discount": 1, "initial": "home", "states": ["home", "station", "office"],
  "choices": [
    {"state": "home", "action": "bike", "reward": -40, "next": {"office": 1}},
    {"state": "home", "action": "train", "reward": -10, "next": {"station": "9/10", "home": 0.1}},
    {"state": "station", "action": "wait", "next": [
      {"to": "office", "probability": 0.8, "reward": -15},
      {"to": "office", "probability": 0.2, "reward": -45}]} ] })";

Model json(std::string_view text) { return parse_model(text, Format::json, "m.json").model; }

// A model of the given choices, to keep the tests short.
Model with_choices(const std::string& choices) {
  return json(R"({"format": "quantiplan-model/1", "choices": [)" + choices + "]}");
}

TEST(JsonModel, ReadsTheCommuteExample) {
  const Model model = json(kCommute);
  EXPECT_EQ(model.name(), "commute");
  EXPECT_EQ(model.horizon(), 3U);
  EXPECT_EQ(model.discount(), Rational(1));
  EXPECT_EQ(model.state_name(model.initial()->only()), "home");
  EXPECT_EQ(model.state_count(), 3U);
  EXPECT_EQ(model.choice_count(), 3U);
  EXPECT_EQ(model.outcome_count(), 5U);
  const auto train = model.outcomes(Choice{1});
  EXPECT_EQ(model.state_name(train[0].next), "station");
  EXPECT_EQ(model.probability(train[0]), Rational(9, 10));
  EXPECT_EQ(model.reward(train[1]), -10);
  EXPECT_EQ(model.reward(model.outcomes(Choice{2})[1]), -45);
}

TEST(JsonModel, TheShippedExampleIsTheSameModel) {
  const Model shipped = example_commute();
  EXPECT_EQ(format_model(shipped, Format::json), format_model(json(kCommute), Format::json));
}

TEST(JsonModel, KeysMayComeInAnyOrder) {
  const Model model = json(R"({"choices": [{"next": [{"reward": 1, "probability": "1", "to": "b"}],
    "reward": 2, "action": "x", "state": "a"}], "states": ["b", "a"], "initial": "a",
    "format": "quantiplan-model/1"})");
  EXPECT_EQ(model.state_name(State{0}), "b");
  EXPECT_EQ(model.initial(), State{1});
  EXPECT_EQ(model.reward(model.outcomes(Choice{0})[0]), 3);  // choice and outcome add
}

TEST(JsonModel, StatesAreMetInOrderWhereTheyAreNotListed) {
  const Model model =
      with_choices(R"({"state": "b", "action": "x", "next": {"c": 0.5, "a": 0.5}})");
  EXPECT_EQ(model.state_name(State{0}), "b");
  EXPECT_EQ(model.state_name(State{1}), "c");
  EXPECT_EQ(model.state_name(State{2}), "a");
  EXPECT_FALSE(model.horizon().has_value());
  EXPECT_FALSE(model.discount().has_value());
  EXPECT_FALSE(model.initial().has_value());
}

TEST(JsonModel, NumbersKeepTheirValueWhateverTheirForm) {
  const Model model = with_choices(
      R"({"state": "a", "action": "x", "reward": "1/3", "next": [
          {"to": "a", "probability": 0.1000000000000000055511151231257827, "reward": -1e-3},
          {"to": "a", "probability": "0.8999999999999999944488848768742173", "reward": "1e400"}]})");
  const auto outcomes = model.outcomes(Choice{0});
  EXPECT_EQ(model.probability(outcomes[0]),
            Number("0.1000000000000000055511151231257827").rational());
  EXPECT_EQ(model.reward(outcomes[0]), Rational(Rational(1, 3) - Rational(1, 1000)));
  EXPECT_EQ(model.reward(outcomes[1]), Rational(Rational(1, 3) + Number("1e400").rational()));
}

TEST(JsonModel, HorizonAndDiscountMayBeStrings) {
  const Model model = json(R"({"format": "quantiplan-model/1", "horizon": "1e2", "discount": "9/10",
    "choices": [{"state": "a", "action": "x", "next": {"a": 1}}]})");
  EXPECT_EQ(model.horizon(), 100U);
  EXPECT_EQ(model.discount(), Rational(9, 10));
}

TEST(JsonModel, ReadsGoalsCostsAndTheInfiniteHorizon) {
  const Model model = json(R"({"goal": ["c", "b"], "rewards": "cost", "horizon": "infinite",
    "format": "quantiplan-model/1",
    "choices": [{"state": "a", "action": "x", "next": {"b": 0.5, "c": 0.5}}]})");
  EXPECT_EQ(model.horizon(), kInfiniteHorizon);
  EXPECT_TRUE(model.has_costs());
  EXPECT_EQ(model.goal(), (std::vector<State>{State{1}, State{2}}));
}

TEST(JsonModel, RewardsAreRewardsAndThereIsNoGoalUnlessItIsSaid) {
  EXPECT_FALSE(json(kCommute).has_costs());
  EXPECT_TRUE(json(kCommute).goal().empty());
  const Model said = json(R"({"format": "quantiplan-model/1", "goal": [], "rewards": "reward",
    "choices": [{"state": "a", "action": "x", "next": {"b": 1}}]})");
  EXPECT_FALSE(said.has_costs());
  EXPECT_TRUE(said.goal().empty());
}

TEST(JsonModel, NamesMayHoldAnyCharacter) {
  const Model model =
      with_choices(R"({"state": "B\u00fcro \ud83d\udeb2", "action": "\"\\\n,", "next": {"€": 1}})");
  EXPECT_EQ(model.state_name(State{0}), "B\xC3\xBCro \xF0\x9F\x9A\xB2");
  EXPECT_EQ(model.action_name(Choice{0}), "\"\\\n,");
  EXPECT_EQ(model.state_name(State{1}), "\xE2\x82\xAC");
}

TEST(JsonModel, AByteOrderMarkIsSkipped) {
  EXPECT_EQ(json(std::string("\xEF\xBB\xBF") + kCommute).state_count(), 3U);
}

TEST(JsonModel, MapsMayBeLong) {
  std::string next;
  for (int i = 0; i < 1000; ++i)
    next += (i == 0 ? "\"s" : ", \"s") + std::to_string(i) + "\": 0.001";
  const Model model = with_choices(R"({"state": "a", "action": "x", "next": {)" + next + "}}");
  EXPECT_EQ(model.outcome_count(), 1000U);
}

TEST(JsonModel, NormalisedChoicesAreNoticesWithTheirLine) {
  const ReadModel read = parse_model(
      "{\"format\": \"quantiplan-model/1\", \"choices\": [\n"
      "{\"state\": \"a\", \"action\": \"x\", \"next\": {\"a\": 0.9999999999}}]}",
      Format::json,
      "m.json");
  ASSERT_EQ(read.notices.size(), 1U);
  EXPECT_EQ(read.notices[0],
            "m.json:2: state 'a', choice 'x': probabilities sum to 0.9999999999, "
            "normalised to 1");
}

}  // namespace
}  // namespace quantiplan
