// Blocks of states that behave alike, by hand.
#include "reduce/partition.hpp"

#include <gtest/gtest.h>

#include "reduce/quotient.hpp"

namespace quantiplan {
namespace {

constexpr std::uint64_t kAnyWork = 1'000'000;

struct LaidOut {
  explicit LaidOut(const Model& model_in, const Setting& asked = {})
      : model(model_in),
        setting(resolve(model, asked)),
        limits(options),
        moves(*Moves::lay_out(model, setting, limits)),
        partition(*coarsest_partition(moves, kAnyWork, limits)) {}
  [[nodiscard]] std::uint32_t block(const char* state) const {
    return partition.block_of[moves.slot_of[index(*model.find_state(state))]];
  }
  Model model;
  ResolvedSetting setting;
  Options options;
  Limits limits;
  Moves moves;
  Partition partition;
};

// From s to one of three, each of which goes on to an end: `a` and `b` alike, `c` as given.
ModelBuilder three_ways(const char* probability, int reward) {
  ModelBuilder b;
  b.horizon(3).initial("s");
  b.begin_choice("s", "go")
      .add_outcome("a", "1/3", 0)
      .add_outcome("b", "1/3", 0)
      .add_outcome("c", "1/3", 0);
  b.begin_choice("a", "x").add_outcome("end", "1/2", 1).add_outcome("other end", "1/2", 2);
  b.begin_choice("b", "y").add_outcome("end", "1/2", 2).add_outcome("end", "1/2", 1);
  b.begin_choice("c", "z")
      .add_outcome("end", probability, 1)
      .add_outcome("end", Number(1 - Number(probability).rational()), reward);
  return b;
}

TEST(Partition, EndsAreAlikeAndOutcomesCountByRewardAndBlock) {
  const LaidOut alike(three_ways("1/2", 2).build());
  EXPECT_EQ(alike.partition.blocks, 3U);  // s, the three, the ends
  EXPECT_EQ(alike.block("a"), alike.block("b"));
  EXPECT_EQ(alike.block("a"), alike.block("c"));
  EXPECT_EQ(alike.block("end"), alike.block("other end"));
  const LaidOut other_chance(three_ways("1/3", 2).build());
  EXPECT_EQ(other_chance.block("a"), other_chance.block("b"));
  EXPECT_NE(other_chance.block("a"), other_chance.block("c"));
  const LaidOut other_reward(three_ways("1/2", 3).build());
  EXPECT_NE(other_reward.block("a"), other_reward.block("c"));
}

// Probabilities that no double tells apart.
TEST(Partition, ProbabilitiesAreComparedExactly) {
  const LaidOut close(three_ways("500000000000000000001/1000000000000000000000", 2).build());
  EXPECT_EQ(close.block("a"), close.block("b"));
  EXPECT_NE(close.block("a"), close.block("c"));
}

TEST(Partition, SumsOfProbabilitiesCount) {
  ModelBuilder b;
  b.horizon(3).initial("s");
  b.begin_choice("s", "go").add_outcome("a", "1/2", 0).add_outcome("b", "1/2", 0);
  b.begin_choice("a", "x")
      .add_outcome("e1", "1/10", 1)
      .add_outcome("e2", "2/10", 1)
      .add_outcome("e3", "7/10", 0);
  b.begin_choice("b", "x").add_outcome("e1", "3/10", 1).add_outcome("e1", "7/10", 0);
  const LaidOut laid(b.build());
  EXPECT_EQ(laid.partition.blocks, 3U);
  EXPECT_EQ(laid.block("a"), laid.block("b"));
}

// More outcomes than are sorted, in another order; one thirtieth moved makes them differ.
TEST(Partition, ManyOutcomesAreAddedUp) {
  constexpr int kOutcomes = 90;
  ModelBuilder b;
  b.horizon(3).initial("s");
  b.begin_choice("s", "go")
      .add_outcome("a", "1/3", 0)
      .add_outcome("b", "1/3", 0)
      .add_outcome("c", "1/3", 0);
  const auto choice = [&](const char* state, int step, int moved) {
    b.begin_choice(state, "fan");
    for (int i = 0; i < kOutcomes; ++i) {
      const int k = i * step % kOutcomes;
      b.add_outcome("end " + std::to_string(k), "1/90", k % 30 + (k < moved ? 1 : 0));
    }
  };
  choice("a", 1, 0);
  choice("b", 7, 0);
  choice("c", 1, 3);
  const LaidOut laid(b.build());
  EXPECT_EQ(laid.block("a"), laid.block("b"));
  EXPECT_NE(laid.block("a"), laid.block("c"));
  EXPECT_EQ(laid.partition.blocks, 4U);
}

// Some thousand entries of one choice, in three orders: all alike but for one reward.
TEST(Partition, LongListsAreCompared) {
  constexpr int kLine = 2500;
  ModelBuilder b;
  b.horizon(kLine).initial("s");
  b.begin_choice("s", "go")
      .add_outcome("a", "1/3", 0)
      .add_outcome("b", "1/3", 0)
      .add_outcome("c", "1/3", 0);
  const auto fan = [&](const char* state, int step, int other) {
    b.begin_choice(state, "fan");
    for (int i = 0; i < kLine; ++i) {
      const int k = i * step % kLine;
      b.add_outcome(std::to_string(k), "1/5000", 2);
      b.add_outcome(std::to_string(k), "1/5000", k == other ? 3 : 1);
    }
  };
  fan("a", 1, -1);
  fan("b", 7, -1);
  fan("c", 11, 1234);
  for (int i = 0; i < kLine; ++i)
    b.begin_choice(std::to_string(i), "step").add_outcome(std::to_string(i + 1), 1, 1);
  const LaidOut laid(b.build());
  EXPECT_EQ(laid.block("a"), laid.block("b"));
  EXPECT_NE(laid.block("a"), laid.block("c"));
  EXPECT_EQ(laid.partition.blocks, kLine + 4U);
}

TEST(Partition, GoalsAreApartFromOtherEnds) {
  Setting setting;
  setting.goal = std::vector<std::string>{"end"};
  const LaidOut laid(three_ways("1/2", 2).build(), setting);
  EXPECT_NE(laid.block("end"), laid.block("other end"));
  EXPECT_NE(laid.block("a"), laid.block("b"));  // a can miss
  EXPECT_EQ(laid.block("b"), laid.block("c"));
}

TEST(Partition, AChoiceMoreMakesADifferenceUnlessItIsOneAlready) {
  ModelBuilder same = three_ways("1/2", 2);
  same.begin_choice("a", "x again").add_outcome("end", "1/2", 1).add_outcome("end", "1/2", 2);
  const LaidOut again(same.build());
  EXPECT_EQ(again.block("a"), again.block("b"));
  ModelBuilder more = three_ways("1/2", 2);
  more.begin_choice("a", "leave").add_outcome("end", 1, 0);
  const LaidOut left(more.build());
  EXPECT_NE(left.block("a"), left.block("b"));
}

// A walk of n steps: what tells states apart is far away.
TEST(Partition, DistancesAreFoundFromTheEnd) {
  constexpr int kSteps = 500;
  ModelBuilder b;
  b.horizon(kSteps).initial("0");
  for (const char* lane : {"", "'"}) {
    for (int i = 0; i < kSteps; ++i)
      b.begin_choice(std::to_string(i) + lane, "step")
          .add_outcome(std::to_string(i + 1), "1/2", 1)
          .add_outcome(std::to_string(i + 1) + "'", "1/2", 1);
  }
  const LaidOut laid(b.build());
  EXPECT_EQ(laid.partition.blocks, kSteps + 1U);
  EXPECT_EQ(laid.block("17"), laid.block("17'"));
  EXPECT_NE(laid.block("17"), laid.block("18"));
}

// Thousands of states as far from the end, many of them alike, so that all threads compare them.
TEST(Partition, IsTheSameWithAnyNumberOfThreads) {
  constexpr int kStates = 6000;
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  for (int i = 0; i < kStates; ++i)
    b.begin_choice("s", std::to_string(i)).add_outcome("a" + std::to_string(i), 1, 0);
  for (int i = 0; i < kStates; ++i) {
    b.begin_choice("a" + std::to_string(i), "go");
    b.add_outcome("b" + std::to_string(i % 700), "1/3", i % 5);
    b.add_outcome("b" + std::to_string(i % 350), "1/3", 7).add_outcome("end", "1/3", 0);
  }
  for (int i = 0; i < 700; ++i) {
    b.begin_choice("b" + std::to_string(i), "on");
    b.add_outcome("end", "1/2", i % 350).add_outcome("end", "1/2", 400);
  }
  const Model model = b.build();
  const ResolvedSetting setting = resolve(model, {});
  const auto blocks_with = [&](std::uint32_t threads) {
    Options options;
    options.threads = threads;
    Limits limits(options);
    const auto moves = *Moves::lay_out(model, setting, limits);
    return *coarsest_partition(moves, kAnyWork, limits);
  };
  const Partition alone = blocks_with(1);
  // An end, 350 of `b`, lcm(350, 5) of `a`, and the first.
  EXPECT_EQ(alone.blocks, 1U + 350 + 350 + 1);
  for (const std::uint32_t threads : {2U, 3U, 8U}) {
    const Partition together = blocks_with(threads);
    EXPECT_EQ(together.blocks, alone.blocks);
    EXPECT_EQ(together.block_of, alone.block_of);
  }
}

TEST(Partition, EndsWhenItTakesTooMuchWork) {
  const Model model = three_ways("1/2", 2).build();
  const ResolvedSetting setting = resolve(model, {});
  const Options options;
  Limits limits(options);
  const auto moves = *Moves::lay_out(model, setting, limits);
  EXPECT_FALSE(coarsest_partition(moves, 5, limits));
}

TEST(Quotient, HasAStateForEachBlockAndTheWayBack) {
  const Model model = three_ways("1/2", 2).build();
  const ResolvedSetting setting = resolve(model, {});
  const Options options;
  Limits limits(options);
  const auto reduced = quotient_of(model, setting, 0, limits);
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->model.state_count(), 3U);
  EXPECT_EQ(reduced->model.outcome_count(), 3U);  // s to the three; 1 or 2 to the ends
  EXPECT_EQ(reduced->states_met, 6U);
  const auto standing = [&](const char* name) {
    return State{reduced->state_of[index(*model.find_state(name))]};
  };
  EXPECT_EQ(reduced->setting.initial.only(), standing("s"));
  EXPECT_EQ(reduced->model.state_name(standing("c")), "a");
  Policy small;
  small.setting = reduced->setting;
  small.rules = {{0, standing("s"), {{std::nullopt, Choice{0}}}},
                 {1, standing("b"), {{std::nullopt, Choice{1}}}}};
  const Policy policy = lifted(model, setting, *reduced, small, limits);
  ASSERT_EQ(policy.rules.size(), 4U);  // one at time 0, three at time 1
  const State b = *model.find_state("b");
  const auto of_b = std::ranges::find(policy.rules, b, &PolicyRule::state);
  ASSERT_NE(of_b, policy.rules.end());
  EXPECT_EQ(of_b->time, 1U);
  EXPECT_EQ(model.action_name(of_b->runs[0].choice), "y");
  const auto again = lowered(*reduced, policy);
  ASSERT_TRUE(again);
  ASSERT_EQ(again->rules.size(), 2U);
  EXPECT_EQ(again->rules[1].state, standing("b"));
  EXPECT_EQ(again->rules[1].runs[0].choice, Choice{1});
}

// Names are the model's, and found by them; outcomes of a block are added up exactly.
TEST(Quotient, HasTheNamesOfTheModel) {
  const Model model = three_ways("1/2", 2).build();
  const ResolvedSetting setting = resolve(model, {});
  const Options options;
  Limits limits(options);
  const auto small = quotient_of(model, setting, 0, limits);
  ASSERT_TRUE(small);
  const Model& blocks = small->model;
  ASSERT_EQ(blocks.state_count(), 3U);
  const auto alike = blocks.find_state("a");
  ASSERT_TRUE(alike);
  EXPECT_EQ(blocks.state_name(*alike), "a");
  EXPECT_FALSE(blocks.find_state("b"));
  EXPECT_FALSE(blocks.find_state("nowhere"));
  const Choice go = blocks.choices(*blocks.find_state("s")).front();
  ASSERT_EQ(blocks.outcomes(go).size(), 1U);
  EXPECT_EQ(blocks.probability(blocks.outcomes(go).front()), 1);
  EXPECT_EQ(blocks.action_name(go), "go");
}

// Twins at the start are one state, where the draw is certain.
TEST(Quotient, AddsUpInitialStates) {
  const Model model = three_ways("1/3", 2).build();
  Setting asked;
  asked.initial =
      InitialNames({{"a", Rational(1, 4)}, {"b", Rational(1, 2)}, {"c", Rational(1, 4)}});
  const ResolvedSetting setting = resolve(model, asked);
  const Options options;
  Limits limits(options);
  const auto reduced = quotient_of(model, setting, 0, limits);
  ASSERT_TRUE(reduced);
  ASSERT_EQ(reduced->setting.initial.size(), 2U);
  EXPECT_EQ(reduced->setting.initial[0].probability, Rational(3, 4));
}

// What can be met only where no goal is, is an end, with whatever goes on there.
TEST(Quotient, EndsWhereTheQuestionIsDecided) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s").goal("goal");
  b.begin_choice("s", "try").add_outcome("goal", "1/2", -1).add_outcome("lost", "1/2", -1);
  b.begin_choice("lost", "wander").add_outcome("lost too", "1/2", -1).add_outcome("lost", "1/2", 0);
  b.begin_choice("lost too", "back").add_outcome("lost", 1, -3);
  const Model model = b.build();
  const Options options;
  Limits limits(options);
  const auto reduced = quotient_of(model, resolve(model, {}), 0, limits);
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->model.state_count(), 3U);
  const auto lost = reduced->state_of[index(*model.find_state("lost"))];
  EXPECT_EQ(lost, reduced->state_of[index(*model.find_state("lost too"))]);
  EXPECT_TRUE(reduced->model.is_terminal(State{lost}));
  // A policy says what to do there all the same.
  Policy small;
  small.setting = reduced->setting;
  small.rules = {{0, State{0}, {{std::nullopt, Choice{0}}}}};
  EXPECT_EQ(lifted(model, resolve(model, {}), *reduced, small, limits).rules.size(), 3U);
}

}  // namespace
}  // namespace quantiplan
