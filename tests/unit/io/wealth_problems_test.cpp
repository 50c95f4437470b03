#include <gtest/gtest.h>

#include <algorithm>

#include "io/json_problems.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

// The wealth stands on line 2, the choice on line 3.
std::string problems_of_model(const std::string& wealth, const std::string& rest) {
  return json_problems("{\"format\": \"quantiplan-model/1\",\n\"wealth\": " + wealth +
                       ", \"choices\": [\n{\"state\": \"a\", \"action\": \"x\", " + rest + "}]}");
}

// With a reward that any structure would refuse: where the wealth is wrong, rewards are not read.
std::string problems_of_wealth(const std::string& wealth) {
  return problems_of_model(wealth, R"("reward": {"?": [true]}, "next": {"a": 1})");
}

std::string problems_of_automaton(const std::string& rest) {
  return problems_of_wealth(
      R"({"kind": "automaton", "states": ["p", "q"], "labels": ["A", "B"], )" + rest + "}");
}

const std::string kBoth =
    R"("transitions": [{"from": "p", "label": "*", "to": "p"}, {"from": "q", "label": "*", "to": "q"}])";

TEST(WealthProblems, Kinds) {
  EXPECT_EQ(
      problems_of_wealth("\"mx\""),
      "m.json:2: wealth: found 'mx', must be one of 'sum', 'max', 'min', 'product', "
      "'lexicographic', 'counts', 'weighted counts', 'automaton', 'table'; did you mean 'max'?");
  EXPECT_EQ(problems_of_wealth("\"count\""),
            "m.json:2: wealth: found 'count', must be one of 'sum', 'max', 'min', 'product', "
            "'lexicographic', 'counts', 'weighted counts', 'automaton', 'table'; did you mean "
            "'counts'?");
  EXPECT_EQ(problems_of_wealth("7"),
            "m.json:2: wealth: found a number, expected a string or an object");
  EXPECT_EQ(problems_of_wealth("[]"),
            "m.json:2: wealth: found a list, expected a string or an object");
  EXPECT_EQ(problems_of_wealth("{}"), "m.json:2: wealth: missing key 'kind' in the wealth");
  EXPECT_EQ(problems_of_wealth(R"({"kind": 1})"),
            "m.json:2: wealth: kind: found a number, expected a string");
}

TEST(WealthProblems, Keys) {
  EXPECT_EQ(problems_of_wealth("\"counts\""),
            "m.json:2: wealth: missing key 'labels' of the kind 'counts'");
  EXPECT_EQ(problems_of_wealth(R"({"kind": "max", "labels": ["A"]})"),
            "m.json:2: wealth: key 'labels' is given for the kind 'max', must be left out");
  EXPECT_EQ(problems_of_wealth(R"({"kind": "counts", "labels": ["A"], "frist": "best"})"),
            "m.json:2: wealth: unknown key 'frist' in the wealth, must be one of 'kind', "
            "'components', 'labels', 'first', 'weights', 'states', 'start', 'transitions', "
            "'classes', 'table'; did you mean 'first'?");
  EXPECT_EQ(problems_of_wealth(R"({"kind": "counts", "labels": ["A"], "first": "last"})"),
            "m.json:2: wealth: first: found 'last', must be 'worst' or 'best'");
  EXPECT_EQ(json_problems(
                R"({"format": "quantiplan-model/1", "wealth": "max", "wealth": "min", "choices": [
      {"state": "a", "action": "x", "reward": 1, "next": {"a": 1}}]})"),
            "m.json:1: key 'wealth' is given twice in the model, must be given once");
}

TEST(WealthProblems, Components) {
  EXPECT_EQ(problems_of_wealth(R"({"kind": "lexicographic", "components": []})"),
            "m.json:2: wealth: components: the list is empty, must have at least one");
  EXPECT_EQ(problems_of_wealth(R"({"kind": "lexicographic", "components": ["a", "a"]})"),
            "m.json:2: wealth: components: 'a' is given twice, must be given once");
  EXPECT_EQ(problems_of_wealth(R"({"kind": "lexicographic", "components": 1e9})"),
            "m.json:2: wealth: components: found '1e9', must be a whole number from 1 to 1000");
  EXPECT_EQ(problems_of_wealth(R"({"kind": "lexicographic", "components": ["a", 7]})"),
            "m.json:2: wealth: in 'components': found a number, expected a string or an object");
  EXPECT_EQ(problems_of_wealth(R"({"kind": "lexicographic", "components": [{"better": "fewer"}]})"),
            "m.json:2: wealth: better: found 'fewer', must be 'more' or 'less'");
}

