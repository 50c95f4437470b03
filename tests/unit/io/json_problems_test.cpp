#include "io/json_problems.hpp"

#include <gtest/gtest.h>

#include "numbers/number_expected.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

// Line 1 opens the model, the choices begin on line 2.
std::string problems_of_choices(const std::string& choices) {
  return json_problems("{\"format\": \"quantiplan-model/1\", \"choices\": [\n" + choices + "]}");
}

std::string problems_of_settings(const std::string& settings) {
  return json_problems(
      "{\"format\": \"quantiplan-model/1\",\n" + settings +
      ",\n\"choices\": [{\"state\": \"home\", \"action\": \"x\", \"next\": {\"home\": 1}}]}");
}

TEST(JsonProblems, TextThatIsNoJson) {
  EXPECT_EQ(json_problems(" \n"),
            "m.json: the text is empty, must be a model: a JSON object, or CSV with the header "
            "idstatefrom,idaction,idstateto,probability,reward");
  EXPECT_EQ(json_problems("{\"states\": [\"ho"),
            "m.json:1: no valid JSON: found the end of the text, expected '\"' at the end of the "
            "string");
  EXPECT_EQ(json_problems("{\"format\": \"quantiplan-model/1\",\n\n"),
            "m.json:3: no valid JSON: found the end of the text, expected a key in double quotes");
  EXPECT_EQ(json_problems("{\n format: 1}"),
            "m.json:2: no valid JSON: found 'format', expected a key in double quotes");
  EXPECT_EQ(json_problems("{\"name\" 1}"), "m.json:1: no valid JSON: found '1', expected ':'");
  EXPECT_EQ(json_problems("{\"name\": \"a\" \"b\"}"),
            "m.json:1: no valid JSON: found '\"b', expected ',' or '}'");
  EXPECT_EQ(json_problems("{\"states\": [\"a\"\n \"b\"]}"),
            "m.json:2: no valid JSON: found '\"b', expected ',' or ']'");
  EXPECT_EQ(
      json_problems("{\"name\": \"a}"),
      "m.json:1: no valid JSON: found the end of the text, expected '\"' at the end of the string");
  EXPECT_EQ(json_problems("{\"name\": \"\\q\"}"),
            "m.json:1: no valid JSON: found '\\q', expected an escape such as \\n or \\u00e9");
  EXPECT_EQ(json_problems("{\"name\": \"\\u12g4\"}"),
            "m.json:1: no valid JSON: found '\\u12g4', expected four hexadecimal digits after \\u");
  EXPECT_EQ(json_problems("{\"horizon\": 1.}"),
            "m.json:1: no valid JSON: found '}', expected digits after the point");
  EXPECT_EQ(json_problems("{\"horizon\": 1e}"),
            "m.json:1: no valid JSON: found '}', expected digits after the 'e'");
  EXPECT_EQ(json_problems("{\"horizon\": NaN}"),
            "m.json:1: no valid JSON: found 'NaN', expected a value");
  EXPECT_EQ(json_problems("{\"horizon\": -Infinity}"),
            "m.json:1: no valid JSON: found 'Infinity', expected a value");
  EXPECT_EQ(json_problems("{\"horizon\": +1}"),
            "m.json:1: no valid JSON: found '+1', expected a value");
}

TEST(JsonProblems, TextBehindTheEnd) {
  EXPECT_EQ(json_problems("{\"format\": \"quantiplan-model/1\", \"choices\": [\n{\"state\": \"a\", "
                          "\"action\": \"x\", "
                          "\"next\": {\"a\": 1}}]}\n\n{}"),
            "m.json:4: no valid JSON: found '{', expected the end of the text");
}

TEST(JsonProblems, BytesThatAreNoText) {
  EXPECT_EQ(json_problems("{\n\"name\": \"\xFF\"}"),
            "m.json:2: found the byte '\\xff', must be UTF-8 text");
  EXPECT_EQ(json_problems(std::string_view("{\n\n\0}", 5)),
            "m.json:3: found a NUL byte, must be text");
  EXPECT_EQ(json_problems("{\"name\": \"\\udead\"}"),
            "m.json:1: found half a surrogate pair in '\\xed\\xba\\xad', must be a character");
  EXPECT_EQ(json_problems("{\"name\": \"\\ud800\"}"),
            "m.json:1: no valid JSON: found '\\ud800', expected a whole surrogate pair");
}

