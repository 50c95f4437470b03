#include <gtest/gtest.h>

#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

// Two automata that meet on "go"; the first has two locations and earns on its edge.
const std::string kJani = R"({"jani-version": 1, "name": "m", "type": "mdp",
 "features": ["derived-operators"],
 "constants": [{"name": "N", "type": "int"}],
 "actions": [{"name": "go"}, {"name": "done"}],
 "variables": [
  {"name": "x", "type": {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": "N"}, "initial-value": 0},
  {"name": "cost", "type": "real", "transient": true, "initial-value": 0},
  {"name": "full", "type": "bool", "transient": true, "initial-value": false}],
 "automata": [
  {"name": "A", "locations": [{"name": "here", "transient-values": [{"ref": "cost", "value": 2}]}, {"name": "there"}],
   "initial-locations": ["here"],
   "edges": [{"location": "here", "action": "go",
     "guard": {"exp": {"op": "<", "left": "x", "right": "N"}},
     "destinations": [
      {"location": "here", "probability": {"exp": {"op": "/", "left": 1, "right": 3}},
       "assignments": [{"ref": "x", "value": {"op": "+", "left": "x", "right": 1}}, {"ref": "cost", "value": 5}]},
      {"location": "there", "probability": {"exp": {"op": "/", "left": 2, "right": 3}}}]}]},
  {"name": "B", "variables": [{"name": "b", "type": "bool", "initial-value": true}],
   "locations": [{"name": "only", "transient-values": [{"ref": "full", "value": {"op": "∧", "left": {"op": "=", "left": "x", "right": "N"}, "right": "b"}}]}],
   "initial-locations": ["only"],
   "edges": [{"location": "only", "action": "step", "destinations": [{"location": "only", "assignments": [{"ref": "b", "value": {"op": "¬", "exp": "b"}}]}]}]}],
 "system": {"elements": [{"automaton": "A"}, {"automaton": "B"}],
  "syncs": [{"synchronise": ["go", "step"], "result": "both"}]}})";

ReadModel read_jani(const std::string& text) {
  ReadOptions options;
  options.constants = {{"N", "2"}};
  return parse_model(text, Format::jani, "m.jani", options);
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kJani;
  EXPECT_NE(text.find(from), std::string::npos) << from;
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::string jani_problem(const std::string& text) {
  return thrown(ErrorCode::bad_model, [&] { static_cast<void>(read_jani(text)); });
}

TEST(Jani, AutomataMeetOnTheirSyncVectors) {
  const Model model = read_jani(kJani).model;
  EXPECT_EQ(model.state_name(State{0}), "(x=0,A_location=0,b=true)");
  const auto both = model.find_choice(State{0}, "both");
  ASSERT_TRUE(both);
  EXPECT_EQ(model.choice_count(State{0}), 1U);
  const auto outcomes = model.outcomes(*both);
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_EQ(model.state_name(outcomes[0].next), "(x=1,A_location=0,b=false)");
  EXPECT_EQ(model.probability(outcomes[0]), Rational(1, 3));
  EXPECT_EQ(model.reward(outcomes[0]), 7);  // of the location and of the destination
  EXPECT_EQ(model.reward(outcomes[1]), 2);
  EXPECT_EQ(model.reward_names(), std::vector<std::string>{"cost"});
  ASSERT_NE(model.find_label("full"), nullptr);
  ASSERT_EQ(model.find_label("full")->states.size(), 1U);
  EXPECT_EQ(model.state_name(model.find_label("full")->states[0]), "(x=2,A_location=0,b=true)");
}

// A chain of states x = 3, -2, ... : each the value of an expression over the last.
std::vector<std::string> states_of(const std::string& expression) {
  const std::string text = R"({"jani-version": 1, "name": "m", "type": "mdp",
 "variables": [{"name": "x", "type": {"kind": "bounded", "base": "int", "lower-bound": -9, "upper-bound": 9}, "initial-value": -7}],
 "automata": [{"name": "A", "locations": [{"name": "l"}], "initial-locations": ["l"],
   "edges": [{"location": "l", "action": "a", "destinations": [{"location": "l", "assignments": [{"ref": "x", "value": )" +
                           expression + R"(}]}]}]}],
 "system": {"elements": [{"automaton": "A"}]}})";
  const Model model = parse_model(text, Format::jani, "m.jani", {}).model;
  std::vector<std::string> out;
  for (std::uint32_t s = 0; s < model.state_count(); ++s)
    out.emplace_back(model.state_name(State{s}));
  return out;
}

TEST(Jani, HasAbsoluteValuesSignsAndTruncation) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(states_of(R"({"op": "abs", "exp": "x"})"), (Names{"(x=-7)", "(x=7)"}));
  EXPECT_EQ(states_of(R"({"op": "sgn", "exp": "x"})"), (Names{"(x=-7)", "(x=-1)"}));
  EXPECT_EQ(states_of(R"({"op": "trc", "exp": {"op": "/", "left": "x", "right": 2}})"),
            (Names{"(x=-7)", "(x=-3)", "(x=-1)", "(x=0)"}));
  EXPECT_EQ(
      states_of(
          R"({"op": "trc", "exp": {"op": "abs", "exp": {"op": "/", "left": "x", "right": 2}}})"),
      (Names{"(x=-7)", "(x=3)", "(x=1)", "(x=0)"}));
}

// Each level is one node: twice as many would be 2^400.
TEST(Jani, ReadsNestedFunctionsOnce) {
  std::string nested = "\"x\"";
  for (int level = 0; level < 400; ++level)
    nested.insert(0, R"({"op": "abs", "exp": )").append("}");
  EXPECT_EQ(states_of(nested), (std::vector<std::string>{"(x=-7)", "(x=7)"}));
}

TEST(Jani, TakesLabelledStepsOfSeveralAutomataByVectorsOnly) {
  const std::size_t begin = kJani.find(",\n  \"syncs\"");
  const Model model = read_jani(kJani.substr(0, begin) + "}}").model;
  EXPECT_EQ(model.state_count(), 1U);
  EXPECT_EQ(model.choice_count(), 0U);
}

TEST(Jani, RefusesByNameWhatIsOutside) {
  EXPECT_EQ(jani_problem(changed("\"mdp\"", "\"pta\"")),
            "m.jani:1: type: found 'pta', which is not supported; expected mdp or dtmc");
  EXPECT_EQ(
      jani_problem(changed("\"derived-operators\"", "\"arrays\"")),
      "m.jani:2: features: found 'arrays', which is not supported; expected derived-operators "
      "or state-exit-rewards");
  EXPECT_EQ(
      jani_problem(changed("\"type\": \"bool\", \"initial-value\": true", "\"type\": \"clock\"")),
      "m.jani:18: variable 'b': found the type 'clock', which is not supported, expected bool "
      "or a bounded int");
  EXPECT_EQ(jani_problem(changed("\"op\": \"¬\"", "\"op\": \"sin\"")).substr(0, 68),
            "m.jani:21: found the operator 'sin', which is not supported; expecte");
  EXPECT_EQ(jani_problem(changed("[\"go\", \"step\"]", "[\"go\"]")),
            "m.jani:23: synchronise: found 1 actions, expected 2, one for each element");
  EXPECT_EQ(jani_problem(changed("\"location\": \"there\"", "\"location\": \"away\"")),
            "m.jani:17: unknown location 'away' of automaton 'A'");
}

}  // namespace
}  // namespace quantiplan
