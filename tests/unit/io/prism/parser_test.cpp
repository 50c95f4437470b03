#include <gtest/gtest.h>

#include <string>

#include "io/prism/language/prism_parser.hpp"
#include "io/prism/syntax_text.hpp"
#include "numbers/thrown.hpp"

namespace quantiplan::prism {
namespace {

const std::string kEmptyModule = "module M endmodule ";

Program program(const std::string& text) { return parse(text, "m.prism"); }

std::string parse_problem(const std::string& text) {
  return thrown(ErrorCode::bad_model, [&] { program(text); });
}

std::string in_module(const std::string& text) {
  return parse_problem("module die\n" + text + "\nendmodule");
}

std::string update_text(const Update& update) {
  std::string text = update.probability ? syntax_text(*update.probability) : "-";
  for (const Assignment& one : update.assignments)
    text += " " + one.variable + "'=" + syntax_text(one.value);
  return text;
}

std::string command_text(const Command& command) {
  std::string text = "[" + command.action + "] " + syntax_text(command.guard);
  for (const Update& update : command.updates) text += " -> " + update_text(update);
  return text;
}

std::string only_command(const std::string& text) {
  const Program read = program("module M " + text + " endmodule");
  return command_text(read.modules.at(0).commands.at(0));
}

TEST(PrismProgram, ModelTypeMayStandAnywhere) {
  EXPECT_EQ(program(kEmptyModule).kind, Kind::mdp);
  EXPECT_EQ(program("mdp " + kEmptyModule).kind, Kind::mdp);
  EXPECT_EQ(program("nondeterministic " + kEmptyModule).kind, Kind::mdp);
  EXPECT_EQ(program(kEmptyModule + "dtmc").kind, Kind::dtmc);
  EXPECT_EQ(program("const N; probabilistic " + kEmptyModule).kind, Kind::dtmc);
  EXPECT_EQ(parse_problem("mdp\nmdp"),
            "m.prism:2:1: found 'mdp', expected a statement; the model type was given before");
}

TEST(PrismProgram, OtherModelTypesAreRefusedByName) {
  EXPECT_EQ(parse_problem("// a queue\n ctmc\nmodule M endmodule"),
            "m.prism:2:2: found 'ctmc', a continuous-time Markov chain, which is not supported; "
            "expected a model of type mdp or dtmc");
  for (const char* word : {"stochastic",
                           "pta",
                           "pomdp",
                           "popta",
                           "smg",
                           "tsg",
                           "csg",
                           "idtmc",
                           "imdp",
                           "lts",
                           "ma",
                           "player",
                           "observables",
                           "observable",
                           "invariant"})
    EXPECT_NE(parse_problem(word).find("which is not supported"), std::string::npos) << word;
  // They are no reserved words.
  EXPECT_EQ(program("const player; module smg ma : bool; endmodule").modules[0].name, "smg");
}

TEST(PrismProgram, ReadsConstants) {
  const Program read = program(
      "const N; const int K=2; const double p = 1/3; const bool b=true; rate r; prob q = .5;"
      "const rate s = 1;" +
      kEmptyModule);
  std::string all;
  for (const Constant& one : read.constants) {
    all += one.name + std::to_string(static_cast<int>(one.type)) + " " +
           (one.value ? syntax_text(*one.value) : "-") + ", ";
  }
  EXPECT_EQ(all, "N1 -, K1 2, p2 (/ 1 3), b0 true, r2 -, q2 0.5, s2 1, ");
  EXPECT_EQ(read.constants[1].place.column, 20U);
  EXPECT_EQ(parse_problem("const int 3"),
            "m.prism:1:11: constant: found '3', expected the name of a constant");
  EXPECT_EQ(parse_problem("const N 3"),
            "m.prism:1:9: constant 'N': found '3', expected '=' or ';'");
  EXPECT_EQ(parse_problem("const N = 3\nconst M;"),
            "m.prism:2:1: constant 'N': found 'const', expected ';'");
  EXPECT_EQ(parse_problem("const F;"),
            "m.prism:1:7: constant: found 'F', a reserved word of the PRISM language, expected "
            "the name of a constant");
}

TEST(PrismProgram, KeepsTheTextOfFormulas) {
  const Program read = program(
      "formula f = x + // the \"first\"\n\t y*2 ; formula g = \"a//b\" & f;" + kEmptyModule);
  EXPECT_EQ(syntax_text(read.formulas[0].value), "(+ x (* y 2))");
  EXPECT_EQ(read.formulas[0].text, "x +     y*2");
  EXPECT_EQ(read.formulas[1].text, "\"a//b\" & f");
  EXPECT_EQ(syntax_text(parse_expression(read.formulas[0].text, "")), "(+ x (* y 2))");
  EXPECT_EQ(parse_problem("formula f x;"), "m.prism:1:11: formula 'f': found 'x', expected '='");
}

TEST(PrismProgram, ReadsLabelsGlobalsAndInit) {
  const Program read = program(
      "label \"done\" = x=3 & b; global x : [0..N-1] init 1; global b : bool;\n"
      "init x=2 & !b endinit " +
      kEmptyModule);
  EXPECT_EQ(read.labels[0].name, "done");
  EXPECT_EQ(syntax_text(read.labels[0].condition), "(& (= x 3) b)");
  EXPECT_EQ(read.globals[0].name, "x");
  EXPECT_EQ(syntax_text(read.globals[0].low), "0");
  EXPECT_EQ(syntax_text(read.globals[0].high), "(- N 1)");
  EXPECT_EQ(syntax_text(*read.globals[0].initial), "1");
  EXPECT_TRUE(read.globals[1].is_truth);
  EXPECT_FALSE(read.globals[1].initial);
  EXPECT_EQ(syntax_text(*read.initial), "(& (= x 2) (! b))");
  EXPECT_EQ(read.initial_place.line, 2U);
  EXPECT_EQ(parse_problem("label done = x;"),
            "m.prism:1:7: label: found 'done', expected a name in quotation marks such as "
            "\"done\"");
  EXPECT_EQ(parse_problem("init a endinit init"),
            "m.prism:1:16: init: found 'init', expected a statement; init ... endinit was given "
            "before");
}

TEST(PrismProgram, ReadsVariables) {
  const Program read = program("module M x : [-1..2]; b : bool init false; endmodule");
  const Module& module = read.modules[0];
  EXPECT_EQ(module.place.column, 8U);
  EXPECT_EQ(syntax_text(module.variables[0].low), "(neg 1)");
  EXPECT_EQ(syntax_text(*module.variables[1].initial), "false");
  EXPECT_EQ(in_module("x : int;"),
            "m.prism:2:5: variable of module 'die': found 'int', expected a range such as "
            "[0..100]: variables without bounds are not supported");
  EXPECT_EQ(in_module("x : clock;"),
            "m.prism:2:5: variable of module 'die': found 'clock', expected a range such as "
            "[0..100] or bool: clocks (of a PTA) are not supported");
  EXPECT_EQ(in_module("invariant x<3 endinvariant"),
            "m.prism:2:1: module 'die': found 'invariant', expected a command; invariants of "
            "clocks (a PTA) are not supported");
  EXPECT_EQ(in_module("A : bool;"),
            "m.prism:2:1: variable of module 'die': found 'A', a reserved word of the PRISM "
            "language, expected the name of a variable");
  EXPECT_EQ(in_module("x : [0..2) init 0;"),
            "m.prism:2:10: variable of module 'die': found ')', expected ']'");
  EXPECT_EQ(in_module("x : [0.2] init 0;"),
            "m.prism:2:9: variable of module 'die': found ']', expected '..'");
  EXPECT_EQ(in_module("x : bool 0;"),
            "m.prism:2:10: variable of module 'die': found '0', expected 'init' or ';'");
}

TEST(PrismProgram, ReadsCommands) {
  EXPECT_EQ(only_command("[] x=1 -> (x'=2);"), "[] (= x 1) -> - x'=2");
  EXPECT_EQ(only_command("[a] true -> true;"), "[a] true -> -");
  EXPECT_EQ(only_command("[a] true -> 1:true;"), "[a] true -> 1");
  EXPECT_EQ(only_command("[go] x<N -> p : (x'=x+1)&(y'=!y) + 1-p : true;"),
            "[go] (< x N) -> p x'=(+ x 1) y'=(! y) -> (- 1 p)");
  EXPECT_EQ(only_command("[] x -> (p+q)/2 : (x'=y ? 1 : 2) + (1-p) : (x'=1);"),
            "[] x -> (/ (+ p q) 2) x'=(? y 1 2) -> (- 1 p) x'=1");
  EXPECT_EQ(only_command("[] x -> y ? 0.5 : 1 : (x' = 1) + 0.5 : true;"),
            "[] x -> (? y 0.5 1) x'=1 -> 0.5");
}

TEST(PrismProgram, SaysWhatIsWrongWithACommand) {
  const std::string command = "command of module 'die': ";
  EXPECT_EQ(in_module("[] x=1;"), "m.prism:2:7: " + command + "found ';', expected '->'");
  EXPECT_EQ(in_module("[a x=1 -> true;"), "m.prism:2:4: " + command + "found 'x', expected ']'");
  EXPECT_EQ(in_module("[1] x=1 -> true;"),
            "m.prism:2:2: " + command + "found '1', expected the name of an action or ']'");
  EXPECT_EQ(in_module("[] x -> x'=1;"),
            "m.prism:2:9: " + command +
                "found 'x', expected '('; an assignment stands in parentheses: (x'=1)");
  EXPECT_EQ(
      in_module("[] x -> 0.5 : x=1;"),
      "m.prism:2:15: " + command + "found 'x', expected an assignment such as (x'=1), or true");
  EXPECT_EQ(in_module("[] x -> (x=1);"), "m.prism:2:14: " + command + "found ';', expected ':'");
  EXPECT_EQ(in_module("[] x -> (x'=1) + 0.5 : true;"),
            "m.prism:2:9: " + command +
                "found one of several updates without probability, expected p : (x'=1)");
  EXPECT_EQ(in_module("[] x -> [0.1,0.2] : true;"),
            "m.prism:2:9: " + command +
                "found the interval probability '[0.1,0.2]', expected a probability: interval MDPs "
                "and chains are not solved");
  EXPECT_EQ(in_module("[] x -> (R'=1);"),
            "m.prism:2:10: " + command +
                "found 'R', a reserved word of the PRISM language, expected the name of a "
                "variable");
  EXPECT_EQ(in_module("[] x -> (x'=1)"),
            "m.prism:3:1: " + command + "found 'endmodule', expected ';'");
}

TEST(PrismProgram, SaysWhereAModuleShouldHaveEnded) {
  EXPECT_EQ(parse_problem("module M\nmodule N endmodule"),
            "m.prism:2:1: module 'M': found 'module', expected a variable, a command or "
            "'endmodule'");
  EXPECT_EQ(parse_problem("module M"),
            "m.prism:1:9: module 'M': found the end of the text, expected a variable, a command "
            "or 'endmodule'");
  EXPECT_EQ(parse_problem("module M ;"),
            "m.prism:1:10: module 'M': found ';', expected a variable, a command or 'endmodule'");
  EXPECT_EQ(parse_problem("module \xC3\xA9"),
            "m.prism:1:8: module: found '\xC3\xA9', expected the name of a module");
}

TEST(PrismProgram, ReadsCopiesOfModules) {
  const Program read = program(kEmptyModule + "module N = M [x=y, a = b] endmodule");
  const Module& copy = read.modules[1];
  EXPECT_EQ(copy.original, "M");
  ASSERT_EQ(copy.renamings.size(), 2U);
  EXPECT_EQ(copy.renamings[1].from + copy.renamings[1].to, "ab");
  EXPECT_EQ(copy.renamings[1].place.column, 39U);
  EXPECT_EQ(parse_problem("module N = M [] endmodule"),
            "m.prism:1:15: module 'N': found ']', expected a renaming such as x=y");
  EXPECT_EQ(parse_problem("module N = M [x=y;"),
            "m.prism:1:18: module 'N': found ';', expected ',' or ']'");
  EXPECT_EQ(parse_problem("module N = M [x=y] x : bool;"),
            "m.prism:1:20: module 'N': found 'x', expected 'endmodule'");
}

TEST(PrismProgram, ReadsRewards) {
  const Program read = program(
      "rewards \"cost\" x=1 : 2; [a] true : x; [] b : 1/2; [a] x -> y : 3; endrewards\n"
      "rewards c ? a : b : 1; endrewards rewards \"none\" endrewards " +
      kEmptyModule);
  ASSERT_EQ(read.rewards.size(), 3U);
  EXPECT_EQ(read.rewards[0].name + "," + read.rewards[1].name, "cost,");
  std::string all;
  for (const RewardItem& item : read.rewards[0].items) {
    all += (item.action ? "[" + *item.action + "] " : "") + syntax_text(item.guard) +
           (item.target ? " -> " + syntax_text(*item.target) : "") + " : " +
           syntax_text(item.value) + "; ";
  }
  EXPECT_EQ(all, "(= x 1) : 2; [a] true : x; [] b : (/ 1 2); [a] x -> y : 3; ");
  EXPECT_EQ(syntax_text(read.rewards[1].items[0].guard), "(? c a b)");
  EXPECT_EQ(read.rewards[1].place.line, 2U);
  EXPECT_EQ(parse_problem("rewards \"cost\" x 2; endrewards"),
            "m.prism:1:18: rewards 'cost': found '2', expected ':'");
  EXPECT_EQ(parse_problem("rewards x : 2;"),
            "m.prism:1:15: rewards: found the end of the text, expected an item such as x=1 : 2; "
            "or 'endrewards'");
  EXPECT_EQ(parse_problem("rewards x -> y : 2; endrewards"),
            "m.prism:1:11: rewards: found '->', expected ':'");
  EXPECT_EQ(parse_problem("rewards \"a b\" endrewards"),
            "m.prism:1:9: rewards: found '\"a b\"', expected a name in quotation marks such as "
            "\"cost\"");
}

TEST(PrismProgram, ReadsStatementsInAnyOrderAndRefusesOthers) {
  const std::string statements =
      "expected mdp, dtmc, const, formula, label, global, module, rewards, init or system";
  EXPECT_EQ(parse_problem("int N = 3;"), "m.prism:1:1: found 'int', " + statements);
  EXPECT_EQ(parse_problem(kEmptyModule + ";"), "m.prism:1:20: found ';', " + statements);
  EXPECT_EQ(parse_problem("#const N#"), "m.prism:1:1: found '#', " + statements);
  EXPECT_EQ(parse_problem(""),
            "m.prism:1:1: found the end of the text, expected a module; a program has one at "
            "least");
}

}  // namespace
}  // namespace quantiplan::prism
