// What the graph decides of the whole model: exactly, whatever the arithmetic.
#include "infinite/levels/decided.hpp"

#include <gtest/gtest.h>

#include <string>

#include "infinite/levels/weights.hpp"
#include "infinite/levels/whole.hpp"

namespace quantiplan {
namespace {

// Costs to reach home: a walk of fair steps that a coin ends, a state that can miss, and one that must.
Model walk(int length) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("0").goal("home").rewards_are_costs();
  for (int i = 0; i < length; ++i) {
    const std::string here = std::to_string(i);
    b.begin_choice(here, "walk")
        .add_outcome(std::to_string(std::max(0, i - 1)), "1/2", 1)
        .add_outcome(i + 1 == length ? "home" : std::to_string(i + 1), "1/2", 1);
    b.begin_choice(here, "gamble").add_outcome("home", "1/2", 0).add_outcome("coin", "1/2", 1);
  }
  b.begin_choice("coin", "flip")
      .add_outcome("home", "1/3", 1)
      .add_outcome("coin", "1/3", 1)
      .add_outcome("lost", "1/3", 1);
  b.begin_choice("lost", "wander").add_outcome("astray", 1, 1);
  b.begin_choice("astray", "wander").add_outcome("lost", 1, 1);
  return b.build();
}

struct Whole {
  explicit Whole(const Model& model_in)
      : model(model_in),
        setting(resolve(model, {})),
        limits(options),
        moves(*Moves::lay_out(model, setting, limits)),
        weights(*exact_weights(moves)),
        problem{moves, weights, Event{false, Miss::worst}},
        base(*base_of<Real>(problem, limits)),
        limit(*limit_of<Real>(problem, base, limits)) {}
  [[nodiscard]] std::uint32_t slot(const char* state) const {
    return moves.slot_of[index(*model.find_state(state))];
  }
  [[nodiscard]] std::string choice(const char* state) const {
    return std::string(model.action_name(moves.choice[limit.choice[slot(state)]]));
  }
  Model model;
  ResolvedSetting setting;
  Options options;
  Limits limits;
  Moves moves;
  Weights weights;
  EpochProblem problem;
  WholeValues<Real> base;
  WholeValues<Real> limit;
};

// Value iteration would take some length^2 sweeps to come close to 1.
TEST(Decided, CertainArrivalIsCertainInDoubles) {
  const Whole whole(walk(3000));
  EXPECT_EQ(whole.limit.value[whole.slot("0")], 1.0);
  EXPECT_EQ(whole.choice("0"), "walk");
  EXPECT_EQ(whole.choice("2999"), "walk");
  EXPECT_EQ(whole.limit.value[whole.slot("lost")], 0.0);
  EXPECT_EQ(whole.limit.value[whole.slot("astray")], 0.0);
  // What is left is one state, with an error of its own.
  EXPECT_NEAR(whole.limit.value[whole.slot("coin")], 0.5, whole.limit.error);
  EXPECT_LT(whole.limit.error, 1e-14);
}

TEST(Decided, NothingIsLeftWhereTheGraphSaysAll) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s").goal("home").rewards_are_costs();
  b.begin_choice("s", "try").add_outcome("s", "2/3", 1).add_outcome("home", "1/3", 1);
  b.begin_choice("s", "leave").add_outcome("end", 1, 1);
  const Whole whole(b.build());
  EXPECT_EQ(whole.limit.value[whole.slot("s")], 1.0);
  EXPECT_EQ(whole.limit.error, 0.0);
  EXPECT_EQ(whole.choice("s"), "try");
}

TEST(Decided, TellsOpenFromKnownGroups) {
  const Whole whole(walk(3));
  const std::vector<std::uint32_t> inner(whole.moves.graph.next.size(), 0);
  std::vector<std::optional<double>> fixed(whole.moves.slots());
  fixed[whole.slot("home")] = 1.0;
  const Equations<Real> equations({whole.moves, inner, fixed, false, nullptr});
  const DecidedGroups decided = decided_groups(equations);
  const auto how = [&](const char* state) {
    return decided.how[equations.group_of(whole.slot(state))];
  };
  EXPECT_EQ(how("home"), Decided::known);
  EXPECT_EQ(how("0"), Decided::one);
  EXPECT_EQ(how("2"), Decided::one);
  EXPECT_EQ(how("coin"), Decided::open);
  EXPECT_EQ(decided.open, 1U);
  EXPECT_EQ(decided.found, 3U);
}

}  // namespace
}  // namespace quantiplan