TEST(WealthProblems, Labels) {
  EXPECT_EQ(problems_of_wealth(R"({"kind": "counts", "labels": ["A", "A"]})"),
            "m.json:2: wealth: labels: 'A' is given twice, must be given once");
  EXPECT_EQ(problems_of_wealth(R"({"kind": "counts", "labels": ["A", 7]})"),
            "m.json:2: wealth: in 'labels': found a number, expected a string");
  EXPECT_EQ(problems_of_wealth(R"({"kind": "weighted counts", "weights": {"A": 1, "A": 2}})"),
            "m.json:2: wealth: labels: 'A' is given twice, must be given once");
  EXPECT_EQ(problems_of_wealth(R"({"kind": "weighted counts", "weights": {"A": "heavy"}})"),
            "m.json:2: wealth: weights: 'A': 'heavy' is no number: it does not begin with a digit; "
            "expected a decimal such as "
            "-0.5 or 1e-3, or a fraction such as 1/3");
}

TEST(WealthProblems, Automata) {
  EXPECT_EQ(problems_of_automaton(R"("start": "r", "classes": ["p", "q"], )" + kBoth),
            "m.json:2: wealth: start: unknown state 'r', must be one of 'states'");
  EXPECT_EQ(problems_of_automaton(R"("start": "p", "classes": ["p"], )" + kBoth),
            "m.json:2: wealth: state 'q' is in no class, must be in one");
  EXPECT_EQ(problems_of_automaton(R"("start": "p", "classes": ["p", ["q", "p"]], )" + kBoth),
            "m.json:2: wealth: class 'q | p': state 'p' is in a class already");
  EXPECT_EQ(problems_of_automaton(R"("start": "p", "classes": [["p", "q"], []], )" + kBoth),
            "m.json:2: wealth: class '': the list of states is empty, must name at least one");
  EXPECT_EQ(
      problems_of_automaton(
          R"("start": "p", "classes": [{"name": "c", "states": ["p"]}, {"name": "c", "states": ["q"]}], )" +
          kBoth),
      "m.json:2: wealth: classes: 'c' is given twice, must be given once");
  EXPECT_EQ(problems_of_automaton(R"("start": "p", "classes": [["p", "q"]], "transitions": [
{"from": "p", "label": "A", "to": "q"},
{"from": "p", "label": "A", "to": "p"},
{"from": "p", "label": "C", "to": "p"},
{"from": "p", "label": "B", "to": "r"},
{"from": "s", "label": "B", "to": "q"},
{"from": "q", "to": "q"}])"),
            "m.json:8: wealth: missing key 'label' in a transition");
  EXPECT_EQ(problems_of_automaton(R"("start": "p", "classes": [["p", "q"]], "transitions": [
{"from": "p", "label": "A", "to": "q"},
{"from": "p", "label": "A", "to": "p"},
{"from": "p", "label": "C", "to": "p"},
{"from": "p", "label": "B", "to": "r"},
{"from": "s", "label": "B", "to": "q"}])"),
            "m.json:4: wealth: state 'p', label 'A': given twice, must be given once\n"
            "m.json:5: wealth: unknown label 'C', must be one of 'labels'\n"
            "m.json:6: wealth: state 'p', label 'B': unknown state 'r', must be one of 'states'\n"
            "m.json:7: wealth: unknown state 's', must be one of 'states'");
  EXPECT_EQ(problems_of_automaton(R"("start": "p", "classes": [["p", "q"]], "transitions": [
{"from": "p", "label": "*", "to": "q"}, {"from": "q", "label": "A", "to": "q"}])"),
            "m.json:2: wealth: state 'q', label 'B': missing transition, must lead to a state");
}

TEST(WealthProblems, Tables) {
  EXPECT_EQ(
      problems_of_wealth(
          R"({"kind": "table", "classes": ["p", "q"], "start": "p", "table": {"p": {"A": "q"}}})"),
      "m.json:2: wealth: class 'q', label 'A': missing entry, must lead to a class");
  EXPECT_EQ(problems_of_wealth(
                R"({"kind": "table", "classes": ["p"], "start": "p", "table": {"p": {"A": "q"}}})"),
            "m.json:2: wealth: class 'p', label 'A': unknown class 'q', must be one of 'classes'");
  EXPECT_EQ(
      problems_of_wealth(
          R"({"kind": "table", "classes": [["p"]], "start": "p", "table": {"p": {"A": "p"}}})"),
      "m.json:2: wealth: classes: of a table, a class must be a string\n"
      "m.json:2: wealth: start: unknown class 'p', must be one of 'classes'");
  EXPECT_EQ(problems_of_wealth(
                R"({"kind": "table", "classes": ["p"], "start": "p", "table": {"p": "p"}})"),
            "m.json:2: wealth: in 'table': found a string, expected an object");
  EXPECT_EQ(problems_of_wealth(
                R"({"kind": "table", "classes": ["p"], "start": "p", "table": {"p": {"*": "p"}}})"),
            "m.json:2: wealth: labels: the list is empty, must name at least one");
}

