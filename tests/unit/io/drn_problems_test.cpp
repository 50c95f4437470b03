#include <gtest/gtest.h>

#include "numbers/number_expected.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

std::string drn_problems(const std::string& text) {
  return thrown(ErrorCode::bad_model, [&] { parse_model(text, Format::drn, "m.drn"); });
}

// The states begin on line 5; there is one reward model.
std::string problems_of_states(const std::string& states) {
  return drn_problems("@type: MDP\n@reward_models\nr\n@model\n" + states);
}

TEST(DrnProblems, Sections) {
  EXPECT_EQ(drn_problems("\n"), "m.drn: the text is empty, must be '@type: MDP' and states");
  EXPECT_EQ(drn_problems("// nothing\n"),
            "m.drn:1: no '@type:' up to here, must be '@type: MDP' or '@type: DTMC'\n"
            "m.drn:1: no '@model' up to here, must be there with states behind it");
  EXPECT_EQ(
      drn_problems("@type: LTS\n@value_type: double-interval\n@parameters\np q\n@nr_states\nx\n"
                   "@nr_choices\n@something\n@model\nstate 0\n"),
      "m.drn:1: type: found 'LTS', must be MDP or DTMC\n"
      "m.drn:2: value_type: found 'double-interval', must be double or rational: interval "
      "MDPs and chains are not solved\n"
      "m.drn:4: parameters: found 'p q', must be none: a parametric model has no "
      "probabilities\n"
      "m.drn:6: nr_states: found 'x', must be a whole number\n"
      "m.drn:7: nr_choices: found '', must be a whole number\n"
      "m.drn:8: found '@something', must be a section: @type:, @value_type:, @parameters, "
      "@placeholders, @reward_models, @nr_states, @nr_choices or @model");
  EXPECT_EQ(
      drn_problems("@type: MDP\n@placeholders\n$x : 1\n$x : 2\ny : 3\n$z : w\n@model\nstate 0\n"),
      "m.drn:4: placeholder '$x' is given twice, must be once\n"
      "m.drn:5: placeholders: found 'y : 3', must be '$name : number'\n"
      "m.drn:6: placeholder: 'w' is no number: it does not begin with a digit" +
          kNumberExpected);
}

TEST(DrnProblems, OtherModelsAreRefusedByName) {
  for (const std::string type : {"CTMC", "Markov Automaton", "POMDP"}) {
    EXPECT_EQ(drn_problems("@type: " + type + "\n"),
              "m.drn:1: a " + type + " is not supported, must be an MDP or a DTMC");
  }
}

TEST(DrnProblems, States) {
  EXPECT_EQ(problems_of_states("action a\nstate 1\nstate 0\n"),
            "m.drn:5: found 'action a' before the first state, must be 'state 0'\n"
            "m.drn:6: found state '1', must be 0: states are numbered from 0 in order\n"
            "m.drn:7: found state '0', must be 1: states are numbered from 0 in order");
  EXPECT_EQ(
      problems_of_states("state 0 [1, 2]\nstate 1 [1\nstate 2 [x]\nstate 3 []\nstate 4 [1,]\n"),
      "m.drn:5: found 2 rewards, must be 1, one for each of @reward_models\n"
      "m.drn:6: found '[1', must be rewards in brackets, such as [1, 0]\n"
      "m.drn:7: reward: 'x' is no number: it does not begin with a digit" +
          kNumberExpected +
          "\nm.drn:8: found 0 rewards, must be 1, one for each of @reward_models\n"
          "m.drn:9: found 2 rewards, must be 1, one for each of @reward_models");
  EXPECT_EQ(problems_of_states("state 0 a a\nstate 1 \"b\nstate 2 !5\nstate 3 {1}\n"),
            "m.drn:5: label 'a' is given twice, must be once\n"
            "m.drn:6: label: found '\"b', must be a name, closed by a quotation mark\n"
            "m.drn:7: found '!5', must be a label: an MDP has neither rates nor observations\n"
            "m.drn:8: found '{1}', must be a label: an MDP has neither rates nor observations");
  EXPECT_EQ(problems_of_states("state 0\n// name: 1\naction a\n0 : 1\nstate 1\n"),
            "m.drn: states: '1' is declared twice, must be declared once");
}

TEST(DrnProblems, Choices) {
  EXPECT_EQ(problems_of_states("state 0\naction\naction a [1] b\n0 : x\n1 : 1\nhello\n0 : $p\n"),
            "m.drn:6: an action has no name, must be 'action NAME', or 'action __NOLABEL__'\n"
            "m.drn:7: found 'b' behind the action, must be nothing\n"
            "m.drn:8: probability: 'x' is no number: it does not begin with a digit" +
                kNumberExpected +
                "\nm.drn:9: found '1 : 1', must be 'state', 'action', or a transition 'next : "
                "probability' to one of the 1 states\n"
                "m.drn:10: found 'hello', must be 'state', 'action', or a transition 'next : "
                "probability' to one of the 1 states\n"
                "m.drn:11: probability: unknown placeholder '$p', must be one of @placeholders");
  EXPECT_EQ(problems_of_states("state 0\n0 : 1\n"),
            "m.drn:6: state 0: a transition belongs to no action, must have an 'action' line "
            "above");
  EXPECT_EQ(problems_of_states("state 0\naction a\n0 : 0.5\n0 : 0.5\n"),
            "m.drn:8: state 0: the transition to state 0 is given twice in one choice, first on "
            "line 7; must be once");
  EXPECT_EQ(problems_of_states("state 0\naction a\n0 : 0.5\naction b\n"),
            "m.drn:6: state '0', choice 'a': probabilities sum to 0.5, must be 1\n"
            "m.drn:8: state '0', choice 'b': no outcomes, must have at least one");
  EXPECT_EQ(drn_problems("@type: DTMC\n@model\nstate 0\naction a\n0 : 1\naction b\n0 : 1\n"),
            "m.drn:6: state 0 has a second action, must have one in a DTMC");
}

TEST(DrnProblems, Counts) {
  EXPECT_EQ(drn_problems("@type: MDP\n@nr_states\n1000000000000\n@nr_choices\n7\n@model\nstate 0\n"
                         "action a\n0 : 1\n"),
            "m.drn:3: @nr_states says 1000000000000, but there are 1 states\n"
            "m.drn:5: @nr_choices says 7, but there are 1 choices");
}

}  // namespace
}  // namespace quantiplan