TEST(JsonProblems, HostileNumbers) {
  EXPECT_EQ(
      json_problems("{\"discount\": 1e999999999}"),
      "m.json:1: discount: '1e999999999' is no number: the exponent must be from -1000 to 1000" +
          kNumberExpected);
  EXPECT_EQ(json_problems("{\"discount\": 1e400}"),
            "m.json:1: discount: the number '1e400' is beyond 1e308, must be written as a string");
  EXPECT_EQ(
      problems_of_choices("{\"state\": \"a\", \"action\": \"x\", \"next\": {\"a\": 1e999999999}}"),
      "m.json:2: state 'a', choice 'x': in 'next': '1e999999999' is no number: the exponent "
      "must be from -1000 to 1000" +
          kNumberExpected);
  EXPECT_EQ(
      problems_of_settings("\"discount\": 1e-999999999"),
      "m.json:2: discount: '1e-999999999' is no number: the exponent must be from -1000 to 1000" +
          kNumberExpected);
  EXPECT_EQ(problems_of_settings("\"discount\": 0." + std::string(100000, '3')),
            "m.json:2: discount: '0." + std::string(38, '3') +
                "...' is no number: it has more than 1000 characters" + kNumberExpected);
}

TEST(JsonProblems, HostileNesting) {
  const std::string deep = "{\n\"choices\": " + std::string(100000, '[');
  EXPECT_EQ(json_problems(deep),
            "m.json:2: in the list of choices: found a list, expected an object\n"
            "m.json:2: nested too deeply, must be at most 64 levels");
  EXPECT_EQ(json_problems(std::string(100000, '[')),
            "m.json:1: found a list, expected an object\n"
            "m.json:1: nested too deeply, must be at most 64 levels");
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_NE(json_problems(objects).find("nested too deeply"), std::string::npos);
}

TEST(JsonProblems, UnknownAndRepeatedKeys) {
  EXPECT_EQ(
      problems_of_settings("\"horizn\": 3, \"colour\": {\"a\": [1, {}]}"),
      "m.json:2: unknown key 'horizn' in the model, must be one of 'format', 'name', "
      "'horizon', 'discount', "
      "'initial', 'kind', 'goal', 'labels', 'rewards', 'wealth', 'states', 'choices'; did you mean "
      "'horizon'?\n"
      "m.json:2: unknown key 'colour' in the model, must be one of 'format', 'name', "
      "'horizon', 'discount', "
      "'initial', 'kind', 'goal', 'labels', 'rewards', 'wealth', 'states', 'choices'");
  EXPECT_EQ(problems_of_settings("\"name\": \"a\", \"name\": \"b\""),
            "m.json:2: key 'name' is given twice in the model, must be given once");
  EXPECT_EQ(problems_of_choices(
                "{\"state\": \"a\", \"action\": \"x\", \"rewrd\": 1, \"next\": {\"a\": 1}}"),
            "m.json:2: state 'a', choice 'x': unknown key 'rewrd' in a choice, must be one of "
            "'state', 'action', "
            "'reward', 'next'; did you mean 'reward'?");
  EXPECT_EQ(problems_of_choices(
                "{\"state\": \"a\", \"state\": \"b\", \"action\": \"x\", \"next\": {\"a\": 1}}"),
            "m.json:2: state 'a', choice 'x': key 'state' is given twice in a choice, must be "
            "given once");
  EXPECT_EQ(problems_of_choices(
                "{\"state\": \"a\", \"action\": \"x\", \"next\": [{\"to\": \"a\", \"prob\": 1, "
                "\"probability\": 1}]}"),
            "m.json:2: state 'a', choice 'x': unknown key 'prob' in an outcome, must be one of "
            "'to', 'probability', "
            "'reward'");
  EXPECT_EQ(problems_of_choices(
                "{\"state\": \"a\", \"action\": \"x\", \"next\": {\"a\": 0.5,\n\"a\": 0.5}}"),
            "m.json:3: state 'a', choice 'x': next state 'a' is given twice in 'next', must be "
            "given once");
}

TEST(JsonProblems, ARepeatedStateInALongMap) {
  std::string next;
  for (int i = 0; i < 100; ++i) next += "\"s" + std::to_string(i) + "\": 0.01, ";
  EXPECT_EQ(problems_of_choices("{\"state\": \"a\", \"action\": \"x\", \"next\": {" + next +
                                "\n\"s5\": 0}}"),
            "m.json:3: state 'a', choice 'x': next state 's5' is given twice in 'next', must be "
            "given once");
}

