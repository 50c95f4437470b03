// Whatever is made from a model keeps what it needs of it: policies, distributions, classes and
// structures are asked after the model is gone.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

using MakeModel = Model (*)();

// What `use` makes of a model that does not live longer. Its place is overwritten and kept, so that
// whoever still looked there would find rubbish.
template <class Use>
auto of_passing_model(MakeModel make, const Use& use) {
  struct Place {
    alignas(Model) std::byte bytes[sizeof(Model)];
  };
  static std::vector<std::unique_ptr<Place>> places;
  places.push_back(std::make_unique<Place>());
  std::byte* const at = places.back()->bytes;
  Model* const model = new (at) Model(make());
  auto out = use(*model);
  model->~Model();
  std::memset(at, 0xAB, sizeof(Model));
  return out;
}

std::string text_of(const Distribution& law) {
  std::string text;
  for (const Atom& atom : law.atoms)
    text += to_text(atom.wealth) + ": " + std::to_string(atom.probability.nearest) + "\n";
  return text;
}

struct Case {
  const char* name;
  MakeModel make;
  Setting setting = {};
  Engine engine = Engine::automatic;
};

Query query_of(const Case& c) { return {{Rational(1, 2)}, Sides::lower, c.setting}; }
Options options_of(const Case& c) {
  Options options;
  options.engine = c.engine;
  return options;
}

// Each step: the goal with probability 1/2, at a cost of 1 either way; or 9/10, at 3.
Model knocks() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s").goal("goal");
  b.begin_choice("s", "knock").add_outcome("goal", "1/2", -1).add_outcome("s", "1/2", -1);
  b.begin_choice("s", "ring").add_outcome("goal", "9/10", -3).add_outcome("s", "1/10", -3);
  return b.build();
}

// 1 with probability 1/2 at every step, for ever.
Model odd_jobs() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).discount("1/2").initial("s");
  b.begin_choice("s", "work").add_outcome("s", "1/2", 1).add_outcome("s", "1/2", 0);
  return b.build();
}

Model greatest(std::uint64_t horizon) {
  ModelBuilder b;
  Wealth wealth;
  wealth.kind = WealthKind::max;
  b.horizon(horizon).initial("s").wealth(wealth);
  b.begin_choice("s", "low").add_outcome("s", 1, 1);
  b.begin_choice("s", "high").add_outcome("end", "1/2", 3).add_outcome("end", "1/2", 0);
  return b.build();
}
Model greatest_of_two() { return greatest(2); }
Model greatest_of_all() { return greatest(kInfiniteHorizon); }

// Up and down as the coin falls, in three classes.
Model streak() {
  ModelBuilder b;
  Wealth wealth;
  wealth.kind = WealthKind::automaton;
  wealth.labels = {"up", "down"};
  wealth.nodes = {"none", "one", "two"};
  wealth.next = {1, 0, 2, 0, 2, 0};
  wealth.class_of = {0, 1, 2};
  wealth.classes = {"poor", "fair", "good"};
  b.horizon(3).initial("s").wealth(wealth);
  b.begin_choice("s", "toss").add_outcome("s", "1/2", 0).add_outcome("s", "1/2", 1);
  return b.build();
}

Model discounted_for_ten_steps() { return testing::paper_example_2(10); }

std::vector<Case> cases() {
  Setting cost;
  cost.cost = true;
  Setting adversarial;
  adversarial.adversarial = true;
  Setting office;
  office.goal = std::vector<std::string>{"office"};
  Setting discounted_goal;
  discounted_goal.discount = Rational(9, 10);
  return {{"plain", testing::commute},
          {"paper", testing::commute, {}, Engine::paper},
          {"forward", testing::commute, {}, Engine::forward},
          {"grid", discounted_for_ten_steps, {}, Engine::lattice},
          {"cost", testing::commute, cost},
          {"adversarial", testing::commute, adversarial},
          {"goal", testing::commute, office},
          {"infinite", knocks},
          {"unfolded", knocks, discounted_goal},
          {"cut off", odd_jobs},
          {"classes", greatest_of_two},
          {"infinite classes", greatest_of_all},
          {"automaton", streak}};
}

