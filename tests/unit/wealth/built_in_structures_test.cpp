// Each structure that a model can declare: its updates, order and texts, by hand.
#include <gtest/gtest.h>

#include "wealth/structure_models.hpp"

namespace quantiplan::testing {
namespace {

using Strings = std::vector<std::string>;
using Rationals = std::vector<Rational>;

TEST(BuiltInStructures, MaxKeepsTheBest) {
  const Model model = model_with(of_kind(WealthKind::max), Rationals{-5, 2, Rational(1, 3)});
  Told told(model);
  EXPECT_EQ(told.text({}), "-inf");
  EXPECT_EQ(told.text({0}), "-5");
  EXPECT_EQ(told.text({0, 2, 0}), "1/3");
  EXPECT_TRUE(told.order({}, {0}) < 0);
  EXPECT_TRUE(told.order({0, 1}, {1, 2}) == 0);
  EXPECT_TRUE(told.structure().has_residuals());
  EXPECT_EQ(told.structure().number(told({1, 0})), Total(2));
  EXPECT_EQ(told.structure().declared_classes(), 0U);
}

TEST(BuiltInStructures, MinKeepsTheWorst) {
  const Model model = model_with(of_kind(WealthKind::min), Rationals{-5, 2});
  Told told(model);
  EXPECT_EQ(told.text({}), "inf");
  EXPECT_EQ(told.text({1, 0, 1}), "-5");
  EXPECT_TRUE(told.order({}, {1}) > 0);
  EXPECT_TRUE(told.order({0}, {1}) < 0);
}

TEST(BuiltInStructures, ProductMultiplies) {
  const Model model = model_with(of_kind(WealthKind::product), Rationals{Rational(1, 2), 3});
  Told told(model);
  EXPECT_EQ(told.text({}), "1");
  EXPECT_EQ(told.text({0, 1, 0}), "0.75");
  EXPECT_TRUE(told.order({0, 1}, {}) > 0);
  EXPECT_EQ(told({0, 1}), told({1, 0}));
}

TEST(BuiltInStructures, LexicographicComparesTheFirstThatDiffers) {
  Wealth wealth = of_kind(WealthKind::lexicographic);
  wealth.components = {{"late", true}, {"", false}};
  ModelBuilder builder;
  builder.horizon(3).initial("s").wealth(wealth);
  for (const Rationals& vector : {Rationals{0, 30}, Rationals{1, 90}, Rationals{0, 5}}) {
    builder.begin_choice("s", "a" + to_text(vector[1]));
    builder.add_outcome("s", 1, builder.reward(vector).value());
  }
  EXPECT_FALSE(builder.reward(Rationals{1}));
  const Model model = builder.build();
  Told told(model);
  EXPECT_EQ(told.text({}), "(0 late, 0)");
  EXPECT_EQ(told.text({0, 2}), "(0 late, 35)");
  EXPECT_TRUE(told.order({1}, {2}) < 0);  // one late is worse, whatever it pays
  EXPECT_TRUE(told.order({2}, {0}) < 0);
  EXPECT_TRUE(told.order({0, 1}, {1, 0}) == 0);
}

TEST(BuiltInStructures, CountsWorstFirst) {
  const Model model = model_with(labelled(WealthKind::counts, {"bronze", "silver", "gold"}),
                                 Strings{"bronze", "silver", "gold"});
  Told told(model);
  EXPECT_EQ(told.text({}), "nothing");
  EXPECT_EQ(told.text({0, 2, 2}), "2 gold, 1 bronze");
  EXPECT_EQ(told.text({3, 1, 3}), "1 silver");  // an outcome without a label changes nothing
  EXPECT_TRUE(told.order({0, 2, 2}, {1, 1, 1}) < 0);
  EXPECT_TRUE(told.order({1}, {}) < 0);
  EXPECT_TRUE(told.order({}, {2}) < 0);
}

TEST(BuiltInStructures, CountsBestFirst) {
  Wealth wealth = labelled(WealthKind::counts, {"bronze", "silver", "gold"});
  wealth.best_first = true;
  const Model model = model_with(wealth, Strings{"bronze", "silver", "gold"});
  Told told(model);
  EXPECT_TRUE(told.order({0, 2}, {1, 1, 1}) > 0);
  EXPECT_TRUE(told.order({}, {1}) < 0);
  EXPECT_TRUE(told.order({0}, {}) < 0);
}

TEST(BuiltInStructures, WeightedCountsAddUp) {
  Wealth wealth = labelled(WealthKind::weighted_counts, {"bronze", "gold"});
  wealth.weights = {-1, Rational(7, 2)};
  const Model model = model_with(wealth, Strings{"bronze", "gold"});
  Told told(model);
  EXPECT_EQ(told.text({0, 1, 2}), "2.5");
  EXPECT_TRUE(told.order({0}, {}) < 0);
  EXPECT_EQ(told.structure().number(told({1, 1})), Total(7));
}

TEST(BuiltInStructures, AutomatonRanksClassesOfNodes) {
  const Model model = model_with(no_b_after_a(), Strings{"A", "B"});
  Told told(model);
  EXPECT_EQ(told.text({}), "ok");
  EXPECT_EQ(told.text({1, 0}), "seen A");
  EXPECT_EQ(told.text({0, 2, 1}), "bad");
  EXPECT_TRUE(told.order({}, {0}) == 0);
  EXPECT_TRUE(told.order({0, 1}, {1}) < 0);
  EXPECT_EQ(told.structure().class_text(told({0, 1})), "violated");
  EXPECT_EQ(told.structure().class_text(told({0})), "fine");
  EXPECT_EQ(told.structure().declared_classes(), 2U);
  EXPECT_EQ(told.structure().declared_rank(told({0, 1})), 1U);
  EXPECT_EQ(told.structure().declared_rank(told({})), 2U);
  EXPECT_FALSE(told.structure().has_residuals());
  EXPECT_FALSE(told.structure().number(told({})));
}

TEST(BuiltInStructures, SumIsOneToo) {
  const Model model = model_with(Wealth{}, Rationals{-2, Rational(1, 2)});
  Told told(model);
  EXPECT_EQ(told.text({0, 1}), "-1.5");
  EXPECT_TRUE(told.order({0}, {}) < 0);
}

}  // namespace
}  // namespace quantiplan::testing