TEST(JsonProblems, MissingKeys) {
  EXPECT_EQ(
      json_problems("\n{}"),
      "m.json:2: missing key 'format' in the model\nm.json:2: missing key 'choices' in the model");
  EXPECT_EQ(
      problems_of_choices("{},\n{\"state\": \"a\", \"action\": \"x\"},\n"
                          "{\"state\": \"a\", \"action\": \"y\", \"next\": [{\"reward\": 1}]}"),
      "m.json:2: choice number 1: missing key 'state' in a choice\n"
      "m.json:2: choice number 1: missing key 'action' in a choice\n"
      "m.json:2: choice number 1: missing key 'next' in a choice\n"
      "m.json:3: state 'a', choice 'x': missing key 'next' in a choice\n"
      "m.json:4: state 'a', choice 'y': missing key 'to' in an outcome\n"
      "m.json:4: state 'a', choice 'y': missing key 'probability' in an outcome");
}

TEST(JsonProblems, WrongFormat) {
  EXPECT_EQ(json_problems("{\"format\": \"quantiplan-policy/1\",\n\"rules\": []}"),
            "m.json:1: format: found 'quantiplan-policy/1', must be 'quantiplan-model/1'");
}

TEST(JsonProblems, ValuesOfTheWrongKind) {
  EXPECT_EQ(json_problems("5"), "m.json:1: found a number, expected an object");
  EXPECT_EQ(
      problems_of_settings(
          "\"name\": 1, \"horizon\": [], \"discount\": null, \"initial\": true, \"states\": {}"),
      "m.json:2: name: found a number, expected a string\n"
      "m.json:2: horizon: found a list, expected a number or 'infinite'\n"
      "m.json:2: discount: found null, expected a number, or a string with a number\n"
      "m.json:2: initial: found true or false, expected a string\n"
      "m.json:2: states: found an object, expected a list");
  EXPECT_EQ(problems_of_settings("\"states\": [\"home\", 1, []]"),
            "m.json:2: in the list of states: found a number, expected a string\n"
            "m.json:2: in the list of states: found a list, expected a string");
  EXPECT_EQ(
      problems_of_choices("1,\n{\"state\": 1, \"action\": \"x\", \"reward\": {}, \"next\": 1},\n"
                          "{\"state\": \"a\", \"action\": \"y\", \"next\": [1, {\"to\": \"a\", "
                          "\"probability\": []}]},\n"
                          "{\"state\": \"a\", \"action\": \"z\", \"next\": {\"a\": {}}}"),
      "m.json:2: in the list of choices: found a number, expected an object\n"
      "m.json:3: choice number 1: state: found a number, expected a string\n"
      "m.json:3: choice number 1: reward: found an object, expected a number, or a string with a "
      "number\n"
      "m.json:3: choice number 1: next: found a number, expected an object or a list\n"
      "m.json:4: state 'a', choice 'y': in 'next': found a number, expected an object\n"
      "m.json:4: state 'a', choice 'y': probability: found a list, expected a number, or a string "
      "with a number\n"
      "m.json:5: state 'a', choice 'z': in 'next': found an object, expected a probability");
}

TEST(JsonProblems, NumbersThatAreNone) {
  EXPECT_EQ(problems_of_choices("{\"state\": \"a\", \"action\": \"x\", \"reward\": \"nan\", "
                                "\"next\": {\"a\": \"one\"}},\n"
                                "{\"state\": \"a\", \"action\": \"y\", \"next\": [{\"to\": \"a\", "
                                "\"probability\": \"1/0\"}]}"),
            "m.json:2: state 'a', choice 'x': reward: 'nan' is no number: it is not finite" +
                kNumberExpected +
                "\nm.json:2: state 'a', choice 'x': 'a': probability: 'one' is no number: it does "
                "not begin with a "
                "digit" +
                kNumberExpected +
                "\nm.json:3: state 'a', choice 'y': probability: '1/0' is no number: the "
                "denominator is 0" +
                kNumberExpected);
}

TEST(JsonProblems, HorizonsThatAreNone) {
  const std::string wanted = ", must be a whole number from 1 to 1000000000, or 'infinite'";
  EXPECT_EQ(problems_of_settings("\"horizon\": 2.5"), "m.json:2: horizon: found '2.5'" + wanted);
  EXPECT_EQ(problems_of_settings("\"horizon\": -3"), "m.json:2: horizon: found '-3'" + wanted);
  EXPECT_EQ(problems_of_settings("\"horizon\": 1e30"), "m.json:2: horizon: found '1e30'" + wanted);
  EXPECT_EQ(problems_of_settings("\"horizon\": 0"),
            "m.json:2: horizon: found 0, must be from 1 to 1000000000, or infinite");
  // The number that stands for the infinite horizon inside is none in a file.
  EXPECT_EQ(problems_of_settings("\"horizon\": 18446744073709551615"),
            "m.json:2: horizon: found '18446744073709551615'" + wanted);
  EXPECT_EQ(problems_of_settings("\"horizon\": \"eternal\""),
            "m.json:2: horizon: found 'eternal'" + wanted);
}

