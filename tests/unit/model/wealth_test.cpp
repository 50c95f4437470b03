#include <gtest/gtest.h>

#include "numbers/thrown.hpp"
#include "quantiplan/model.hpp"
#include "wealth_of_kind.hpp"

namespace quantiplan {
namespace {

using testing::of_kind;

Wealth counts() {
  Wealth wealth = of_kind(WealthKind::counts);
  wealth.labels = {"bronze", "silver", "gold"};
  return wealth;
}

Wealth lexicographic() {
  Wealth wealth = of_kind(WealthKind::lexicographic);
  wealth.components = {{"late", true}, {"", false}};
  return wealth;
}

// Even and odd numbers of one label.
Wealth parity() {
  Wealth wealth = of_kind(WealthKind::automaton);
  wealth.labels = {"tick"};
  wealth.nodes = {"even", "odd"};
  wealth.next = {1, 0};
  wealth.class_of = {1, 0};
  wealth.classes = {"odd", "even"};
  return wealth;
}

Model one_outcome(const Wealth& wealth, const Number& reward) {
  ModelBuilder builder;
  builder.wealth(wealth).begin_choice("a", "x").add_outcome("b", 1, reward);
  return builder.build();
}

std::string problems(const Wealth& wealth, const Number& reward) {
  return thrown(ErrorCode::bad_model, [&] { one_outcome(wealth, reward); });
}

TEST(Wealth, KindsHaveNames) {
  for (int k = 0; k <= static_cast<int>(WealthKind::table); ++k) {
    const auto kind = static_cast<WealthKind>(k);
    EXPECT_EQ(wealth_kind(to_text(kind)), kind);
  }
  EXPECT_EQ(to_text(WealthKind::weighted_counts), "weighted counts");
  EXPECT_FALSE(wealth_kind("mean").has_value());
}

TEST(Wealth, IsTheSumUnlessItIsSaid) {
  ModelBuilder builder;
  builder.begin_choice("a", "x").add_outcome("b", 1, 2);
  EXPECT_TRUE(builder.build().wealth().is_sum());
}

TEST(Wealth, LabelsAndVectorsAreStoredAsPositions) {
  ModelBuilder builder;
  builder.wealth(counts());
  EXPECT_EQ(builder.reward("gold"), Number(2));
  EXPECT_FALSE(builder.reward("tin").has_value());
  EXPECT_FALSE(builder.reward(std::vector<Rational>{1, 2}).has_value());
  builder.wealth(lexicographic());
  EXPECT_FALSE(builder.reward("gold").has_value());
  EXPECT_EQ(builder.reward(std::vector<Rational>{1, 2}), Number(0));
  EXPECT_EQ(builder.reward(std::vector<Rational>{0, Rational(1, 2)}), Number(1));
  EXPECT_EQ(builder.reward(std::vector<Rational>{1, 2}), Number(0));
  EXPECT_FALSE(builder.reward(std::vector<Rational>{1}).has_value());
  builder.begin_choice("a", "x").add_outcome("b", 1, 1);
  const Model model = builder.build();
  EXPECT_EQ(model.wealth().vectors[1][1], Rational(1, 2));
  EXPECT_EQ(model.reward(model.outcomes(Choice{0})[0]), 1);
}

TEST(Wealth, OutcomesOfTheSameLabelBecomeOne) {
  ModelBuilder builder;
  builder.wealth(counts()).begin_choice("a", "x");
  builder.add_outcome("b", "1/2", *builder.reward("gold"));
  builder.add_outcome("b", "1/4", *builder.reward("gold"));
  builder.add_outcome("b", "1/4", Wealth::kNoLabel);
  EXPECT_EQ(builder.build().outcome_count(), 2U);
}

TEST(Wealth, RewardsMustFit) {
  EXPECT_EQ(problems(of_kind(WealthKind::product), 0),
            "state 'a', choice 'x': next state 'b': reward is 0, must be above 0 in a product");
  EXPECT_EQ(problems(of_kind(WealthKind::product), "0.5"), "");
  EXPECT_EQ(problems(of_kind(WealthKind::max), -7), "");
  EXPECT_EQ(problems(counts(), 3),
            "state 'a', choice 'x': next state 'b': reward is 3, must be the position of one of "
            "the 3 labels of the wealth 'counts'");
  EXPECT_EQ(problems(counts(), "1/2"),
            "state 'a', choice 'x': next state 'b': reward is 0.5, must be the position of one of "
            "the 3 labels of the wealth 'counts'");
  EXPECT_EQ(problems(counts(), -1), "");
  EXPECT_EQ(problems(lexicographic(), 0),
            "state 'a', choice 'x': next state 'b': reward is 0, must be the position of one of "
            "the 0 vectors of the wealth 'lexicographic'");
}

TEST(Wealth, MustComeBeforeTheFirstOutcome) {
  ModelBuilder builder;
  builder.begin_choice("a", "x").add_outcome("b", 1, 0).wealth(counts(), 4);
  EXPECT_EQ(thrown(ErrorCode::bad_model, [&] { static_cast<void>(builder.build()); }),
            "line 4: wealth: must be said before the first outcome");
}

TEST(Wealth, NamesMustMakeSense) {
  Wealth wealth = counts();
  wealth.labels[1] = "gold";
  EXPECT_EQ(wealth.problem(), "labels: 'gold' is given twice, must be given once");
  wealth.labels = {"a", ""};
  EXPECT_EQ(wealth.problem(), "labels: a name is empty, must have at least one character");
  wealth.labels = {"a", "b, 1 a"};
  EXPECT_EQ(wealth.problem(),
            "labels: 'b, 1 a' contains a comma and a blank, which separate counts");
  wealth.labels.clear();
  EXPECT_EQ(wealth.problem(), "labels: the list is empty, must name at least one");
  wealth = lexicographic();
  wealth.components[1].name = "late";
  EXPECT_EQ(wealth.problem(), "components: 'late' is given twice, must be given once");
  wealth.components.clear();
  EXPECT_EQ(wealth.problem(), "components: the list is empty, must have at least one");
  wealth.components.resize(1001);
  EXPECT_EQ(wealth.problem(), "components: found 1001, must be at most 1000");
}

TEST(Wealth, VectorsMustBeDistinctAndOfOneLength) {
  Wealth wealth = lexicographic();
  wealth.vectors = {{1, 2}, {1}};
  EXPECT_EQ(wealth.problem(), "a vector has 1 components, must have 2");
  wealth.vectors = {{1, 2}, {1, 2}};
  EXPECT_EQ(wealth.problem(), "a vector is given twice, must be given once");
}

TEST(Wealth, AutomataMustBeWhole) {
  EXPECT_EQ(parity().problem(), "");
  Wealth wealth = parity();
  wealth.start = 2;
  EXPECT_EQ(wealth.problem(), "start: must be one of the states");
  wealth = parity();
  wealth.next = {1};
  EXPECT_EQ(wealth.problem(), "not every state and label has a next state");
  wealth.next = {1, 2};
  EXPECT_EQ(wealth.problem(), "a state and label have an unknown next state");
  wealth = parity();
  wealth.class_of = {1, 2};
  EXPECT_EQ(wealth.problem(), "states: 'odd' is in no class, must be in one");
  wealth.class_of = {1, 1};
  EXPECT_EQ(wealth.problem(), "classes: 'odd' has no states, must have at least one");
  wealth = parity();
  wealth.labels = {"*"};
  EXPECT_EQ(wealth.problem(), "labels: '*' stands for every other label, must be no label");
  wealth = parity();
  wealth.kind = WealthKind::table;
  EXPECT_EQ(wealth.problem(), "");
  wealth.classes = {"odd", "equal"};
  EXPECT_EQ(wealth.problem(), "table: 'even' is no class, must be one");
}

TEST(Wealth, CountsInTheBytesOfAModel) {
  Wealth wealth = counts();
  const std::size_t bytes = one_outcome(wealth, 0).bytes();
  wealth.labels.emplace_back(1000, 'x');
  EXPECT_GE(one_outcome(wealth, 0).bytes(), bytes + 1000);
}

}  // namespace
}  // namespace quantiplan
