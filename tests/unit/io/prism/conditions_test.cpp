#include <gtest/gtest.h>

#include <string>

#include "io/prism/language/condition.hpp"
#include "io/prism/prism_text.hpp"

namespace quantiplan::prism {
namespace {

const std::string kWalk =
    "mdp const int N = 3; const double p = 2; const bool yes = true; formula far = x>=N-1;\n"
    "module m x : [-1..3]; b : bool; [] x<N -> (x'=x+1)&(b'=!b); endmodule\n"
    "label \"middle\" = x=1;";  // (-1,false) (0,true) (1,false) (2,true) (3,false)

std::string where(const ReadModel& read, const std::string& condition) {
  std::string out;
  for (const State s : states_satisfying(read.model, read.definitions, condition, "--goal"))
    out += std::to_string(index(s));
  return out;
}
std::string where(const std::string& condition) { return where(read(kWalk), condition); }
std::string where_problem(const std::string& condition) {
  return thrown(ErrorCode::bad_request, [&] { where(condition); });
}

// States of these names, which do nothing but the first.
ReadModel named(const std::vector<std::string>& names) {
  ModelBuilder builder;
  for (const std::string& name : names) builder.declare_state(name);
  builder.begin_choice(names[0], "go").add_outcome(names[0], 1, 0);
  return {builder.build(), {}};
}

TEST(PrismConditions, UseVariables) {
  EXPECT_EQ(where("x=2"), "3");
  EXPECT_EQ(where("x<1 | b"), "013");
  EXPECT_EQ(where("!b & x!=-1"), "24");
  EXPECT_EQ(where("mod(x,2)=1"), "024");
  EXPECT_EQ(where("true"), "01234");
  EXPECT_EQ(where("x>7"), "");
}

TEST(PrismConditions, UseConstantsAndFormulas) {
  EXPECT_EQ(where("x=N"), "4");
  EXPECT_EQ(where("far & yes"), "34");
  EXPECT_EQ(where("x=pow(p,-1)*2"), "2");  // p is a double, whatever its value
  EXPECT_EQ(where(read("mdp const double big = 1e30; module m x : [0..1]; [] x=0 -> (x'=1); "
                       "endmodule"),
                  "x*big>0"),
            "1");
}

TEST(PrismConditions, UseLabels) {
  EXPECT_EQ(where("\"middle\""), "2");
  EXPECT_EQ(where("!\"middle\" & x>0"), "34");
  EXPECT_EQ(where("\"init\""), "0");
  EXPECT_EQ(where("\"deadlock\" | \"init\""), "04");
  EXPECT_EQ(where_problem("\"done\""),
            "--goal: column 1: unknown label \"done\", expected one of \"deadlock\", \"init\", "
            "\"middle\"");
}

TEST(PrismConditions, SayWhatIsWrong) {
  EXPECT_EQ(where_problem("x"),
            "--goal: column 1: the condition: found a whole number, expected a condition");
  EXPECT_EQ(
      where_problem("x=1 & c"),
      "--goal: column 7: unknown name 'c', expected a variable, a constant, a formula or a label");
  EXPECT_EQ(where_problem("x = "),
            "--goal: column 5: found the end of the text, expected an expression");
  EXPECT_EQ(where_problem("1/x > 0"), "--goal: column 2: state (x=0,b=true): division by zero");
}

TEST(PrismConditions, HoldOnModelsOfOtherFormats) {
  const ReadModel grid = named({"(x=0,y=1)", "(x=1,y=1)", "(x=1,y=-2)"});
  EXPECT_EQ(where(grid, "x=1 & y<0"), "2");
  EXPECT_EQ(where(grid, "\"deadlock\""), "12");
}

TEST(PrismConditions, NeedTheSameVariablesEverywhere) {
  const auto is_unknown = [](const ReadModel& model) {
    return thrown(ErrorCode::bad_request, [&] { where(model, "x=1"); });
  };
  const std::string unknown =
      "--goal: column 1: unknown name 'x', expected a variable, a constant, a formula or a label";
  EXPECT_EQ(is_unknown(named({"(x=0)", "home"})), unknown);
  EXPECT_EQ(is_unknown(named({"(x=0)", "(y=0)"})), unknown);
  EXPECT_EQ(is_unknown(named({"(x=0)", "(x=true)"})), unknown);
  EXPECT_EQ(is_unknown(named({"(x=0)", "(x=0,y=0)"})), unknown);
  EXPECT_EQ(is_unknown(named({"(x=0,x=1)", "(x=1,x=1)"})), unknown);
  EXPECT_EQ(where(named({"home", "away"}), "\"deadlock\""), "1");
}

// "x=3 b=true", or "" for a name that is no valuation.
std::string variables(std::string_view name) {
  std::string out;
  for (const VariableText& one : variables_of_name(name)) {
    out += out.empty() ? "" : " ";
    out += one.name;
    out += '=';
    out += one.value;
  }
  return out;
}

TEST(PrismStateNames, SayTheirVariables) {
  EXPECT_EQ(variables("(s=3,x_1=-1,b=true)"), "s=3 x_1=-1 b=true");
  EXPECT_EQ(variables("(s=9223372036854775807)"), "s=9223372036854775807");
}

TEST(PrismStateNames, OfOtherFormsAreNoValuations) {
  for (const char* name :
       {"",           "(",          "()",      "s=3",      "(s=3",
        "(s)",        "(=3)",       "(s=)",    "(s=3,)",   "(,s=3)",
        "(s=3,,x=1)", "(s=3, x=1)", "(s=1.5)", "(s=+1)",   "(s=x)",
        "(3s=1)",     "(s=3)(x=1)", "(s==1)",  "(s=True)", "(s=9223372036854775808)"})
    EXPECT_EQ(variables(name), "") << name;
}

}  // namespace
}  // namespace quantiplan::prism
