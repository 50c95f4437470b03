// However many threads explore a program: the same model, notices and complaints.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "io/prism/prism_text.hpp"

namespace quantiplan::prism {
namespace {

ReadOptions with_threads(std::uint32_t threads) {
  ReadOptions options;
  options.threads = threads;
  return options;
}

// All that a model tells, and the notices.
std::string all_of(const ReadModel& read) {
  std::string text = format_model(read.model, Format::prism);
  for (const std::string& name : {states(read.model)}) text += name;
  for (const std::string& notice : read.notices) text += "\n" + notice;
  return text;
}

void expect_same(const std::string& program) {
  const std::string alone = all_of(read(program, with_threads(1)));
  for (const std::uint32_t threads : {2U, 3U, 8U})
    EXPECT_EQ(all_of(read(program, with_threads(threads))), alone) << threads;
}

// Two coordinates, and a first step to any of 900 points, so that hundreds of states are open at once.
std::string fan() {
  std::string text = "[fan] x=0 & y=0 -> 1/900 : true";
  for (int i = 1; i < 900; ++i)
    text += fmt::format(" + 1/900 : (x'={}) & (y'={})", 2 * (i % 30), 2 * (i / 30));
  return text + ";\n";
}
constexpr const char* kGrid =
    "x : [0..60]; y : [0..60];\n"
    "[right] x<60 -> 1/3 : (x'=x+1) + 2/3 : (x'=x+1) & (y'=min(60, y+1));\n"
    "[up] y<60 -> 1/(x+2) : (y'=y+1) + 1-1/(x+2) : true;\n";

std::string grid(const std::string& more, const std::string& kind = "mdp") {
  return kind + "\nmodule m\n" + kGrid + fan() + more + "\nendmodule\n" +
         "rewards x>y : x; [up] y>3 : 1/2; endrewards\n"
         "label \"diagonal\" = x=y;\n";
}

TEST(PrismTogether, MakesTheSameModel) {
  expect_same(grid(""));
  expect_same(grid("[up] x>y -> (x'=0);\n[] x=y & x>30 -> (y'=0) & (x'=0);"));
}

TEST(PrismTogether, MakesTheSameModelOfModulesThatActTogether) {
  std::string program = "mdp\n";
  for (int i = 0; i < 5; ++i)
    program += fmt::format(
        "module m{0}\nx{0} : [0..5];\n"
        "[go] x{0}<5 -> 1/2 : (x{0}'=x{0}+1) + 1/2 : true;\n[] x{0}>0 -> (x{0}'=x{0}-1);\n"
        "[go] x{0}=5 -> true;\nendmodule\n",
        i);
  expect_same(program + "rewards [go] x0+x1>x2 : x0*x1; endrewards\n");
}

TEST(PrismTogether, TellsTheSameOfDeadlocksAndOfSums) {
  expect_same(grid("[back] x=60 & y=60 -> 0.3333333 : (x'=0) + 0.6666666 : true;"));
  expect_same(
      "mdp\nmodule m\nx : [0..60]; y : [0..60];\n"
      "[a] x<60 & mod(x*y, 7)<5 -> 0.3333333 : (x'=x+1) + 0.6666666 : (y'=min(60,y+1));\n"
      "[b] y<60 & mod(x+y, 5)<4 -> (y'=y+1);\nendmodule\n");
  expect_same(grid("", "dtmc"));
}

// One state has more outcomes than are kept for it, among others that have few.
TEST(PrismTogether, TakesStatesWithManyOutcomes) {
  std::string many = "[many] x=31 & y=17 -> 1/10000 : (x'=0)";
  for (int i = 1; i < 10000; ++i)
    many += fmt::format(" + 1/10000 : (x'={}) & (y'={})", i % 61, i / 61 % 61);
  expect_same(grid(many + ";"));
}

TEST(PrismTogether, ComplainsOfTheFirstStateThatMakesNoSense) {
  for (const char* wrong : {"[late] x+y=50 -> (x'=99);",
                            "[late] x+y=50 & x/(y-20)>0 -> true;",
                            "[late] x*y>600 -> 1/2 : true + 1/3 : (x'=0);"}) {
    const std::string alone = problem(grid(wrong), with_threads(1));
    EXPECT_NE(alone, "");
    for (const std::uint32_t threads : {2U, 8U})
      EXPECT_EQ(problem(grid(wrong), with_threads(threads)), alone);
  }
}

}  // namespace
}  // namespace quantiplan::prism
