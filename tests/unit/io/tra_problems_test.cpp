#include <gtest/gtest.h>

#include "io/explicit/tra_model_reader.hpp"
#include "numbers/number_expected.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

std::string tra_problems(const std::string& text) {
  return thrown(ErrorCode::bad_model, [&] { parse_model(text, Format::tra, "m.tra"); });
}

// Of files beside a .tra with two states, two choices and two transitions.
std::string tra_problems(const TraCompanions& beside) {
  return thrown(ErrorCode::bad_model, [&] {
    ModelBuilder builder("m.tra");
    read_tra_model("2 2 2\n0 0 1 1 a\n1 0 1 1 a\n", "m.tra", beside, {}, builder);
    static_cast<void>(builder.build());
  });
}

std::string lab_problems(const std::string& text) {
  TraCompanions beside;
  beside.labels = NamedText{"m.lab", text};
  return tra_problems(beside);
}

std::string srew_problems(const std::string& text) {
  TraCompanions beside;
  beside.rewards.push_back({NamedText{"m.srew", text}, std::nullopt});
  return tra_problems(beside);
}

std::string trew_problems(const std::string& text) {
  TraCompanions beside;
  beside.rewards.push_back({std::nullopt, NamedText{"m.trew", text}});
  return tra_problems(beside);
}

std::string sta_problems(const std::string& text) {
  TraCompanions beside;
  beside.states = NamedText{"m.sta", text};
  return tra_problems(beside);
}

TEST(TraProblems, FirstLine) {
  EXPECT_EQ(tra_problems(" \n"),
            "m.tra: the text is empty, must be 'states choices transitions' and rows");
  EXPECT_EQ(tra_problems("# nothing\n"),
            "m.tra:1: the file has no rows, must have 'states choices transitions' and rows");
  for (const std::string line : {"2", "2 x 2", "1 2 3 4 5", "mdp 2"}) {
    EXPECT_EQ(tra_problems("\n" + line + "\n0 0 0 1\n"),
              "m.tra:2: found '" + line +
                  "', must be 'states choices transitions' of an MDP, 'states transitions' of a "
                  "DTMC, or the word mdp or dtmc");
  }
  EXPECT_EQ(tra_problems("1000000000000 1 1\n0 0 0 1\n"),
            "m.tra:1: found 1000000000000 states, must be fewer: the file has 26 characters");
  EXPECT_EQ(tra_problems("mdp\n0 0 1000000000000 1\n"),
            "m.tra:1: found 1000000000001 states, must be fewer: the file has 24 characters");
}

TEST(TraProblems, OtherModelsAreRefusedByName) {
  EXPECT_EQ(tra_problems("2 2 2 1\n0 0 1 1 0\n"),
            "m.tra:1: a POMDP is not supported, must be an MDP or a DTMC");
  EXPECT_EQ(tra_problems("ctmc\n0 1 1\n"),
            "m.tra:1: a CTMC is not supported, must be an MDP or a DTMC");
  EXPECT_EQ(tra_problems("# Transitions (CTMC)\n2 1\n0 1 3\n"),
            "m.tra:2: a CTMC is not supported, must be an MDP or a DTMC");
}

TEST(TraProblems, Rows) {
  EXPECT_EQ(tra_problems("2 1 1\n0 0 1\n"),
            "m.tra:2: the row has 3 fields, must be 'state choice next probability' and perhaps an "
            "action\nm.tra:1: the first line says 1 choices, but there are 0");
  EXPECT_EQ(tra_problems("2 1\n0 1\n"),
            "m.tra:2: the row has 2 fields, must be 'state next probability' and perhaps an "
            "action");
  EXPECT_EQ(tra_problems("2 4 4\n0 0 2 1\n0 0 0 x\n-1 0 0 1\n0 y 0 1\n"),
            "m.tra:2: next: found '2', must be a whole number below 2, the number of states\n"
            "m.tra:3: probability: 'x' is no number: it does not begin with a digit" +
                kNumberExpected +
                "\nm.tra:4: state: found '-1', must be a whole number below 2, the number of "
                "states\n"
                "m.tra:5: choice: found 'y', must be a whole number\n"
                "m.tra:1: the first line says 4 choices, but there are 0");
  EXPECT_EQ(tra_problems("1 1 2\n0 1:0 z 1:0\n"),
            "m.tra:2: found 'z', must be probability:next\n"
            "m.tra:1: the first line says 2 transitions, but there are 3");
  EXPECT_EQ(tra_problems("1 2\n0 1:0\n0 1:0\n"),
            "m.tra:3: state 0 has two rows, must have one in a DTMC\n"
            "m.tra:1: the first line says 2 transitions, but there are 1");
}

TEST(TraProblems, OrderAndCounts) {
  EXPECT_EQ(tra_problems("2 2 2\n1 0 1 1\n0 0 1 1\n"), "");
  EXPECT_EQ(tra_problems("2 2 2\n1 1:1\n0 1:1\n"),
            "m.tra:3: state 0 stands behind state 1, must be in ascending order where a row is a "
            "whole choice\n"
            "m.tra:1: the first line says 2 transitions, but there are 1\n"
            "m.tra:1: the first line says 2 choices, but there are 1");
  EXPECT_EQ(
      tra_problems("1 1 1\n0 0 0 [0.5,1]\n"),
      "m.tra:2: probability: found the interval '[0.5,1]', must be a number: interval MDPs and "
      "chains are not solved\n"
      "m.tra:1: the first line says 1 choices, but there are 0");
  EXPECT_EQ(tra_problems("2 3 3\n0 1 1 1\n0 3 1 1\n1 0 1 1\n"),
            "m.tra:2: state 0, choice 1: must be choice 0, choices are numbered from 0 in order\n"
            "m.tra:3: state 0, choice 3: must be choice 2, choices are numbered from 0 in order");
  EXPECT_EQ(tra_problems("2 3 5\n0 0 1 1\n1 0 1 1\n"),
            "m.tra:1: the first line says 5 transitions, but there are 2\n"
            "m.tra:1: the first line says 3 choices, but there are 2");
}

