// Models of other wealths than sums, read and written.
#include <gtest/gtest.h>

#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

// With choices that begin on line 4.
std::string text(const std::string& wealth, const std::string& choices) {
  return "{\n  \"format\": \"quantiplan-model/1\",\n  \"wealth\": " + wealth +
         ",\n  \"states\": [\"a\", \"b\"],\n  \"choices\": [\n" + choices + "\n  ]\n}\n";
}

std::string choice(const std::string& rest) {
  return "    {\"state\": \"a\", \"action\": \"x\", " + rest + "}";
}

Model model_of(const std::string& wealth, const std::string& rest) {
  return parse_model(text(wealth, choice(rest)), Format::json, "m.json").model;
}

void expect_written_as_read(const std::string& wealth, const std::string& rest) {
  const std::string given = text(wealth, choice(rest));
  const Model model = parse_model(given, Format::json, "m.json").model;
  EXPECT_EQ(format_model(model, Format::json), given);
}

const char* const kTwoVectors =
    R"("next": [{"to": "a", "probability": 0.5, "reward": [1, "1/3"]}, {"to": "b", "probability": 0.5}])";
const char* const kTwoLabels =
    R"("next": [{"to": "a", "probability": 0.5, "reward": "A"}, {"to": "b", "probability": 0.5}])";
const char* const kAutomaton = R"({"kind": "automaton",
    "states": ["ok", "seen A", "bad"],
    "start": "ok",
    "labels": ["A", "B"],
    "transitions": [
      {"from": "ok", "label": "A", "to": "seen A"},
      {"from": "ok", "label": "B", "to": "ok"},
      {"from": "seen A", "label": "A", "to": "seen A"},
      {"from": "seen A", "label": "B", "to": "bad"},
      {"from": "bad", "label": "*", "to": "bad"}],
    "classes": [
      {"name": "violated", "states": ["bad"]},
      {"name": "fine", "states": ["ok", "seen A"]}]})";
const char* const kTable = R"({"kind": "table",
    "classes": ["bad", "fair", "good"],
    "start": "fair",
    "labels": ["A", "B", "C"],
    "table": {
      "bad": {"B": "fair", "*": "bad"},
      "fair": {"A": "good", "B": "bad", "C": "fair"},
      "good": {"*": "good"}}})";

TEST(WealthModel, IsWrittenAsItIsRead) {
  for (const char* kind : {"\"max\"", "\"min\"", "\"product\""}) {
    expect_written_as_read(kind, R"("reward": 2, "next": {"a": 0.5, "b": 0.5})");
    expect_written_as_read(
        kind,
        R"("next": [{"to": "a", "probability": 0.5, "reward": 2}, {"to": "b", "probability": 0.5, "reward": 3}])");
  }
  expect_written_as_read("\"max\"", R"("reward": 0, "next": {"a": 0.5, "b": 0.5})");
  expect_written_as_read(
      R"({"kind": "lexicographic", "components": [{"name": "late", "better": "less"}, ""]})",
      kTwoVectors);
  expect_written_as_read(R"({"kind": "lexicographic", "components": ["late", "cost"]})",
                         R"("reward": [0, 1], "next": {"a": 0.5, "b": 0.5})");
  expect_written_as_read(R"({"kind": "counts", "labels": ["A", "B"]})", kTwoLabels);
  expect_written_as_read(R"({"kind": "counts", "labels": ["A", "B"], "first": "best"})",
                         R"("reward": "B", "next": {"a": 0.5, "b": 0.5})");
  expect_written_as_read(R"({"kind": "weighted counts", "weights": {"A": 1, "B": "7/3"}})",
                         kTwoLabels);
  expect_written_as_read(kAutomaton, kTwoLabels);
  expect_written_as_read(kTable, kTwoLabels);
}

TEST(WealthModel, TheSumIsNotWritten) {
  for (const char* wealth : {"\"sum\"", R"({"kind": "sum"})"}) {
    const Model model = model_of(wealth, R"("reward": 1, "next": {"a": 1})");
    EXPECT_TRUE(model.wealth().is_sum());
    EXPECT_EQ(format_model(model, Format::json).find("wealth"), std::string::npos);
  }
}

TEST(WealthModel, StructuresWithoutParametersMayBeObjects) {
  const Model model = model_of(R"({"kind": "max"})", R"("reward": 1, "next": {"a": 1})");
  EXPECT_EQ(model.wealth().kind, WealthKind::max);
}

TEST(WealthModel, MayStandBehindTheChoices) {
  const std::string behind =
      R"({"format": "quantiplan-model/1", "choices": [
        {"state": "a", "action": "x", "reward": "gold", "next": {"a": 1}}],
        "wealth": {"labels": ["tin", "gold"], "kind": "counts"}})";
  const Model model = parse_model(behind, Format::json, "m.json").model;
  EXPECT_EQ(model.reward(model.outcomes(Choice{0})[0]), 1);
}