TEST(Lifetime, PoliciesAndDistributionsOutliveTheModel) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto ask = [&](const Model& model) { return solve(model, query_of(c), options_of(c)); };
    const Answer kept = of_passing_model(c.make, ask);
    const Model model = c.make();
    const Answer expected = ask(model);
    ASSERT_EQ(kept.results.size(), 1U);
    ASSERT_TRUE(kept.results[0].policy);
    EXPECT_EQ(format_policy(kept.results[0].policy(), model),
              format_policy(expected.results[0].policy(), model));
    EXPECT_EQ(text_of(kept.results[0].distribution()), text_of(expected.results[0].distribution()));
    if (!expected.classes) continue;
    ASSERT_EQ(kept.classes->size(), expected.classes->size());
    for (std::size_t i = 1; i <= kept.classes->size(); ++i)
      EXPECT_EQ(kept.classes->text(i), expected.classes->text(i));
  }
}

TEST(Lifetime, PoliciesForTargetsOutliveTheModel) {
  for (const Case& c : cases()) {
    if (!c.make().wealth().is_sum() || c.engine == Engine::forward) continue;
    SCOPED_TRACE(c.name);
    const auto ask = [&](const Model& model) {
      return threshold(model, {{Total(-2)}, c.setting}, options_of(c));
    };
    const ThresholdAnswer kept = of_passing_model(c.make, ask);
    const Model model = c.make();
    ASSERT_TRUE(kept.results[0].policy);
    EXPECT_EQ(format_policy(kept.results[0].policy(), model),
              format_policy(ask(model).results[0].policy(), model));
  }
}

TEST(Lifetime, ClassesOfACurveOutliveTheModel) {
  for (const MakeModel make : {greatest_of_two, greatest_of_all, streak}) {
    const auto ask = [](const Model& model) { return frontier(model, {}); };
    const Frontier kept = of_passing_model(make, ask);
    const Frontier expected = ask(make());
    ASSERT_EQ(kept.steps.size(), expected.steps.size());
    for (const FrontierStep& step : kept.steps) {
      const std::size_t position = step.wealth.position();
      EXPECT_EQ(step.wealth.class_text(), expected.classes->text(position));
    }
  }
}

// How often a reward above 0 was met.
struct Hits {
  using Wealth = int;
  [[nodiscard]] Wealth initial() const { return 0; }
  [[nodiscard]] Wealth update(Wealth w, const Reward& r) const { return r.number > 0 ? w + 1 : w; }
  [[nodiscard]] std::weak_ordering order(Wealth a, Wealth b) const { return a <=> b; }
  [[nodiscard]] std::string text(Wealth w) const { return std::to_string(w) + " hits"; }
};

Model three_tosses() { return testing::coin(3); }

TEST(Lifetime, AStructureOfOnesOwnOutlivesTheModel) {
  const auto structure = of_passing_model(
      three_tosses, [](const Model& model) { return make_structure(model, Hits{}); });
  const Model model = three_tosses();
  const Outcome& head = model.outcomes(Choice{0})[0];
  const WealthId one = structure->update(structure->initial(), head.reward);
  EXPECT_EQ(structure->text(one), "1 hits");
}

TEST(Lifetime, AnswersByAStructureOfOnesOwnOutliveTheModel) {
  Query query{{Rational(1, 2)}, Sides::lower, {}};
  const auto by_hits = [&](const Model& model) {
    query.setting.structure = make_structure(model, Hits{});
    return query;
  };
  const Answer kept = of_passing_model(
      three_tosses, [&](const Model& model) { return solve(model, by_hits(model)); });
  EXPECT_EQ(kept.results[0].quantile->class_text(), "1 hits");
  EXPECT_FALSE(kept.results[0].policy().rules.empty());
  EXPECT_EQ(kept.results[0].distribution().atoms.size(), 4U);
  const Frontier curve = of_passing_model(
      three_tosses, [&](const Model& model) { return frontier(model, by_hits(model)); });
  EXPECT_EQ(curve.classes->text(curve.classes->size()), "3 hits");
}

}  // namespace
}  // namespace quantiplan
