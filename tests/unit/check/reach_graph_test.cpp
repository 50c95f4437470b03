#include "check/infinite/reach_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "check/check_models.hpp"
#include "check/infinite/absorption.hpp"
#include "check/infinite/best_reach.hpp"

namespace quantiplan::checking {
namespace {

// Probabilities are numbers of a model: here those of one choice.
class ReachGraphTest : public ::testing::Test {
 protected:
  ReachGraphTest() : model_(lotteries({{{"1", "0"}}, {{"1/2", "0"}, {"1/2", "1"}}, thirds()})) {}
  static std::vector<Prize> thirds() { return {{"1/3", "0"}, {"2/3", "1"}}; }
  [[nodiscard]] NumberId one() const { return model_.outcomes(Choice{0})[0].probability; }
  [[nodiscard]] NumberId half() const { return model_.outcomes(Choice{1})[0].probability; }
  [[nodiscard]] NumberId third() const { return model_.outcomes(Choice{2})[0].probability; }
  [[nodiscard]] NumberId two_thirds() const { return model_.outcomes(Choice{2})[1].probability; }

  // 0 and 1 lead to one another for nothing; 1 can try to leave, to 2 (worth 1) or 3 (worth 0).
  ReachGraph trap() {
    ReachGraph graph(model_, limits_);
    graph.add_arc(1, one());
    graph.end_choice(true);
    graph.end_node();
    graph.add_arc(0, one());
    graph.end_choice(true);
    graph.add_arc(2, third());
    graph.add_arc(3, two_thirds());
    graph.end_choice(false);
    graph.end_node();
    graph.end_node(Rational(1));
    graph.end_node(Rational(0));
    return graph;
  }

  Model model_;
  Options options_;
  CheckLimits limits_{options_};
};

TEST_F(ReachGraphTest, ComesInBlocksThatLeadToOneAnother) {
  const ReachGraph graph = trap();
  const Blocks all = blocks_of(graph, nullptr, limits_);
  ASSERT_EQ(all.count(), 1U);
  EXPECT_EQ(all.nodes.size(), 2U);
  // Under the selection that leaves there are two, the one that is led to before the other.
  Selection leaving = first_selection(graph);
  leaving[1] = graph.first_choice(1) + 1;
  const Blocks two = blocks_of(graph, &leaving, limits_);
  ASSERT_EQ(two.count(), 2U);
  EXPECT_EQ(two.nodes, (std::vector<std::uint32_t>{1, 0}));
}

TEST_F(ReachGraphTest, StayingIsWorthNothingUnlessItIsGivenAWorth) {
  ReachGraph graph = trap();
  const auto best = BestReach(graph, limits_).exactly();
  ASSERT_TRUE(best);
  EXPECT_EQ((*best)[0], Rational(1, 3));
  EXPECT_EQ((*best)[1], Rational(1, 3));
  give_worth_to_staying(graph, false, limits_);
  EXPECT_EQ(graph.worth(0), Rational(1));
  EXPECT_EQ(graph.worth(1), Rational(1));
}

TEST_F(ReachGraphTest, OnlyFreeChoicesMayBeAskedToStay) {
  ReachGraph graph(model_, limits_);
  graph.add_arc(0, one());
  graph.end_choice(false);
  graph.end_node();
  ReachGraph other = graph;
  give_worth_to_staying(graph, true, limits_);
  EXPECT_FALSE(graph.worth(0));
  give_worth_to_staying(other, false, limits_);
  EXPECT_EQ(other.worth(0), Rational(1));
}

// Iteration from above would stick at 1 here.
TEST_F(ReachGraphTest, BoundsDoNotStickInATrap) {
  const ReachGraph graph = trap();
  BestReach best(graph, limits_);
  const auto high = best.at_most();
  const auto low = best.at_least();
  ASSERT_TRUE(high && low);
  for (const std::uint32_t node : {0U, 1U}) {
    EXPECT_GE(high->at(node), Rational(1, 3));
    EXPECT_LE(high->at(node), Rational(1, 3) + number("1e-12"));
    EXPECT_LE(low->at(node).low, Rational(1, 3));
    EXPECT_GE(low->at(node).low, Rational(1, 3) - number("1e-12"));
  }
}

TEST_F(ReachGraphTest, BoundsHoldHoweverWrongTheRoughValuesAre) {
  const ReachGraph graph = trap();
  for (const double guess : {0.0, 0.3, 0.9, 2.0}) {
    const RoughValues rough{std::vector<double>(4, guess), std::vector<double>(4, 0)};
    const auto high = upper_bounds(graph, rough, limits_);
    ASSERT_TRUE(high);
    EXPECT_GE(high->at(0), Rational(1, 3));
    EXPECT_LE(high->at(0), 1);
  }
}

// A walk on 0 .. n between two ends, with a self-loop, that is left rarely.
TEST_F(ReachGraphTest, ChainsAreBoundedTightlyAndSolvedExactly) {
  constexpr std::uint32_t kLast = 40;
  ReachGraph graph(model_, limits_);
  for (std::uint32_t i = 0; i <= kLast; ++i) {
    if (i == 0 || i == kLast) {
      graph.end_node(Rational(i == 0 ? 0 : 1));
      continue;
    }
    graph.add_arc(i - 1, half());
    graph.add_arc(i + 1, half());
    graph.end_choice(false);
    graph.end_node();
  }
  Effort effort;
  const auto exact = exact_values(graph, first_selection(graph), effort, limits_);
  const auto bounds = chain_bounds(graph, limits_);
  ASSERT_TRUE(exact && bounds);
  for (std::uint32_t i = 0; i <= kLast; ++i) {
    Rational truth(i, kLast);
    truth.canonicalize();
    EXPECT_EQ((*exact)[i], truth);
    EXPECT_LE(bounds->at(i).low, truth);
    EXPECT_GE(bounds->at(i).high, truth);
    EXPECT_LE(bounds->at(i).high - bounds->at(i).low, number("1e-9"));
  }
}

TEST_F(ReachGraphTest, EffortEndsExactArithmetic) {
  const ReachGraph graph = trap();
  Selection leaving = first_selection(graph);
  leaving[1] = graph.first_choice(1) + 1;
  Effort effort;
  EXPECT_TRUE(exact_values(graph, leaving, effort, limits_));
  while (effort.spend(1'000'000, Rational(1))) {
  }
  EXPECT_FALSE(exact_values(graph, leaving, effort, limits_));
}

TEST(Absorption, LosesNoDigitsWhereABlockIsRarelyLeft) {
  // 0 -> 1 -> 0, left from 0 with 1e-12: to the good end three times out of four.
  Absorption<double> chain(2);
  chain.p(0, 1) = 1 - 1e-12;
  chain.p(1, 0) = 1;
  chain.leave(0) = 1e-12;
  std::vector<std::vector<double>> sides{{0.75e-12, 0}};
  EXPECT_TRUE(chain.solve(sides, [](std::size_t, double) { return true; }));
  EXPECT_NEAR(sides[0][0], 0.75, 1e-15);
  EXPECT_NEAR(sides[0][1], 0.75, 1e-15);
}

}  // namespace
}  // namespace quantiplan::checking