TEST(WealthModel, TheKeyMayBeEscaped) {
  const std::string escaped =
      R"({"format": "quantiplan-model/1", "\u0077ealth": "max", "choices": [
        {"state": "a", "action": "x", "reward": 1, "next": {"a": 1}}]})";
  EXPECT_EQ(parse_model(escaped, Format::json, "m.json").model.wealth().kind, WealthKind::max);
}

TEST(WealthModel, StatesMayBeCalledWealth) {
  const std::string named =
      R"({"format": "quantiplan-model/1", "choices": [
        {"state": "wealth", "action": "wealth", "reward": 1, "next": {"wealth": 1}}]})";
  EXPECT_TRUE(parse_model(named, Format::json, "m.json").model.wealth().is_sum());
}

TEST(WealthModel, ComponentsMayBeANumber) {
  const Model model = model_of(R"({"kind": "lexicographic", "components": 2})", kTwoVectors);
  ASSERT_EQ(model.wealth().components.size(), 2U);
  EXPECT_EQ(model.wealth().components[1].name, "");
  EXPECT_EQ(model.wealth().vectors[0], (std::vector<Rational>{1, Rational(1, 3)}));
  EXPECT_EQ(model.wealth().vectors[1], (std::vector<Rational>{0, 0}));
}

TEST(WealthModel, LabelsLeftOutAreNone) {
  const Model model = model_of(R"({"kind": "counts", "labels": ["A", "B"]})", kTwoLabels);
  EXPECT_EQ(model.reward(model.outcomes(Choice{0})[0]), 0);
  EXPECT_EQ(model.reward(model.outcomes(Choice{0})[1]), Wealth::kNoLabel);
}

TEST(WealthModel, LabelsOfAnAutomatonMayBeThoseMet) {
  const Model model = model_of(
      R"({"kind": "automaton", "states": ["p", "q"], "start": "q", "transitions": [
         {"from": "p", "label": "*", "to": "q"}, {"from": "q", "label": "A", "to": "p"}],
         "classes": ["q", ["p"]]})",
      kTwoLabels);
  const Wealth& wealth = model.wealth();
  EXPECT_EQ(wealth.labels, std::vector<std::string>{"A"});
  EXPECT_EQ(wealth.start, 1U);
  EXPECT_EQ(wealth.next, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(wealth.classes, (std::vector<std::string>{"q", "p"}));
  EXPECT_EQ(wealth.class_of, (std::vector<std::uint32_t>{1, 0}));
}

TEST(WealthModel, AClassWithoutANameIsCalledByItsStates) {
  const Model model = model_of(
      R"({"kind": "automaton", "states": ["p", "q"], "start": "q", "labels": ["A"], "transitions": [
         {"from": "p", "label": "*", "to": "q"}, {"from": "q", "label": "*", "to": "p"}],
         "classes": [{"states": ["q", "p"]}]})",
      kTwoLabels);
  EXPECT_EQ(model.wealth().classes, std::vector<std::string>{"q | p"});
}

TEST(WealthModel, ATableLeadsFromClassToClass) {
  const Wealth wealth = model_of(kTable, kTwoLabels).wealth();
  EXPECT_EQ(wealth.nodes, wealth.classes);
  EXPECT_EQ(wealth.next, (std::vector<std::uint32_t>{0, 1, 0, 2, 0, 1, 2, 2, 2}));
}

TEST(WealthModel, ACsvHoldsNumbersOnly) {
  std::vector<std::string> lost;
  const Model numbers = model_of("\"max\"", R"("reward": 1, "next": {"a": 1})");
  EXPECT_NE(format_model(numbers, Format::csv, &lost).find("a,x,a,1,1\n"), std::string::npos);
  EXPECT_EQ(lost,
            (std::vector<std::string>{"the wealth structure",
                                      "1 state without choices and transitions"}));
  const Model labels = model_of(R"({"kind": "counts", "labels": ["A"]})", kTwoLabels);
  EXPECT_EQ(thrown(ErrorCode::refused, [&] { format_model(labels, Format::csv); }),
            "a CSV holds numbers as rewards, the model has labels: it can be written as JSON only");
  const Model vectors = model_of(R"({"kind": "lexicographic", "components": 2})", kTwoVectors);
  EXPECT_EQ(
      thrown(ErrorCode::refused, [&] { format_model(vectors, Format::csv); }),
      "a CSV holds numbers as rewards, the model has vectors: it can be written as JSON only");
}

TEST(WealthModel, ExamplesAreWrittenAsTheyAre) {
  for (const char* name : {"treatment", "delivery", "service", "workflow"}) {
    const std::string path = std::string(QUANTIPLAN_SOURCE_DIR "/examples/") + name + ".json";
    EXPECT_EQ(format_model(read_model(path).model, Format::json), read_text(path)) << path;
  }
}

}  // namespace
}  // namespace quantiplan
