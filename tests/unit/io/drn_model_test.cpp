#include <gtest/gtest.h>

#include "io/model_text.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

constexpr const char* kThree =
    "// Exported by a model checker\n"
    "@type: MDP\n"
    "@value_type: double\n"
    "@parameters\n"
    "\n"
    "@reward_models\n"
    "cost utility\n"
    "@nr_states\n"
    "3\n"
    "@nr_choices\n"
    "4\n"
    "@model\n"
    "state 0 [0.5, 0] init\n"
    "\taction a [1, 0]\n"
    "\t\t1 : 0.5\n"
    "\t\t2 : 1/2\n"
    "\taction b [2, 5]\n"
    "\t\t2 : 1\n"
    "// a comment\n"
    "state 1 [0, 0] goal deadlock\n"
    "\taction 0 [0, 0]\n"
    "\t\t1 : 1\n"
    "state 2 [0, 7] \"other label\" goal\n"
    "\taction 0 [0, 0]\n"
    "\t\t2 : 1\n";

ReadModel drn(const std::string& text, std::optional<std::string> reward = std::nullopt) {
  ReadOptions options;
  options.reward = std::move(reward);
  return parse_model(text, Format::drn, "m.drn", options);
}

TEST(Drn, IsReadAsStormWritesIt) {
  const ReadModel read = drn(kThree);
  EXPECT_EQ(choices_text(read.model), "0 a: 1 0.5 1.5, 2 0.5 1.5\n0 b: 2 1 2.5\n2 []: 2 1 0\n");
  EXPECT_EQ(labels_text(read.model), "init: 0\ngoal: 1 2\nother label: 2\n");
  EXPECT_EQ(names_text(read.model), "0\n1\n2\n");
  EXPECT_EQ(read.model.horizon(), kInfiniteHorizon);
  EXPECT_EQ(read.notices,
            std::vector<std::string>{"m.drn: the reward structure is 'cost', the first of 2; "
                                     "--reward takes another: 'utility'"});
  for (const char* which : {"utility", "2"}) {
    EXPECT_EQ(choices_text(drn(kThree, which).model),
              "0 a: 1 0.5 0, 2 0.5 0\n0 b: 2 1 5\n2 []: 2 1 7\n");
  }
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { drn(kThree, "x"); }),
            "--reward: unknown reward structure 'x', must be one of 'cost', 'utility', or a number "
            "from 1 to 2");
}

TEST(Drn, ChainsMayLeaveOutActions) {
  const ReadModel read = drn(
      "@type: DTMC\r\n@placeholders\r\n$p : 1/3\r\n$q : 2/3\r\n@parameters\r\n@reward_models\r\n"
      "@nr_states\r\n2\r\n@model\r\nstate 0 init\r\n0 : $p\r\n1 : $q\r\nstate 1\r\naction 0\r\n"
      "1:1\r\n");
  EXPECT_EQ(choices_text(read.model), "0 []: 0 1/3 0, 1 2/3 0\n1 []: 1 1 0\n");
  EXPECT_EQ(read.notices,
            std::vector<std::string>{"m.drn: no reward structure: every reward is 0"});
}

TEST(Drn, NumbersAreNoNamesOfChoices) {
  EXPECT_EQ(choices_text(drn("@type: MDP\n@model\nstate 0 init\naction 1\n0 : 1\naction 1\n0 : 1\n"
                             "action __NOLABEL__\n0 : 1\naction x\n0 : 1\naction x\n0 : 1\n")
                             .model),
            "0 1: 0 1 0\n0 []: 0 1 0\n0 []#2: 0 1 0\n0 x: 0 1 0\n0 x#2: 0 1 0\n");
}

TEST(Drn, StatesHaveTheNamesOfTheirComments) {
  EXPECT_EQ(
      names_text(drn("@type: MDP\n@model\nstate 0 init\n// name: at home, 1\naction a\n1 : 1\n"
                     "state 1\n")
                     .model),
      "at home, 1\n1\n");
  EXPECT_EQ(names_text(drn("@type: MDP\n@model\nstate 0 init\n//[s=0\t& !b\t& c]\naction a\n1 : 1\n"
                           "state 1\n//[s=-1\t& b=true\t& !c]\n")
                           .model),
            "(s=0,b=false,c=true)\n(s=-1,b=true,c=false)\n");
  const ReadModel same =
      drn("@type: MDP\n@reward_models\nr\n@model\nstate 0 init\n//[s=0]\naction a\n1 : 1\n"
          "state 1\n//[s=0]\n");
  EXPECT_EQ(names_text(same.model), "0\n1\n");
  EXPECT_EQ(same.notices,
            std::vector<std::string>{
                "m.drn: several states have the same variables: states are named by number"});
  EXPECT_EQ(
      names_text(drn("@type: MDP\n@model\nstate 0 init\n//[f(s)=0]\naction a\n0 : 1\n").model),
      "0\n");
}

