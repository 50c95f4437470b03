// Levels of answers: totals, and classes with their texts and ranks.
#include "quantiplan/level.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "quantiplan/structure.hpp"
#include "structure_models.hpp"

namespace quantiplan {
namespace {

TEST(Level, OfATotalIsComparedAsOne) {
  const Level seven(7);
  EXPECT_FALSE(seven.is_class());
  EXPECT_EQ(seven, Total(7));
  EXPECT_EQ(seven, 7);
  EXPECT_LT(seven, Rational(15, 2));
  EXPECT_LT(Level(Total::miss()), Level(Total::minus_infinity()));
  EXPECT_EQ(seven.negated(), -7);
  EXPECT_EQ(to_text(seven), "7");
  EXPECT_EQ(seven.number(), Total(7));
  EXPECT_THROW((void)seven.rank(), std::logic_error);
  EXPECT_THROW((void)seven.class_text(), std::logic_error);
}

// The automaton has two classes, of which one list holds both and the other only the better one.
TEST(Level, OfAClassHasItsTextAndRank) {
  const Model model =
      testing::model_with(testing::no_b_after_a(), std::vector<std::string>{"A", "B"});
  const auto structure = structure_of(model);
  const WealthId fine = structure->initial();
  WealthId violated = fine;
  for (const std::size_t action : {0U, 1U})
    violated = structure->update(
        violated, model.outcomes(model.choices(*model.find_state("s"))[action]).front().reward);
  const auto both =
      std::make_shared<const WealthClasses>(structure, std::vector<WealthId>{violated, fine});
  const auto better = std::make_shared<const WealthClasses>(structure, std::vector<WealthId>{fine});
  const Level worst(both, 1);
  const Level best(both, 2);
  EXPECT_TRUE(best.is_class());
  EXPECT_EQ(to_text(worst), "violated");
  EXPECT_EQ(best.class_text(), "fine");
  EXPECT_EQ(best.rank(), 2U);
  EXPECT_EQ(best.class_count(), 2U);
  EXPECT_EQ(best.number(), std::nullopt);
  EXPECT_LT(worst, best);
  // Of another list: the same class, at another position of it.
  EXPECT_EQ(Level(better, 1).position(), 1U);
  EXPECT_EQ(Level(better, 1).rank(), 2U);
  EXPECT_EQ(Level(better, 1), best);
  EXPECT_NE(Level(better, 1), worst);
  EXPECT_THROW((void)(Level(better, 1) < best), std::logic_error);
  EXPECT_NE(best, Level(2));
  EXPECT_THROW((void)(best < Level(2)), std::logic_error);
  EXPECT_THROW((void)best.total(), std::logic_error);
}

}  // namespace
}  // namespace quantiplan
