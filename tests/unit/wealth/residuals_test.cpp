// What has_residuals promises: rewards come in any order, and none turns the order of two wealths.
#include <gtest/gtest.h>

#include "wealth/structure_models.hpp"

namespace quantiplan::testing {
namespace {

// All wealths of up to three rewards.
std::vector<std::vector<std::size_t>> histories(std::size_t actions) {
  std::vector<std::vector<std::size_t>> all{{}};
  for (std::size_t i = 0; i < all.size() && all[i].size() < 3; ++i) {
    for (std::size_t a = 0; a < actions; ++a) {
      std::vector<std::size_t> longer = all[i];
      longer.push_back(a);
      all.push_back(longer);
    }
  }
  return all;
}

void expect_residuals(const Model& model) {
  Told told(model);
  ASSERT_TRUE(told.structure().has_residuals());
  Structure& structure = told.structure();
  const std::size_t actions = model.choice_count(State{0});
  for (const auto& history : histories(actions)) {
    const WealthId w = told(history);
    for (std::size_t a = 0; a < actions; ++a)
      for (std::size_t b = 0; b < actions; ++b)
        EXPECT_EQ(structure.update(structure.update(w, told.reward(a)), told.reward(b)),
                  structure.update(structure.update(w, told.reward(b)), told.reward(a)));
    for (const auto& other : histories(actions)) {
      const WealthId v = told(other);
      if (structure.order(w, v) > 0) continue;
      for (std::size_t a = 0; a < actions; ++a) {
        const WealthId further_w = structure.update(w, told.reward(a));
        const WealthId further_v = structure.update(v, told.reward(a));
        EXPECT_TRUE(structure.order(further_w, further_v) <= 0)
            << structure.text(w) << " and " << structure.text(v);
      }
    }
  }
}

TEST(Residuals, OfNumbers) {
  for (const WealthKind kind :
       {WealthKind::sum, WealthKind::max, WealthKind::min, WealthKind::product})
    expect_residuals(
        model_with(of_kind(kind), std::vector<Rational>{Rational(1, 2), 3, Rational(2, 3)}));
}

TEST(Residuals, OfCountsInBothOrders) {
  for (const bool best_first : {false, true}) {
    Wealth wealth = labelled(WealthKind::counts, {"bronze", "silver", "gold"});
    wealth.best_first = best_first;
    expect_residuals(model_with(wealth, wealth.labels));
  }
}

TEST(Residuals, OfWeightedCounts) {
  Wealth wealth = labelled(WealthKind::weighted_counts, {"bronze", "silver"});
  wealth.weights = {-1, Rational(7, 2)};
  expect_residuals(model_with(wealth, wealth.labels));
}

TEST(Residuals, NoneOfAnAutomaton) {
  const Model model = model_with(no_b_after_a(), std::vector<std::string>{"A", "B"});
  EXPECT_FALSE(structure_of(model)->has_residuals());
  Told told(model);
  EXPECT_NE(told({0, 1}), told({1, 0}));
}

}  // namespace
}  // namespace quantiplan::testing
