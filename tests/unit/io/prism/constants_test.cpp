#include <gtest/gtest.h>

#include <string>

#include "io/prism/prism_text.hpp"

namespace quantiplan::prism {
namespace {

const std::string kModuleOfN = "module m x : [0..9] init N; [] true -> true; endmodule";

// "N=3 p=1/3", constants and formulas as expressions may use them.
std::string definitions(const std::string& text, const ReadOptions& options = {}) {
  std::string all;
  for (const Definition& one : read(text, options).definitions)
    all += (all.empty() ? "" : " ") + one.name + "=" + one.text;
  return all;
}

TEST(PrismConstants, HaveValuesInAnyOrder) {
  EXPECT_EQ(definitions("mdp const int N = M+1; const M = K*2; const int K = 3;" + kModuleOfN),
            "N=7 M=6 K=3");
  EXPECT_EQ(definitions("mdp " + kModuleOfN + " const int N = floor(p*6); const double p = 1/3;"),
            "N=2 p=1/3");
}

TEST(PrismConstants, KeepTheirTypes) {
  EXPECT_EQ(definitions("mdp const bool b = N>2 & !c; const bool c = false; const int N = 3;"
                        "const double p = 2; const double q = -0.75; const rate r = 1e20;" +
                        kModuleOfN),
            "b=true c=false N=3 p=2.0 q=-3/4 r=100000000000000000000.0");
}

TEST(PrismConstants, MayUseFormulasOfConstants) {
  EXPECT_EQ(definitions("mdp formula f = 2*K; const int K = 2; const int N = f+1;" + kModuleOfN),
            "K=2 N=5 f=2*K");
  EXPECT_EQ(problem("mdp formula f = x;\nconst int N = f+1;" + kModuleOfN),
            "p.prism:2:16: the constant 'N' depends on a variable, expected constants only");
}

TEST(PrismConstants, AreGivenFromOutside) {
  const std::string text = "mdp const int N; const double p; const bool b; const int M = N+1;";
  EXPECT_EQ(
      definitions(text + kModuleOfN, with_constants({{"b", "1<2"}, {"p", "1/3"}, {"N", "4"}})),
      "N=4 p=1/3 b=true M=5");
  EXPECT_EQ(definitions(text + kModuleOfN,
                        with_constants({{"N", "pow(2,3)"}, {"p", "7"}, {"b", "false"}})),
            "N=8 p=7.0 b=false M=9");
}

TEST(PrismConstants, MissingOnesAreNamedTogether) {
  EXPECT_EQ(problem("mdp const int N;" + kModuleOfN),
            "p.prism:1:15: the constant N has no value; give --const N=...");
  EXPECT_EQ(problem("mdp const K = 1;\n const int N; const p;" + kModuleOfN),
            "p.prism:2:12: the constants N, p have no value; give --const N=...,p=...");
}

TEST(PrismConstants, UnknownOnesAreRefused) {
  EXPECT_EQ(bad_request("mdp const int N; const int K;" + kModuleOfN,
                        with_constants({{"M", "1"}, {"N", "1"}, {"x", "1"}})),
            "--const: unknown constant 'M', expected one of those the program leaves undefined: N, "
            "K\n"
            "--const: unknown constant 'x', expected one of those the program leaves undefined: N, "
            "K");
  EXPECT_EQ(bad_request("mdp const int N = 1;" + kModuleOfN, with_constants({{"count", "1"}})),
            "--const: unknown constant 'count', expected none: the program leaves no constant "
            "undefined");
}

TEST(PrismConstants, AreGivenOnceAndOnlyWhereTheProgramLeavesThem) {
  EXPECT_EQ(bad_request("mdp const int N;" + kModuleOfN, with_constants({{"N", "1"}, {"N", "2"}})),
            "--const: the constant 'N' is given twice, expected once");
  EXPECT_EQ(bad_request("mdp\nconst int N = 1;" + kModuleOfN, with_constants({{"N", "1"}})),
            "--const: the constant 'N' has its value in the program, on line 2; expected one "
            "without");
}

TEST(PrismConstants, GivenValuesMustFit) {
  const auto given = [](const std::string& type, const std::string& value) {
    return bad_request("mdp const " + type + " N;" + kModuleOfN, with_constants({{"N", value}}));
  };
  EXPECT_EQ(given("int", "0.5"),
            "--const: column 1: the constant 'N' is declared int, found a number");
  EXPECT_EQ(given("int", "true"),
            "--const: column 1: the constant 'N' is declared int, found a condition");
  EXPECT_EQ(given("bool", "1"),
            "--const: column 1: the constant 'N' is declared bool, found a whole number");
  EXPECT_EQ(given("double", "1/0"), "--const: column 2: the constant 'N': division by zero");
  EXPECT_EQ(given("int", "K+1"),
            "--const: column 1: unknown name 'K', expected a value without names");
  EXPECT_EQ(given("int", "3 4"),
            "--const: column 3: found '4', expected an operator or the end of the expression");
  EXPECT_EQ(given("int", ""),
            "--const: column 1: found the end of the text, expected an expression");
}

TEST(PrismConstants, MustNotDependOnThemselves) {
  EXPECT_EQ(problem("mdp const int N = N+1;" + kModuleOfN),
            "p.prism:1:19: the constant 'N' depends on itself, expected a value");
  EXPECT_EQ(problem("mdp const int N = M;\nconst int M = 2*K;\nconst int K = 1-N;" + kModuleOfN),
            "p.prism:3:17: the constant 'N' depends on itself, expected a value");
}

TEST(PrismConstants, DependOnOneAnotherInARowButNotTooMany) {
  std::string forward = "mdp const int c0 = 1;\n";
  std::string backward = "mdp\n";
  for (int i = 1; i < 1000; ++i) {
    forward += "const int c" + std::to_string(i) + " = c" + std::to_string(i - 1) + "+1;\n";
    backward += "const int d" + std::to_string(i) + " = d" + std::to_string(i + 1) + "+1;\n";
  }
  const std::string module = "module m x : [0..999] init N-1; [] true -> true; endmodule";
  EXPECT_EQ(states(forward + "const int N = c999;" + module), "(x=999)");
  const std::string message = problem(backward + "const int d1000 = 1; const int N = d1;" + module);
  EXPECT_EQ(message.substr(0, message.find('\n')),
            "p.prism:301:18: more than 300 constants depend on one another in a row; expected each "
            "after those it depends on");
}

TEST(PrismConstants, MustHaveTheDeclaredType) {
  EXPECT_EQ(problem("mdp const int N = 7/2;" + kModuleOfN),
            "p.prism:1:20: the constant 'N' is declared int, found a number");
  EXPECT_EQ(problem("mdp const double N = true;" + kModuleOfN),
            "p.prism:1:22: the constant 'N' is declared double, found a condition");
  EXPECT_EQ(problem("mdp const bool N = 0;" + kModuleOfN),
            "p.prism:1:20: the constant 'N' is declared bool, found a whole number");
  EXPECT_EQ(problem("mdp const int N = x;" + kModuleOfN),
            "p.prism:1:19: the constant 'N' depends on a variable, expected constants only");
  EXPECT_EQ(problem("mdp const int N = mod(3,0);" + kModuleOfN),
            "p.prism:1:19: the constant 'N': mod by 0, expected a whole number above 0");
}

TEST(PrismConstants, ADivisionThatIsNeverMadeIsNoProblem) {
  const std::string text = "mdp const int N; const double p = N=0 ? 0 : 1/N;" + kModuleOfN;
  EXPECT_EQ(definitions(text, with_constants({{"N", "0"}})), "N=0 p=0.0");
  EXPECT_EQ(definitions(text, with_constants({{"N", "4"}})), "N=4 p=1/4");
}

}  // namespace
}  // namespace quantiplan::prism