TEST(WealthProblems, Rewards) {
  const std::string counts = R"({"kind": "counts", "labels": ["silver", "gold"]})";
  const std::string place = "m.json:3: state 'a', choice 'x': ";
  EXPECT_EQ(problems_of_model(counts, R"("reward": "gld", "next": {"a": 1})"),
            place +
                "reward: unknown label 'gld', must be one of the labels of the wealth 'counts'; "
                "did you mean 'gold'?");
  EXPECT_EQ(problems_of_model(counts, R"("reward": 1, "next": {"a": 1})"),
            place + "reward: found a number, expected a string, a label of the wealth 'counts'");
  EXPECT_EQ(problems_of_model(counts, R"("reward": ["gold"], "next": {"a": 1})"),
            place + "reward: found a list, expected a string, a label of the wealth 'counts'");
  EXPECT_EQ(
      problems_of_model(
          counts,
          R"("reward": "gold", "next": [{"to": "a", "probability": 1, "reward": "silver"}])"),
      place +
          "next state 'a': both the choice and the outcome have a 'reward', must be one of them "
          "for the wealth 'counts'");
  EXPECT_EQ(problems_of_model("\"max\"", R"("next": {"a": 1})"),
            place + "next state 'a': missing reward, must have one for the wealth 'max'");
  EXPECT_EQ(problems_of_model("\"product\"", R"("reward": -1, "next": {"a": 1})"),
            place + "next state 'a': reward is -1, must be above 0 in a product");
}

TEST(WealthProblems, Vectors) {
  const std::string pair = R"({"kind": "lexicographic", "components": 2})";
  const std::string place = "m.json:3: state 'a', choice 'x': ";
  EXPECT_EQ(problems_of_model(pair, R"("reward": [1], "next": {"a": 1})"),
            place +
                "reward: found a list of 1, must be a list of 2 numbers for the wealth "
                "'lexicographic'");
  EXPECT_EQ(
      problems_of_model(pair, R"("next": [{"to": "a", "probability": 1, "reward": [1, 2, 3]}])"),
      place +
          "reward: found a list of 3, must be a list of 2 numbers for the wealth "
          "'lexicographic'");
  EXPECT_EQ(problems_of_model(pair, R"("reward": 1, "next": {"a": 1})"),
            place +
                "reward: found a number, expected a list of 2 numbers for the wealth "
                "'lexicographic'");
  EXPECT_EQ(problems_of_model(pair, R"("reward": [1, [2]], "next": {"a": 1})"),
            place + "in 'reward': found a list, expected a number, or a string with a number");
  EXPECT_EQ(problems_of_model("\"sum\"", R"("reward": [1], "next": {"a": 1})"),
            place + "reward: found a list, expected a number, or a string with a number");
}

TEST(WealthProblems, WhatIsWrongIsSaidOnce) {
  EXPECT_EQ(json_problems("{\"format\": \"other\",\n\"wealth\": 7}"),
            "m.json:1: format: found 'other', must be 'quantiplan-model/1'");
  EXPECT_EQ(json_problems("{\"format\": \"quantiplan-model/1\",\n\"wealth\": {\"kind\": "),
            "m.json:2: no valid JSON: found the end of the text, expected a value");
  EXPECT_EQ(problems_of_wealth(R"({"kind": "weighted counts", "weights": {"A": 1e999}})"),
            "m.json:2: the number '1e999' is beyond 1e308, must be written as a string");
}

TEST(WealthProblems, HostileTexts) {
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "[";
  EXPECT_EQ(problems_of_wealth(R"({"kind": "counts", "labels": )" + deep),
            "m.json:2: nested too deeply, must be at most 64 levels");
  std::string states = "\"0\"";
  for (int i = 1; i < 10000; ++i) states += ",\"" + std::to_string(i) + "\"";
  const std::string large = R"({"kind": "automaton", "states": [)" + states + R"(], "labels": [)" +
                            states + R"(], "start": "0", "transitions": [], "classes": [[)" +
                            states + "]]}";
  EXPECT_EQ(problems_of_wealth(large),
            "m.json:2: wealth: found 10000 states times 10000 labels, must be at most 10000000");
  std::string many;
  for (int i = 0; i < 100000; ++i) many += std::string(i == 0 ? "" : ",") + "7";
  const std::string found = problems_of_wealth(R"({"kind": "counts", "labels": [)" + many + "]}");
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), Problems::kMost - 1);
}

}  // namespace
}  // namespace quantiplan
