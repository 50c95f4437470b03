#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/prism/language/prism_parser.hpp"
#include "io/prism/language/scope.hpp"
#include "io/prism/prism_text.hpp"

namespace quantiplan::prism {
namespace {

// Expressions over x : whole and b : truth, with values.
class Evaluation {
 public:
  Evaluation(std::int64_t x, bool b)
      : values_{x, b ? 1 : 0},
        complaints_("--goal", Complaints::Of::expression),
        scope_(code_, complaints_) {
    scope_.add_variable("x", {}, Type::whole);
    scope_.add_variable("b", {}, Type::truth);
  }

  std::string text(const std::string& expression) {
    const auto compiled = scope_.compile(parse_expression(expression, "--goal"));
    complaints_.throw_if_any();
    try {
      if (compiled->type == Type::truth)
        return code_.truth(compiled->root, values_.data()) ? "true" : "false";
      const std::string value =
          quantiplan::to_text(code_.number(compiled->root, values_.data()).rational());
      return compiled->type == Type::whole ? value : "~" + value;
    } catch (const Fault& fault) {
      complaints_.fail(fault.place, fault.message);
    }
  }

 private:
  Code code_;
  std::vector<std::int64_t> values_;
  Complaints complaints_;
  Scope scope_;
};

// A whole number as 3, any other as ~3.
std::string value(const std::string& expression, std::int64_t x = 5, bool b = true) {
  return Evaluation(x, b).text(expression);
}

std::string problem_of(const std::string& expression, std::int64_t x = 5) {
  return thrown(ErrorCode::bad_request, [&] { value(expression, x); });
}

TEST(PrismValues, OperatorsBindAsTheyShould) {
  EXPECT_EQ(value("1+2*3-4"), "3");
  EXPECT_EQ(value("2-3-4"), "-5");
  EXPECT_EQ(value("-2*-3"), "6");
  EXPECT_EQ(value("-x+7"), "2");
  EXPECT_EQ(value("!x=3 & b"), "true");
  EXPECT_EQ(value("false & false | true"), "true");
  EXPECT_EQ(value("true | false & false"), "true");
  EXPECT_EQ(value("false => false => false"), "false");
  EXPECT_EQ(value("x>3 = b"), "true");
  EXPECT_EQ(value("b ? 1 : 2+10"), "1");
  EXPECT_EQ(value("x<5 ? 1 : x<6 ? 2 : 3"), "2");
}

TEST(PrismValues, DivisionIsExact) {
  EXPECT_EQ(value("1/3"), "~1/3");
  EXPECT_EQ(value("x/2"), "~2.5");
  EXPECT_EQ(value("6/3"), "~2");
  EXPECT_EQ(value("1/3+1/6 = 0.5"), "true");
  EXPECT_EQ(value("0.1+0.2 = 0.3"), "true");
  EXPECT_EQ(value("1/3*3 = 1"), "true");
  EXPECT_EQ(value("8/4/2"), "~1");
  EXPECT_EQ(value("x/-2"), "~-2.5");
}

TEST(PrismValues, ComparesNumbersOfBothKinds) {
  EXPECT_EQ(value("x = 5.0"), "true");
  EXPECT_EQ(value("x != 10/2"), "false");
  EXPECT_EQ(value("x < 5.0001 & x <= 5 & x >= 5 & x > 4.9999"), "true");
  EXPECT_EQ(value("9007199254740993 = 9007199254740992.0"), "false");
  EXPECT_EQ(value("b = true & b != false"), "true");
  EXPECT_EQ(value("(x=5) <=> b"), "true");
  EXPECT_EQ(value("(x=5) <=> !b"), "false");
}

TEST(PrismValues, Functions) {
  EXPECT_EQ(value("min(3,x,4)"), "3");
  EXPECT_EQ(value("max(3,x,4.5)"), "~5");
  EXPECT_EQ(value("min(x,0.5)"), "~0.5");
  EXPECT_EQ(value("floor(x/2)"), "2");
  EXPECT_EQ(value("ceil(x/2)"), "3");
  EXPECT_EQ(value("round(x/2)"), "3");
  EXPECT_EQ(value("round(-x/2)"), "-2");
  EXPECT_EQ(value("floor(-x/2)"), "-3");
  EXPECT_EQ(value("ceil(-x/2)"), "-2");
  EXPECT_EQ(value("floor(x)"), "5");
  EXPECT_EQ(value("pow(2,x)"), "32");
  EXPECT_EQ(value("pow(0.5,x)"), "~0.03125");
  EXPECT_EQ(value("pow(x,-1.0)"), "~0.2");
  EXPECT_EQ(value("pow(1.0*x,-1)"), "~0.2");
  EXPECT_EQ(value("mod(x,3)"), "2");
  EXPECT_EQ(value("mod(-x,3)"), "1");
  EXPECT_EQ(value("func(max,x,7)"), "7");
}

TEST(PrismValues, TypesFollowTheOperands) {
  EXPECT_EQ(value("x+1"), "6");
  EXPECT_EQ(value("x+1.0"), "~6");
  EXPECT_EQ(value("b ? x : 2"), "5");
  EXPECT_EQ(value("b ? x : 2.5"), "~5");
  EXPECT_EQ(value("true ? 1 : 2.5"), "~1");
  EXPECT_EQ(value("floor(true ? 1 : 2.5)"), "1");
  EXPECT_EQ(value("b ? b : false"), "true");
}

TEST(PrismValues, WhatIsNotAskedForNeedsNoValue) {
  EXPECT_EQ(value("x=0 ? 0 : 1/x", 0), "~0");
  EXPECT_EQ(value("x=0 ? 0 : 1/x", 4), "~0.25");
  EXPECT_EQ(value("0=0 ? 0 : 1/0"), "~0");
  EXPECT_EQ(value("x=0 | 1/x > 0", 0), "true");
  EXPECT_EQ(value("x!=0 & 1/x > 0", 0), "false");
  EXPECT_EQ(value("x!=0 => 1/x > 0", 0), "true");
  EXPECT_EQ(value("false & 1/0 > 0"), "false");
  EXPECT_EQ(value("b | 1/0 > 0"), "true");
}

TEST(PrismValues, SaysWhereThereIsNoValue) {
  EXPECT_EQ(problem_of("1 + 2/x", 0), "--goal: column 6: division by zero");
  EXPECT_EQ(problem_of("1/0"), "--goal: column 2: division by zero");
  EXPECT_EQ(problem_of("b & 1/0 > 0"), "--goal: column 6: division by zero");
  EXPECT_EQ(problem_of("mod(x, 0)"), "--goal: column 1: mod by 0, expected a whole number above 0");
  EXPECT_EQ(problem_of("9223372036854775807 + x"),
            "--goal: column 21: the value does not fit a whole number of 64 bits");
  EXPECT_EQ(problem_of("x * 9223372036854775807"),
            "--goal: column 3: the value does not fit a whole number of 64 bits");
  EXPECT_EQ(value("9223372036854775807.0 + x"), "~9223372036854775812");
  EXPECT_EQ(problem_of("9223372036854775808"),
            "--goal: column 1: the whole number does not fit 64 bits");
  EXPECT_EQ(problem_of("pow(2,0-x)"),
            "--goal: column 1: pow of whole numbers with the negative exponent -5, expected one "
            "of at least 0 (or pow(1.0*x, y) for a fraction)");
  EXPECT_EQ(problem_of("pow(2,1/2)"),
            "--goal: column 1: pow with the exponent 0.5 is irrational in general, expected a "
            "whole exponent");
  EXPECT_EQ(problem_of("pow(2.0,-9223372036854775807-1)"),
            "--goal: column 1: the value has more than 65536 bits, expected a shorter number");
}

TEST(PrismValues, LogarithmsAreRefused) {
  EXPECT_EQ(problem_of("x + log(8,2)"),
            "--goal: column 5: log is irrational in general, and refused: every number of a model "
            "is exact; give the value as a constant");
}

TEST(PrismTypes, ConditionsAreNoNumbers) {
  EXPECT_EQ(problem_of("x + b"), "--goal: column 5: '+' has a condition here, expected a number");
  EXPECT_EQ(problem_of("-b"), "--goal: column 2: '-' has a condition here, expected a number");
  EXPECT_EQ(problem_of("x * 2 * b"),
            "--goal: column 9: '*' has a condition here, expected a number");
  EXPECT_EQ(problem_of("b / 2"), "--goal: column 1: '/' has a condition here, expected a number");
  EXPECT_EQ(problem_of("x - b"), "--goal: column 5: '-' has a condition here, expected a number");
  EXPECT_EQ(problem_of("b < 2"), "--goal: column 1: '<' has a condition here, expected a number");
  EXPECT_EQ(problem_of("0 <= x <= 2"),
            "--goal: column 3: '<=' has a condition here, expected a number");
  EXPECT_EQ(problem_of("min(x,b)"),
            "--goal: column 7: 'min' has a condition here, expected a number");
  EXPECT_EQ(problem_of("floor(b)"),
            "--goal: column 7: 'floor' has a condition here, expected a number");
  EXPECT_EQ(problem_of("pow(b,2)"),
            "--goal: column 5: 'pow' has a condition here, expected a number");
}

TEST(PrismTypes, NumbersAreNoConditions) {
  EXPECT_EQ(problem_of("x & b"),
            "--goal: column 1: '&' has a whole number here, expected a condition");
  EXPECT_EQ(problem_of("b | x/2"), "--goal: column 6: '|' has a number here, expected a condition");
  EXPECT_EQ(problem_of("!x"),
            "--goal: column 2: '!' has a whole number here, expected a condition");
  EXPECT_EQ(problem_of("b => 1"),
            "--goal: column 6: '=>' has a whole number here, expected a condition");
  EXPECT_EQ(problem_of("1 <=> b"),
            "--goal: column 1: '<=>' has a whole number here, expected a condition");
}

TEST(PrismTypes, SomeOperandsMustBeOfAKind) {
  EXPECT_EQ(problem_of("x = b"),
            "--goal: column 3: '=' compares a whole number with a condition, expected two of a "
            "kind");
  EXPECT_EQ(problem_of("b != 0.5"),
            "--goal: column 3: '!=' compares a condition with a number, expected two of a kind");
  EXPECT_EQ(problem_of("b ? x : b"),
            "--goal: column 3: '? :' has a condition, a whole number and a condition, expected a "
            "condition and two of a kind");
  EXPECT_EQ(problem_of("x ? 1 : 2.5"),
            "--goal: column 3: '? :' has a whole number, a whole number and a number, expected a "
            "condition and two of a kind");
  EXPECT_EQ(problem_of("mod(x/2, 3)"),
            "--goal: column 6: 'mod' has a number here, expected a whole number");
}

TEST(PrismTypes, EachPlaceOfAProgramNeedsItsType) {
  const auto in_module = [](const std::string& text) {
    return problem("mdp\nmodule m\n x : [0..9]; b : bool;\n" + text + "\nendmodule");
  };
  EXPECT_EQ(in_module("[] x -> true;"),
            "p.prism:4:4: the guard: found a whole number, expected a condition");
  EXPECT_EQ(in_module("[] b -> b : true;"),
            "p.prism:4:9: the probability: found a condition, expected a number");
  EXPECT_EQ(in_module("[] b -> (x'=x/2);"),
            "p.prism:4:14: the new value of 'x': found a number, expected a whole number (as from "
            "floor, ceil or round; '/' is exact division)");
  EXPECT_EQ(in_module("[] b -> (x'=b);"),
            "p.prism:4:13: the new value of 'x': found a condition, expected a whole number");
  EXPECT_EQ(in_module("[] b -> (b'=1);"),
            "p.prism:4:13: the new value of 'b': found a whole number, expected a condition");
  EXPECT_EQ(in_module("endmodule label \"l\" = x; module n"),
            "p.prism:4:23: a label: found a whole number, expected a condition");
  EXPECT_EQ(in_module("endmodule rewards x : 1; b : b; [] b -> x : 1; endrewards module n"),
            "p.prism:4:19: the condition of a reward: found a whole number, expected a condition\n"
            "p.prism:4:30: a reward: found a condition, expected a number\n"
            "p.prism:4:41: the target of a reward: found a whole number, expected a condition");
  EXPECT_EQ(in_module("endmodule init x endinit module n"),
            "p.prism:4:16: init: found a whole number, expected a condition");
}

TEST(PrismNames, UnknownOnesAreShownWithTheirPlace) {
  EXPECT_EQ(problem("mdp const int count = 3; module m x : [0..9]; [] cuont=1 -> true; endmodule"),
            "p.prism:1:50: unknown name 'cuont', expected a variable, a constant or a formula; did "
            "you mean 'count'?");
  EXPECT_EQ(
      problem_of("y + z"),
      "--goal: column 1: unknown name 'y', expected a variable, a constant, a formula or a label\n"
      "--goal: column 5: unknown name 'z', expected a variable, a constant, a formula or a label");
  EXPECT_EQ(problem_of("\"done\""),
            "--goal: column 1: unknown label \"done\", expected none: there are no labels");
}

TEST(PrismNames, AreDeclaredOnce) {
  EXPECT_EQ(problem("mdp\nconst int N = 1;\nformula N = 2;\nmodule m\n N : bool;\nendmodule"),
            "p.prism:3:9: the name 'N' is declared twice, first on line 2; expected another name\n"
            "p.prism:5:2: the name 'N' is declared twice, first on line 2; expected another name");
  EXPECT_EQ(problem("mdp label \"a\" = true; label \"a\" = false; module m endmodule"),
            "p.prism:1:29: the label 'a' is declared twice, expected once");
}

const std::string kRun = "module m x : [0..9] init 3; [] f0 > 0 -> true; endmodule";

std::string doubling_formulas(int count) {
  std::string text = "mdp formula f" + std::to_string(count) + " = x;\n";
  for (int i = count; i > 0; --i) {
    text += fmt::format("formula f{0} = f{1}+f{1};\n", i - 1, i);
  }
  return text;
}

TEST(PrismFormulas, StandForTheirExpressions) {
  EXPECT_EQ(choices("mdp formula f0 = g*2; formula g = x+1; module m x : [0..9] init 3;"
                    "[] f0=8 -> (x'=f0-g); endmodule",
                    "(x=3)"),
            "[]: 1 (x=4)");
}

TEST(PrismFormulas, MustNotDependOnThemselves) {
  EXPECT_EQ(problem("mdp\nformula f0 = g;\nformula g = 1+f0;\n" + kRun),
            "p.prism:3:15: the formula 'f0' depends on itself: f0 -> g -> f0");
  EXPECT_EQ(problem("mdp label \"a\" = !\"a\"; formula f0 = 1; " + kRun),
            "p.prism:1:18: the label \"a\" depends on itself: \"a\" -> \"a\"");
}

TEST(PrismFormulas, ThatDoubleAreRefusedAtOnce) {
  EXPECT_EQ(states(doubling_formulas(20) + kRun), "(x=3)");
  EXPECT_EQ(problem(doubling_formulas(60) + kRun),
            "p.prism:23:18: the expression has more than 4194304 parts with its formulas written "
            "out, expected fewer");
}

TEST(PrismFormulas, ThatAreWrongAreComplainedOfOnce) {
  std::string text = doubling_formulas(60);
  text.replace(text.find("= x;"), 4, "= y;");
  EXPECT_EQ(problem(text + kRun),
            "p.prism:1:19: unknown name 'y', expected a variable, a constant or a formula");
}

TEST(PrismFormulas, ThatAreDeepAreRefusedInAnyOrder) {
  std::string forward = "mdp\n";
  std::string backward = "mdp\nformula f100000 = x;\n";
  for (int i = 0; i < 100000; ++i) {
    const auto line = [](int at) {
      return "formula f" + std::to_string(at) + " = -f" + std::to_string(at + 1) + ";\n";
    };
    forward += line(i);
    backward += line(99999 - i);
  }
  const std::string wanted =
      "the expression is nested more than 3000 deep with its formulas written out, expected less";
  EXPECT_EQ(problem(forward + "formula f100000 = x;\n" + kRun), "p.prism:1502:17: " + wanted);
  EXPECT_EQ(problem(backward + kRun), "p.prism:1502:19: " + wanted);
}

}  // namespace
}  // namespace quantiplan::prism