TEST(TraProblems, Choices) {
  EXPECT_EQ(tra_problems("2 1 2\n0 0 1 0.5 a\n0 0 0 0.5 b\n"),
            "m.tra:3: state 0, choice 0: found the action 'b' after 'a', must be the same in every "
            "transition of the choice");
  EXPECT_EQ(tra_problems("2 1 2\n0 0 1 0.5 a\n0 0 1 0.5 a\n"),
            "m.tra:3: state 0: the transition to state 1 is given twice in one choice, first on "
            "line 2; must be once");
  EXPECT_EQ(tra_problems("2 2 2\n0 0 1 0.5 a\n1 0 1 1 a\n"),
            "m.tra:2: state '0', choice 'a': probabilities sum to 0.5, must be 1");
}

TEST(TraProblems, AtMostTwentyAreShown) {
  std::string text = "2 30 30\n";
  for (int i = 0; i < 30; ++i) text += "0 0 7 1\n";
  const std::string shown = tra_problems(text);
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 19);
}

TEST(TraProblems, Labels) {
  EXPECT_EQ(lab_problems("init\n"), "m.lab:1: found 'init', must be labels such as 0=\"init\"");
  EXPECT_EQ(lab_problems("0=\"init\" 2=\"x\"\n"), "m.lab:1: label 'x' has the number 2, must be 1");
  EXPECT_EQ(lab_problems("0=\"init\" 1=\"init\"\n"),
            "m.lab:1: label 'init' is declared twice, must be once");
  EXPECT_EQ(lab_problems("0=\"init\"\n0 0\n2: 0\n1: 1\n0: 0 0\n0: 0\nx: 0\n"),
            "m.lab:2: found '0 0', must be 'state: label ...'\n"
            "m.lab:3: state: found '2', must be a whole number below 2, the number of states\n"
            "m.lab:4: label: found '1', must be the number of a label, below 1\n"
            "m.lab:5: state 0: label 'init' is given twice, must be once\n"
            "m.lab:6: state 0 is given twice, must be once\n"
            "m.lab:7: state: found 'x', must be a whole number below 2, the number of states");
  EXPECT_EQ(lab_problems("#DECLARATION\ninit\n#END\n0 init goal\n"),
            "m.lab:4: label 'goal' is not declared, must be");
  EXPECT_EQ(lab_problems("#DECLARATION\ninit\n"),
            "m.lab:2: #DECLARATION is never closed, must have an #END");
  EXPECT_EQ(lab_problems("0=\"\xFF\"\n"), "m.lab:1: found the byte '\\xff', must be UTF-8 text");
}

TEST(TraProblems, StateRewards) {
  EXPECT_EQ(srew_problems("2\n"), "m.srew:1: the first line must be 'states rewards', found '2'");
  EXPECT_EQ(srew_problems(""), "m.srew: the first line must be 'states rewards', found ''");
  EXPECT_EQ(srew_problems("3 1\n0 1\n"),
            "m.srew:1: found '3 1', must begin with 2 as the .tra does");
  EXPECT_EQ(srew_problems("2 1\n0 1\n1 1\n"),
            "m.srew:1: the first line says 1 rewards, but there are 2");
  EXPECT_EQ(srew_problems("2 5\n0\n5 1\n0 x\n1 1\n1 2\n"),
            "m.srew:2: the row has 1 field, must be 'state reward'\n"
            "m.srew:3: state: found '5', must be a whole number below 2, the number of states\n"
            "m.srew:4: reward: 'x' is no number: it does not begin with a digit" +
                kNumberExpected + "\nm.srew:6: state 1 is given twice, must be once");
}

TEST(TraProblems, TransitionRewards) {
  EXPECT_EQ(trew_problems("2 2\n"),
            "m.trew:1: the first line must be 'states choices rewards', found '2 2'");
  EXPECT_EQ(trew_problems("2 3 0\n"),
            "m.trew:1: found '2 3 0', must begin with 2 2 as the .tra does");
  EXPECT_EQ(trew_problems("2 2 2\n0 0 0 1\n0 1 1 1\n"),
            "m.trew:2: state 0, choice 0: the .tra has no transition to state 0, must have one\n"
            "m.trew:3: state 0, choice 1: the .tra has no transition to state 1, must have one");
  EXPECT_EQ(trew_problems("2 2 2\n0 0 1 1\n0 0 1 2\n"),
            "m.trew:3: the same transition stands on line 2, must be once");
  EXPECT_EQ(trew_problems("2 2 2\n0 0 1 1\n"),
            "m.trew:1: the first line says 2 rewards, but there are 1");
}

TEST(TraProblems, NamesOfStates) {
  EXPECT_EQ(sta_problems("x,y\n"), "m.sta:1: found 'x,y', must be the variables, such as (x,y)");
  EXPECT_EQ(sta_problems("(x,y)\n0:(1,2)\n1:(1)\n5:(1,2)\n0:(1,3)\n"),
            "m.sta:3: state 1: must have 2 values in parentheses\n"
            "m.sta:4: state: found '5', must be a whole number below 2, the number of states\n"
            "m.sta:5: state 0: given twice, must be once\n"
            "m.sta:5: state 1 is missing up to here, must be there");
  EXPECT_EQ(sta_problems("(x)\n0:(1)\n1:(1)\n"),
            "m.sta:3: state 1: '(x=1)' is also another state, must be one only");
}

}  // namespace
}  // namespace quantiplan