TEST(JsonProblems, GoalsAndCosts) {
  EXPECT_EQ(problems_of_settings("\"goal\": [\"b\",\n\"home\",\n\"home\"]"),
            "m.json:2: goal: unknown state 'b', must be a state of the model\n"
            "m.json:4: goal: state 'home' is given twice, must be once");
  EXPECT_EQ(problems_of_settings("\"goal\": [1,\n[]]"),
            "m.json:2: in the list of goal states: found a number, expected a string\n"
            "m.json:3: in the list of goal states: found a list, expected a string");
  EXPECT_EQ(problems_of_settings("\"goal\": \"a\""),
            "m.json:2: goal: found a string, expected a list");
  EXPECT_EQ(problems_of_settings("\"rewards\": \"costs\""),
            "m.json:2: rewards: found 'costs', must be 'reward' or 'cost'");
  EXPECT_EQ(problems_of_settings("\"rewards\": true"),
            "m.json:2: rewards: found true or false, expected a string");
}

TEST(JsonProblems, Labels) {
  EXPECT_EQ(problems_of_settings("\"labels\": {\"x\": [\"b\",\n1],\n\"y\": \"home\", \"z\": {}}"),
            "m.json:3: in the states of a label: found a number, expected a string\n"
            "m.json:4: in 'labels': found a string, expected a list of states\n"
            "m.json:4: in 'labels': found an object, expected a list of states");
  EXPECT_EQ(problems_of_settings("\"labels\": {\"x\": [\"home\", \"home\"],\n\"x\": [], \"\": []}"),
            "m.json:2: label 'x': state 'home' is given twice, must be once\n"
            "m.json:3: a label name is empty, must have at least one character\n"
            "m.json:3: labels: 'x' is given twice, must be given once");
  EXPECT_EQ(problems_of_settings("\"labels\": {\"x\": [\"home\",\n\"hone\"]}"),
            "m.json:3: label 'x': unknown state 'hone', must be a state of the model; did you mean "
            "'home'?");
  EXPECT_EQ(problems_of_settings("\"labels\": []"),
            "m.json:2: labels: found a list, expected an object");
  EXPECT_EQ(problems_of_settings("\"labels\": \"x\""),
            "m.json:2: labels: found a string, expected an object");
}

TEST(JsonProblems, AreCollectedAndShownByLine) {
  EXPECT_EQ(
      json_problems(
          "{\"format\": \"quantiplan-model/1\", \"initial\": \"hom\", \"states\": [\"home\"],\n"
          "\"choices\": [\n{\"state\": \"home\", \"action\": \"x\", \"next\": {\"home\": 0.5}},\n"
          "{\"state\": \"home\", \"action\": \"y\", \"next\": {}},\n"
          "{\"state\": \"home\", \"action\": \"z\", \"next\": {\"hoem\": 1}}] oops}"),
      "m.json:1: initial: unknown state 'hom', must be a state of the model; did you mean 'home'?\n"
      "m.json:3: state 'home', choice 'x': probabilities sum to 0.5, must be 1\n"
      "m.json:4: state 'home', choice 'y': no outcomes, must have at least one\n"
      "m.json:5: no valid JSON: found 'oops', expected ',' or '}'\n"
      "m.json:5: state 'home', choice 'z': unknown state 'hoem', must be one of the declared "
      "states; did you mean 'home'?");
}

TEST(JsonProblems, SurviveATextThatEndsInsideAChoice) {
  EXPECT_EQ(json_problems("{\"format\": \"quantiplan-model/1\", \"choices\": [\n{\"state\": \"a\", "
                          "\"action\": 5,\n"),
            "m.json:2: choice number 1: action: found a number, expected a string\n"
            "m.json:3: no valid JSON: found the end of the text, expected a key in double quotes");
}

TEST(JsonProblems, AreTwentyAtMost) {
  std::string choices;
  for (int i = 0; i < 50; ++i) choices += (i == 0 ? "" : ",\n") + std::string("{\"state\": 1}");
  try {
    parse_model(
        "{\"format\": \"quantiplan-model/1\", \"choices\": [" + choices + "]}", Format::json, "");
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 20U);
    EXPECT_TRUE(error.problems()[19].message.ends_with(" (further problems not shown)"));
    EXPECT_EQ(error.problems()[0].place, "line 1");
  }
}

}  // namespace
}  // namespace quantiplan
