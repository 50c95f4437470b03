#include "base/node_table.hpp"

#include <gtest/gtest.h>

namespace quantiplan {
namespace {

TEST(NodeTable, NumbersNodesInTheOrderTheyAreMet) {
  NodeTable table;
  EXPECT_EQ(table.find({1, 2}), NodeTable::kAbsent);
  EXPECT_EQ(table.insert({1, 2}), 0U);
  EXPECT_EQ(table.insert({2, 1}), 1U);
  EXPECT_EQ(table.insert({1, 2}), 0U);
  EXPECT_EQ(table.size(), 2U);
}

TEST(NodeTable, FindsAllOfManyNodes) {
  NodeTable table;
  for (std::uint32_t slot = 0; slot < 50; ++slot) {
    for (std::int64_t level = -500; level < 500; ++level) table.insert({slot, level * 1'000'003});
  }
  EXPECT_EQ(table.size(), 50'000U);
  std::uint32_t expected = 0;
  for (std::uint32_t slot = 0; slot < 50; ++slot) {
    for (std::int64_t level = -500; level < 500; ++level) {
      ASSERT_EQ(table.find({slot, level * 1'000'003}), expected++);
    }
  }
  EXPECT_EQ(table.find({50, 0}), NodeTable::kAbsent);
}

TEST(NodeTable, SpreadsLevelsThatDifferInHighBitsOnly) {
  // Quadratic if they all fell into one bucket: minutes instead of milliseconds.
  NodeTable table;
  for (std::int64_t level = 0; level < 200'000; ++level) table.insert({0, level << 40});
  EXPECT_EQ(table.size(), 200'000U);
}

}  // namespace
}  // namespace quantiplan
