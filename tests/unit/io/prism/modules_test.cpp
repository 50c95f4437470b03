#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "io/prism/prism_text.hpp"

namespace quantiplan::prism {
namespace {

std::string initial(const std::string& text) {
  const Model model = read(text).model;
  return std::string(model.state_name(model.initial()->only()));
}

TEST(PrismCopies, RenameVariablesAndActions) {
  const std::string text =
      "mdp module m x : [0..2] init 1; [a] x<2 -> (x'=x+1); [b] true -> true; endmodule\n"
      "module n = m [x=y, a=c] endmodule";
  EXPECT_EQ(choices(text, "(x=1,y=1)"), "a: 1 (x=2,y=1) | b: 1 (x=1,y=1) | c: 1 (x=1,y=2)");
}

TEST(PrismCopies, RenameWithinFormulas) {
  EXPECT_EQ(choices("mdp formula full = last; formula last = x=2;\n"
                    "module m x : [0..2]; [] full -> (x'=0); [] !full -> (x'=2); endmodule\n"
                    "module n = m [x=y] endmodule",
                    "(x=0,y=2)"),
            "[] m: 1 (x=2,y=2) | [] n: 1 (x=0,y=0)");
}

TEST(PrismCopies, SwapWhatTwoModulesRead) {
  EXPECT_EQ(choices("mdp module m x : [0..1]; [] y=0 -> (x'=1-x); endmodule\n"
                    "module n = m [x=y, y=x] endmodule",
                    "(x=1,y=0)"),
            "[] m: 1 (x=0,y=0)");
}

TEST(PrismCopies, RenameConstantsInRangesAndInitialValues) {
  EXPECT_EQ(initial("mdp const int N = 3; const int K = 7; const bool u = false; const bool v = "
                    "true;\n"
                    "module m x : [N-1..N] init N; b : bool init u; [] true -> true; endmodule\n"
                    "module n = m [x=y, b=c, N=K, u=v] endmodule"),
            "(x=3,b=false,y=7,c=true)");
}

TEST(PrismCopies, MayBeCopiedAgain) {
  EXPECT_EQ(choices("mdp module k = n [y=z, b=c] endmodule\n"
                    "module n = m [x=y, a=b] endmodule\n"
                    "module m x : [0..1]; [a] x=0 -> (x'=1); endmodule",
                    "(z=0,y=0,x=0)"),
            "c: 1 (z=1,y=0,x=0) | b: 1 (z=0,y=1,x=0) | a: 1 (z=0,y=0,x=1)");
}

TEST(PrismCopies, MustRenameEveryVariableOnce) {
  const std::string original = "mdp\nmodule m x : [0..1]; z : bool; [] true -> true; endmodule\n";
  EXPECT_EQ(problem(original + "module n = m [x=y] endmodule"),
            "p.prism:3:8: module 'n' does not rename the variable 'z' of 'm', expected a new name "
            "for each\n"
            "p.prism:3:8: the name 'z' is declared twice, first on line 2; expected another name");
  EXPECT_EQ(problem(original + "module n = m [x=y, z=y] endmodule"),
            "p.prism:3:8: the name 'y' is declared twice, first on line 3; expected another name");
  EXPECT_EQ(problem(original + "module n = m [x=y, z=w, x=v] endmodule"),
            "p.prism:3:25: 'x' is renamed twice, expected once");
}

TEST(PrismCopies, RepeatNoComplaint) {
  EXPECT_EQ(problem("mdp\nmodule m x : bool; [] q -> true; endmodule\n"
                    "module n = m [x=y] endmodule module k = m [x=z] endmodule"),
            "p.prism:2:23: unknown name 'q', expected a variable, a constant or a formula");
}

TEST(PrismCopies, MustCopyAModule) {
  EXPECT_EQ(problem("mdp module n = m [x=y] endmodule"),
            "p.prism:1:12: module 'n' is a copy of 'm', which is no module");
  EXPECT_EQ(problem("mdp module n = n [x=y] endmodule"),
            "p.prism:1:12: module 'n' is a copy of itself, expected a module");
  EXPECT_EQ(problem("mdp module m endmodule\nmodule m endmodule"),
            "p.prism:2:8: module 'm' is declared twice, expected another name");
  std::string chain = "mdp module m0 x0 : bool; endmodule\n";
  for (int i = 1; i <= 101; ++i) {
    chain += fmt::format("module m{1} = m{0} [x{0}=x{1}] endmodule\n", i - 1, i);
  }
  EXPECT_EQ(problem(chain),
            "p.prism:102:8: module 'm101' is a copy of copies, more than 100 deep; expected fewer");
}

TEST(PrismVariables, ReadThoseOfOthersAndSetTheirOwn) {
  EXPECT_EQ(choices("mdp module m x : [0..3]; [] y=1 -> (x'=y+2); endmodule\n"
                    "module n y : [0..1] init 1; endmodule",
                    "(x=0,y=1)"),
            "[] m: 1 (x=3,y=1)");
  EXPECT_EQ(problem("mdp module m x : [0..3];\n[] true -> (y'=1); endmodule\n"
                    "module n y : [0..1] init 1; endmodule"),
            "p.prism:2:13: module 'm' sets the variable 'y' of module 'n', expected one of its own "
            "or a global one");
  EXPECT_EQ(problem("mdp const int N = 1; module m x : [0..3];\n[] true -> (N'=1); endmodule"),
            "p.prism:2:13: unknown variable 'N', expected one of module 'm' or a global one");
  EXPECT_EQ(problem("mdp module m x : [0..3];\n[] true -> (x'=1)&(x'=2); endmodule"),
            "p.prism:2:20: the variable 'x' is set twice in one update, expected once");
}

TEST(PrismVariables, GlobalOnesAreSetByAll) {
  const std::string globals = "mdp global g : [0..3] init 1; global h : bool;\n";
  EXPECT_EQ(choices(globals + "module m [a] true -> (g'=2); [] !h -> (h'=true); endmodule\n"
                              "module n [a] true -> (h'=true); endmodule",
                    "(g=1,h=false)"),
            "[] m: 1 (g=1,h=true) | a: 1 (g=2,h=true)");
  EXPECT_EQ(problem(globals + "module m [a] true -> (g'=2); endmodule\n"
                              "module n [a] true -> (g'=3); endmodule"),
            "p.prism:3:23: the global variable 'g' is set by two modules that act together on 'a', "
            "expected one");
}

TEST(PrismVariables, AreSetAtOnce) {
  EXPECT_EQ(choices("mdp module m x : [0..3] init 1; y : [0..3] init 2;"
                    "[] true -> (x'=y)&(y'=x); endmodule",
                    "(x=1,y=2)"),
            "[]: 1 (x=2,y=1)");
}

TEST(PrismVariables, BeginAtTheLeastValueOrWhereTheySay) {
  EXPECT_EQ(initial("mdp const int N = 2; module m x : [-N..N]; y : [0..4] init N*2; b : bool; "
                    "c : bool init N=2; [] true -> true; endmodule"),
            "(x=-2,y=4,b=false,c=true)");
}

TEST(PrismVariables, RangesAndInitialValuesMustMakeSense) {
  const auto variable = [](const std::string& text) {
    return problem("mdp module m y : [0..1];\n" + text + "\n[] true -> true; endmodule");
  };
  EXPECT_EQ(variable("x : [3..2];"),
            "p.prism:2:1: variable 'x' has the range [3..2], which is empty");
  EXPECT_EQ(variable("x : [0..2] init 3;"),
            "p.prism:2:17: variable 'x' has the initial value 3, expected one in its range [0..2]");
  EXPECT_EQ(variable("x : [0..5/2];"),
            "p.prism:2:10: the greatest value: found a number, expected a whole number (as from "
            "floor, ceil or round; '/' is exact division)");
  EXPECT_EQ(variable("x : [y..2];"),
            "p.prism:2:6: the least value depends on a variable, expected constants only");
  EXPECT_EQ(variable("x : [0..2] init y;"),
            "p.prism:2:17: the initial value depends on a variable, expected constants only");
  EXPECT_EQ(variable("x : bool init y=0;"),
            "p.prism:2:16: the initial value depends on a variable");
  EXPECT_EQ(variable("x : bool init 1/0 > 0;"),
            "p.prism:2:16: the initial value: division by zero");
  EXPECT_EQ(variable("x : [0..mod(1,0)];"),
            "p.prism:2:9: the greatest value: mod by 0, expected a whole number above 0");
}

TEST(PrismVariables, RangesMayBeEnormous) {
  EXPECT_EQ(choices("mdp module m x : [-9223372036854775807..9223372036854775807] init "
                    "9223372036854775806; y : [5..5]; z : [0..9223372036854775807];\n"
                    "[] y>x | z=0 -> (x'=x+1)&(z'=x); endmodule",
                    "(x=9223372036854775806,y=5,z=0)"),
            "[]: 1 (x=9223372036854775807,y=5,z=9223372036854775806)");
}

const std::string kTwo =
    "mdp module m x : [0..9]; y : [0..9]; b : bool; [] true -> true; endmodule\n";

TEST(PrismInit, GivesTheOneInitialState) {
  EXPECT_EQ(initial(kTwo + "init x=3 & y=x+1 & b endinit"), "(x=3,y=4,b=true)");
  EXPECT_EQ(initial(kTwo + "init b & y*y=49 & x=9 endinit"), "(x=9,y=7,b=true)");
  EXPECT_EQ(initial(kTwo + "init x+y=18 & !b endinit"), "(x=9,y=9,b=false)");
  EXPECT_EQ(initial("mdp module m [] true -> true; endmodule init true endinit"), "()");
}

TEST(PrismInit, MayGiveSeveralStates) {
  const Model model = read(kTwo + "init x=3 & y=4 endinit").model;
  EXPECT_FALSE(model.initial());
  ASSERT_EQ(model.possible_initial().size(), 2U);
  EXPECT_EQ(model.state_name(model.possible_initial()[0]), "(x=3,y=4,b=false)");
  EXPECT_EQ(model.state_name(model.possible_initial()[1]), "(x=3,y=4,b=true)");
}

TEST(PrismInit, MustGiveAState) {
  EXPECT_EQ(problem(kTwo + "init x=3 & x=4 endinit"),
            "p.prism:2:1: init gives no initial state, expected one");
  EXPECT_EQ(problem("mdp module m [] true -> true; endmodule init false endinit"),
            "p.prism:1:41: init gives no initial state, expected one");
  EXPECT_EQ(problem(kTwo + "init x=3 & y=4 & b & x+y=1/0 endinit"),
            "p.prism:2:27: init: division by zero");
}

TEST(PrismInit, AsksForAPartOnlyWhereThoseBeforeItHold) {
  // b comes after x: its 1/x would be tried first.
  EXPECT_EQ(initial("mdp module m x : [0..1]; b : bool; [] true -> true; endmodule\n"
                    "init (x=1 <=> b) & b & 1/x=1 endinit"),
            "(x=1,b=true)");
}

TEST(PrismInit, CostsTheSumOfRangesWhereItCan) {
  std::string variables;
  std::string condition = "true";
  std::string sum = "0";
  for (int i = 0; i < 40; ++i) {
    const std::string name = "x" + std::to_string(i);
    variables += name + " : [0..99]; ";
    condition += " & " + name + "=" + std::to_string(i);
    sum += "+" + name;
  }
  const std::string program = "mdp module m " + variables + " [] true -> true; endmodule\n";
  EXPECT_EQ(initial(program + "init " + condition + " endinit").substr(0, 17), "(x0=0,x1=1,x2=2,x");
  EXPECT_EQ(problem(program + "init " + sum + "=1980 endinit"),
            "p.prism:2:1: init leaves too many combinations of values to try; expected conditions "
            "on single variables, as x=0 & y=1");
}

TEST(PrismInit, ExcludesInitialValuesOfVariables) {
  EXPECT_EQ(problem("mdp module m\nx : [0..9] init 3; endmodule init x=3 endinit"),
            "p.prism:2:1: variable 'x' has an initial value besides the init block, expected one "
            "of them");
}

}  // namespace
}  // namespace quantiplan::prism
