// What the index of guards finds is all that can hold; what it leaves out does not.
#include "io/prism/guard_index.hpp"

#include <gtest/gtest.h>

#include "io/prism/language/prism_parser.hpp"
#include "io/prism/language/scope.hpp"

namespace quantiplan::prism {
namespace {

class GuardsOfTwo : public ::testing::Test {
 protected:
  GuardsOfTwo() {
    scope_.add_variable("x", {1, 1}, Type::whole);
    scope_.add_variable("b", {1, 2}, Type::truth);
  }
  std::string found(std::int64_t x, bool b) {
    const GuardIndex index(code_, guards_);
    const std::vector<std::int64_t> values{x, b ? 1 : 0};
    std::vector<std::uint32_t> at;
    index.find(values.data(), at);
    std::string text;
    for (const std::uint32_t g : at) text += std::to_string(g) + " ";
    return text;
  }
  void add(const char* guard) {
    guards_.push_back(*scope_.compile_as(Type::truth, parse_expression(guard, "guard"), "guard"));
  }

  Code code_;
  Complaints complaints_{"guard", Complaints::Of::expression};
  Scope scope_{code_, complaints_};
  std::vector<Root> guards_;
};

TEST_F(GuardsOfTwo, AreFoundByTheValuesTheyAskFor) {
  for (const char* guard : {"x=0", "x=1 & b", "x>0", "b", "2=x", "x=1", "!b", "true", "x<1 & x=0"})
    add(guard);
  EXPECT_EQ(found(0, false), "0 2 6 7 8 ");
  EXPECT_EQ(found(1, true), "1 2 3 5 7 ");
  EXPECT_EQ(found(2, false), "2 4 6 7 ");
  EXPECT_EQ(found(9, true), "2 3 7 ");
}

TEST_F(GuardsOfTwo, AreAskedWhereSomethingBeforeCanFail) {
  add("1/x>0 & x=1");
  add("x=1 & 1/x>0");
  EXPECT_EQ(found(0, false), "0 ");
  EXPECT_EQ(found(1, false), "0 1 ");
}

TEST_F(GuardsOfTwo, MayAskForWhatNoWholeNumberIs) {
  add("x=0.5");
  add("x=1.0");
  EXPECT_EQ(found(1, false), "0 1 ");
}

TEST_F(GuardsOfTwo, AreFoundByAllValuesTheyAskFor) {
  for (const char* guard : {"x=0 & b", "x=0 & !b", "b & x=1", "x=1 & x=2", "x=0"}) add(guard);
  EXPECT_EQ(found(0, true), "0 4 ");
  EXPECT_EQ(found(0, false), "1 4 ");
  EXPECT_EQ(found(1, true), "2 3 ");
  EXPECT_EQ(found(2, false), "");
}

TEST_F(GuardsOfTwo, MayBeNone) { EXPECT_EQ(found(0, true), ""); }

}  // namespace
}  // namespace quantiplan::prism