TEST(Drn, RewardsOfTerminalStatesAreNeverCollected) {
  const ReadModel read =
      drn("@type: MDP\n@reward_models\nr\n@model\nstate 0 [1] init\naction a\n1 : 0.5\n2 : 0.5\n"
          "state 1 [1]\nstate 2 [1] deadlock\naction 0 [0]\n2 : 1\n");
  EXPECT_EQ(choices_text(read.model), "0 a: 1 0.5 1, 2 0.5 1\n");
  EXPECT_EQ(read.notices,
            std::vector<std::string>{"m.drn: 2 terminal states have rewards, which is collected on "
                                     "leaving a state only: never there"});
}

TEST(Drn, IsWrittenSoThatNamesSurvive) {
  ModelBuilder builder;
  builder.initial("home").horizon(kInfiniteHorizon);
  builder.begin_choice("home", "a").add_outcome("1", "1/3", -2).add_outcome("home", "2/3", -2);
  builder.begin_choice("home", "[]").add_outcome("1", 1, 0);
  builder.label("late").labelled("1").label("at work").labelled("1");
  const Model model = builder.build();
  std::vector<std::string> lost;
  const std::string text = format_model(model, Format::drn, &lost);
  EXPECT_TRUE(lost.empty());
  EXPECT_EQ(text,
            "@type: MDP\n@value_type: rational\n@parameters\n\n@reward_models\nreward\n@nr_states\n"
            "2\n@nr_choices\n3\n@model\nstate 0 [0] init\n// name: home\n\taction a [-2]\n"
            "\t\t1 : 1/3\n\t\t0 : 2/3\n\taction __NOLABEL__ [0]\n\t\t1 : 1\n"
            "state 1 [0] deadlock late \"at work\"\n\taction __NOLABEL__ [0]\n\t\t1 : 1\n");
  const Model read = drn(text).model;
  EXPECT_EQ(choices_text(read), choices_text(model));
  EXPECT_EQ(labels_text(read), labels_text(model));
  EXPECT_EQ(names_text(read), names_text(model));
}

TEST(Drn, WithoutLabelsChoicesAreNumbered) {
  ModelBuilder builder;
  builder.begin_choice("0", "[]").add_outcome("0", 1, 0);
  builder.begin_choice("0", "[]#2").add_outcome("0", 1, 0);
  const std::string text = format_model(builder.build(), Format::drn);
  EXPECT_EQ(text.substr(text.find("@model")),
            "@model\nstate 0\n\taction 0\n\t\t0 : 1\n\taction 1\n\t\t0 : 1\n");
}

TEST(Drn, SaysWhatItCannotHold) {
  ModelBuilder builder;
  builder.name("n").goal("b\n").discount(1).label("never");
  builder.begin_choice("a", "0").add_outcome("b\n", 1, 0);
  std::vector<std::string> lost;
  const Model model = builder.build();
  format_model(model, Format::drn, &lost);
  EXPECT_EQ(lost,
            (std::vector<std::string>{"the name",
                                      "the discount",
                                      "that the label 'goal' is the goal",
                                      "the label 'never', of no state",
                                      "the names of the states",
                                      "the names of choices that are numbers or no single words"}));
  builder.begin_choice("a", "x").add_outcome("a", "0.5", 0).add_outcome("b", "0.5", 1);
  EXPECT_EQ(
      thrown(ErrorCode::refused, [&] { format_model(builder.build(), Format::drn); }),
      "state 'a', choice 'x': the reward depends on the next state, which a .drn cannot hold; "
      "write a .tra or JSON");
  const Model vectors = read_model(QUANTIPLAN_SOURCE_DIR "/examples/delivery.json").model;
  EXPECT_EQ(
      thrown(ErrorCode::refused, [&] { format_model(vectors, Format::drn); }),
      "a .drn holds numbers as rewards, the model has vectors: it can be written as JSON only");
}

}  // namespace
}  // namespace quantiplan
