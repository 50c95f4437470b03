#include "base/nearest_name.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

std::string suggestion(std::string_view wanted, std::initializer_list<std::string_view> known) {
  NearestName nearest(wanted);
  for (const std::string_view name : known) nearest.offer(name);
  return nearest.suggestion();
}

TEST(NearestName, FindsTypingMistakes) {
  EXPECT_EQ(suggestion("rewrd", {"state", "reward", "next"}), "; did you mean 'reward'?");
  EXPECT_EQ(suggestion("staet", {"state", "action"}), "; did you mean 'state'?");
  EXPECT_EQ(suggestion("sates", {"state", "states"}), "; did you mean 'states'?");
}

TEST(NearestName, TakesTheFirstOfEquals) {
  EXPECT_EQ(suggestion("s3", {"s1", "s2"}), "; did you mean 's1'?");
}

TEST(NearestName, SuggestsNothingFarFetched) {
  EXPECT_EQ(suggestion("colour", {"state", "action"}), "");
  EXPECT_EQ(suggestion("x", {"y"}), "");
  EXPECT_EQ(suggestion("", {"a"}), "");
  EXPECT_EQ(suggestion(std::string(100, 'a'), {std::string(99, 'a')}), "");
}

}  // namespace
}  // namespace quantiplan
