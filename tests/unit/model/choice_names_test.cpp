#include "model/choice_names.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

TEST(ChoiceNames, RepeatedOnesAreNumbered) {
  ChoiceNames names;
  for (int state = 0; state < 2; ++state) {
    names.start_state();
    EXPECT_EQ(names.name("a"), "a");
    EXPECT_EQ(names.name("[]"), "[]");
    EXPECT_EQ(names.name("a"), "a#2");
    EXPECT_EQ(names.name("a#2"), "a#2#2");
    EXPECT_EQ(names.name("a"), "a#3");
    EXPECT_EQ(names.name("[]"), "[]#2");
    EXPECT_EQ(names.name("b"), "b");
  }
}

TEST(ChoiceNames, ManyOfOneState) {
  ChoiceNames names;
  for (int state = 0; state < 2; ++state) {
    names.start_state();
    EXPECT_EQ(names.name("a#50"), "a#50");
    EXPECT_EQ(names.name("a"), "a");
    for (int k = 2; k < 100000; ++k) {
      if (k != 50) {
        ASSERT_EQ(names.name("a"), "a#" + std::to_string(k));
      }
    }
  }
}

TEST(ChoiceNames, LabelsAreTheInverse) {
  ModelBuilder builder;
  for (const char* name :
       {"a", "a#2", "a#4", "b#2", "[]", "[]#2", "[] M", "[] M#2", "x#y", "#2", "a#3", "a#02"})
    builder.begin_choice("s", name).add_outcome("s", 1, 0);
  const Model model = builder.build();
  const std::vector<std::string> labels = labels_of(model, State{0});
  EXPECT_EQ(
      labels,
      (std::vector<std::string>{"a", "a", "a#4", "b#2", "", "", "", "", "x#y", "#2", "a", "a#02"}));
}

}  // namespace
}  // namespace quantiplan
