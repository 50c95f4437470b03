// A structure of one's own: what the concept asks for, and what StructureOf makes of it.
#include <gtest/gtest.h>

#include "quantiplan/attitude.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "quantiplan/tradeoff.hpp"
#include "wealth/structure_models.hpp"

namespace quantiplan::testing {
namespace {

// The longest run of heads.
struct Longest {
  struct Wealth {
    int now = 0, best = 0;
    auto operator<=>(const Wealth&) const = default;
  };
  [[nodiscard]] Wealth initial() const { return {}; }
  [[nodiscard]] Wealth update(const Wealth& w, const Reward& r) const {
    const int now = r.number > 0 ? w.now + 1 : 0;
    return {now, std::max(w.best, now)};
  }
  [[nodiscard]] std::weak_ordering order(const Wealth& a, const Wealth& b) const {
    return a.best <=> b.best;
  }
  [[nodiscard]] std::string text(const Wealth& w) const {
    return std::to_string(w.best) + " in a row, " + std::to_string(w.now) + " now";
  }
  [[nodiscard]] std::string class_text(const Wealth& w) const {
    return std::to_string(w.best) + " in a row";
  }
};
static_assert(WealthStructure<Longest>);

struct NoOrder {
  using Wealth = int;
  [[nodiscard]] Wealth initial() const { return 0; }
  [[nodiscard]] Wealth update(Wealth w, const Reward& /*r*/) const { return w; }
  [[nodiscard]] std::string text(Wealth w) const { return std::to_string(w); }
};
static_assert(!WealthStructure<NoOrder>);

// Tosses with chance 1/2, three of them.
Model tosses() {
  ModelBuilder b;
  b.horizon(3).initial("s");
  b.begin_choice("s", "toss").add_outcome("s", "1/2", 1).add_outcome("s", "1/2", 0);
  return b.build();
}

TEST(OwnStructure, WealthsAreHandedOutOnce) {
  const Model model = tosses();
  const auto structure = make_structure(model, Longest{});
  const std::span<const Outcome> faces = model.outcomes(Choice{0});
  const WealthId nothing = structure->initial();
  EXPECT_EQ(structure->initial(), nothing);
  EXPECT_EQ(structure->update(nothing, faces[1].reward), nothing);
  const WealthId one = structure->update(nothing, faces[0].reward);
  EXPECT_NE(one, nothing);
  EXPECT_EQ(structure->update(nothing, faces[0].reward), one);
  EXPECT_EQ(structure->size(), 2U);
  EXPECT_GT(structure->bytes(), 0U);
  EXPECT_TRUE(structure->order(nothing, one) < 0);
  EXPECT_EQ(structure->class_text(one), "1 in a row");
  EXPECT_FALSE(structure->has_residuals());
  EXPECT_EQ(structure->declared_classes(), 0U);
  EXPECT_FALSE(structure->number(one));
}

TEST(OwnStructure, RewardsSpeakTheTermsOfTheModel) {
  struct Recorder {
    using Wealth = std::string;
    [[nodiscard]] Wealth initial() const { return {}; }
    [[nodiscard]] Wealth update(const Wealth& w, const Reward& r) const {
      std::string text = w + "/" + std::string(r.label);
      for (const Rational& x : r.vector) text += to_text(x) + ",";
      return r.label.empty() && r.vector.empty() ? text + to_text(r.number) : text;
    }
    [[nodiscard]] std::weak_ordering order(const Wealth& a, const Wealth& b) const {
      return a.size() <=> b.size();
    }
    [[nodiscard]] std::string text(const Wealth& w) const { return w; }
  };
  const Model labels = model_with(no_b_after_a(), std::vector<std::string>{"A", "B"});
  EXPECT_EQ(Told(labels, make_structure(labels, Recorder{})).text({0, 1, 2}), "/A/B/-1");
  Wealth two = of_kind(WealthKind::lexicographic);
  two.components = {{}, {}};
  ModelBuilder builder;
  builder.horizon(1).initial("s").wealth(two).begin_choice("s", "a");
  builder.add_outcome("s", 1, builder.reward(std::vector<Rational>{2, 7}).value());
  const Model vectors = builder.build();
  EXPECT_EQ(Told(vectors, make_structure(vectors, Recorder{})).text({0}), "/2,7,");
  const Model numbers = tosses();
  EXPECT_EQ(Told(numbers, make_structure(numbers, Recorder{})).text({0}), "/1");
}

TEST(OwnStructure, ClassesAreCountedFromTheWorst) {
  const Model model = model_with(no_b_after_a(), std::vector<std::string>{"A", "B"});
  Told told(model, structure_of(model));
  const auto structure = structure_of(model);
  const WealthId ok = structure->initial();
  const WealthClasses met(structure, {ok});
  EXPECT_EQ(met.size(), 1U);
  EXPECT_EQ(met.text(1), "fine");
  EXPECT_EQ(met.rank(1), 2U);  // among the declared
  EXPECT_EQ(met.count(), 2U);
}

// At least 2 in a row of 3 tosses: 3 of 8 histories.
TEST(OwnStructure, IsSolvedAsABuiltInOne) {
  const Model model = tosses();
  Query query{{Rational(5, 8), Rational(1, 2)}, Sides::both, {}};
  query.setting.structure = make_structure(model, Longest{});
  Options options;
  options.arithmetic = Arithmetic::exact;
  const Answer answer = solve(model, query, options);
  ASSERT_EQ(answer.results.size(), 4U);
  const std::string expected[] = {"1 in a row", "2 in a row", "1 in a row", "1 in a row"};
  const Rational chances[] = {Rational(7, 8), Rational(3, 8), Rational(7, 8), Rational(7, 8)};
  for (std::size_t i = 0; i < 4; ++i) {
    const Result& result = answer.results[i];
    EXPECT_EQ(result.quantile->class_text(), expected[i]) << i;
    EXPECT_EQ(result.probability->exact, chances[i]) << i;
    EXPECT_FALSE(result.mean) << i;
  }
}

// A policy says by itself by what order it is meant.
TEST(OwnStructure, GoesWithThePolicy) {
  const Model model = tosses();
  Query query{{Rational(1, 2)}, Sides::lower, {}};
  query.setting.structure = make_structure(model, Longest{});
  const Policy policy = solve(model, query).results.at(0).policy();
  EXPECT_EQ(policy.setting.structure, query.setting.structure);
  const Distribution law = evaluate(model, policy);
  ASSERT_EQ(law.atoms.size(), 4U);
  EXPECT_EQ(law.classes->text(4), "3 in a row");
  EXPECT_EQ(law.atoms[3].probability.exact, Rational(1, 8));
  EXPECT_TRUE(check(model, policy, policy.claim.value()).passed);
  const std::string level = simulate(model, policy, {1, 7}).at(0).wealth.class_text();
  EXPECT_NE(level.find(" in a row"), std::string::npos) << level;
  EXPECT_EQ(simulate_tally(model, policy, {100, 7}).episodes, 100U);
}

TEST(OwnStructure, HasNoTargetsAndNoExpectationOfItsOwn) {
  const Model model = tosses();
  Setting setting;
  setting.structure = make_structure(model, Longest{});
  EXPECT_THROW((void)threshold(model, {{Total(1)}, setting}), Error);
  EXPECT_THROW((void)expectation_policy(model, setting), Error);
}

// What is about sums refuses it, and does not answer for sums.
TEST(OwnStructure, IsRefusedWhereSumsAreMeant) {
  const Model model = tosses();
  Setting setting;
  setting.structure = make_structure(model, Longest{});
  const auto refused = [](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.code() == ErrorCode::refused;
    }
    return false;
  };
  TradeoffQuery price;
  price.tau = Rational(1, 2);
  price.setting = setting;
  EXPECT_TRUE(refused([&] { (void)tradeoff(model, price); }));
  Query query{{Rational(1, 2)}, Sides::lower, setting};
  EXPECT_TRUE(refused([&] { (void)attitudes(model, Attitude::all(), query); }));
  query.mixed = true;
  EXPECT_TRUE(refused([&] { (void)solve(model, query); }));
}

}  // namespace
}  // namespace quantiplan::testing
