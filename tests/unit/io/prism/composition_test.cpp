#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "io/prism/prism_text.hpp"

namespace quantiplan::prism {
namespace {

// Two modules with the action a together, b and c alone; each action adds to its variable.
const std::string kPair =
    "mdp module m x : [0..9]; [a] true -> (x'=1); [b] true -> (x'=2); endmodule\n"
    "module n y : [0..9]; [a] true -> (y'=1); [c] true -> (y'=2); endmodule\n";

std::string first(const std::string& text) {
  const Model model = read(text).model;
  return choices(model, std::string(model.state_name(State{0})));
}
std::string first_with_system(const std::string& term) {
  return first(kPair + "system " + term + " endsystem");
}
std::string composition_problem(const std::string& term) {
  return problem(kPair + "system " + term + " endsystem");
}

TEST(PrismComposition, ModulesActTogetherOnTheActionsTheyShare) {
  const std::string together = "a: 1 (x=1,y=1) | b: 1 (x=2,y=0) | c: 1 (x=0,y=2)";
  EXPECT_EQ(first(kPair), together);
  EXPECT_EQ(first_with_system("m || n"), together);
  EXPECT_EQ(first_with_system("n || m"), together);
  EXPECT_EQ(first_with_system("m |[a]| n"), together);
}

TEST(PrismComposition, OrEachAlone) {
  EXPECT_EQ(first_with_system("m ||| n"),
            "a: 1 (x=1,y=0) | a#2: 1 (x=0,y=1) | b: 1 (x=2,y=0) | c: 1 (x=0,y=2)");
}

TEST(PrismComposition, AnActionThatOneLacksBlocksTheOther) {
  EXPECT_EQ(first_with_system("m |[a,b]| n"), "a: 1 (x=1,y=1) | c: 1 (x=0,y=2)");
  EXPECT_EQ(first_with_system("m |[b,c]| n"), "a: 1 (x=1,y=0) | a#2: 1 (x=0,y=1)");
}

TEST(PrismComposition, AnActionIsBlockedWhereAModuleHasNoEnabledCommand) {
  EXPECT_EQ(first("mdp module m x : [0..1]; [a] true -> (x'=1); [] true -> true; endmodule\n"
                  "module n y : [0..1]; [a] y=1 -> true; endmodule"),
            "[] m: 1 (x=0,y=0)");
}

TEST(PrismComposition, ThreeModulesActTogether) {
  const std::string three = kPair + "module k z : [0..9]; [a] true -> (z'=3); endmodule\n";
  EXPECT_EQ(first(three), "a: 1 (x=1,y=1,z=3) | b: 1 (x=2,y=0,z=0) | c: 1 (x=0,y=2,z=0)");
  EXPECT_EQ(first(three + "system (m ||| n) || k endsystem"),
            "a: 1 (x=1,y=0,z=3) | a#2: 1 (x=0,y=1,z=3) | b: 1 (x=2,y=0,z=0) | c: 1 (x=0,y=2,z=0)");
  EXPECT_EQ(first(three + "system m ||| (n || k) endsystem"),
            "a: 1 (x=1,y=0,z=0) | a#2: 1 (x=0,y=1,z=3) | b: 1 (x=2,y=0,z=0) | c: 1 (x=0,y=2,z=0)");
}

TEST(PrismComposition, HiddenActionsLoseTheirNamesAndPartners) {
  EXPECT_EQ(first_with_system("(m || n) / {a}"),
            "[] m,n: 1 (x=1,y=1) | b: 1 (x=2,y=0) | c: 1 (x=0,y=2)");
  EXPECT_EQ(first_with_system("m / {a,b} || n"),
            "[] m: 1 (x=1,y=0) | [] m#2: 1 (x=2,y=0) | a: 1 (x=0,y=1) | c: 1 (x=0,y=2)");
}

TEST(PrismComposition, RenamedActionsFindOtherPartners) {
  EXPECT_EQ(first_with_system("m {a<-c, b<-a} || n"), "a: 1 (x=2,y=1) | c: 1 (x=1,y=2)");
  EXPECT_EQ(first_with_system("m {b<-a} || n"),
            "a: 1 (x=1,y=1) | a#2: 1 (x=2,y=1) | c: 1 (x=0,y=2)");
  EXPECT_EQ(first_with_system("m {a<-new} ||| n"),
            "a: 1 (x=0,y=1) | b: 1 (x=2,y=0) | c: 1 (x=0,y=2) | new: 1 (x=1,y=0)");
}

TEST(PrismComposition, EveryModuleIsThereOnce) {
  EXPECT_EQ(composition_problem("m"),
            "p.prism:3:8: the system leaves out module 'n', expected each module once");
  EXPECT_EQ(composition_problem("m || n || m"),
            "p.prism:3:18: module 'm' is in the system twice, expected once");
  EXPECT_EQ(composition_problem("m || n || k"),
            "p.prism:3:18: unknown module 'k', expected one of the program's");
}

TEST(PrismComposition, ActionsMustBeKnown) {
  EXPECT_EQ(composition_problem("m |[d]| n"),
            "p.prism:3:10: unknown action 'd', expected one that a module has");
  EXPECT_EQ(composition_problem("m / {d} || n"),
            "p.prism:3:10: unknown action 'd', expected one that a module has");
  EXPECT_EQ(composition_problem("m {d<-e} || n"),
            "p.prism:3:11: unknown action 'd', expected one that a module has");
  // The part does not have it, which changes nothing.
  EXPECT_EQ(first_with_system("m / {c} {c<-d} || n"), first_with_system("m || n"));
  EXPECT_EQ(composition_problem("m {a<-d, a<-e} || n"),
            "p.prism:3:17: action 'a' is renamed twice, expected once");
}

TEST(PrismComposition, WaysToActTogetherHaveALimit) {
  std::string modules = "mdp\n";
  std::string system;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "m" + std::to_string(i);
    modules += "module " + name + " [a] true -> true; [b] true -> true; endmodule\n";
    system += (i == 0 ? "" : " || ") + name + " {b<-a}";
  }
  EXPECT_EQ(problem(modules + "system " + system + " endsystem"),
            "p.prism: the system has more than 100000 ways to act together");
}

TEST(PrismComposition, ThousandsOfModulesAreNoProblem) {
  std::string text = "mdp\n";
  for (int i = 0; i < 2000; ++i) {
    text += fmt::format(
        "module m{0} x{0} : [0..1]; [a{0}] {1}x{0}=0 -> (x{0}'=1); [all] true -> true; endmodule\n",
        i,
        i < 3 ? "" : "false & ");
  }
  const Model model = read(text).model;
  EXPECT_EQ(model.state_count(), 8U);
  EXPECT_EQ(model.choice_count(), 8U + 12U);
}

}  // namespace
}  // namespace quantiplan::prism
