#include <gtest/gtest.h>

#include "io/model_text.hpp"
#include "io/temporary_folder.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

using Tra = TemporaryFolder;

constexpr const char* kFour =
    "4 5 7\n"
    "0 0 1 1 a\n"
    "1 0 2 0.5 c\n"
    "1 0 3 0.5 c\n"
    "1 1 0 0.7 b\n"
    "1 1 1 0.3 b\n"
    "2 0 2 1 a\n"
    "3 0 3 1\n";

TEST_F(Tra, IsReadWithTheFilesBesideIt) {
  write("m.tra", kFour);
  write("m.lab", "0=\"init\" 1=\"deadlock\" 2=\"heads\" 3=\"none\"\n0: 0\n2: 2\n3: 1 2\n");
  write("m.srew", "4 2\n1 10\n2 0.25\n");
  write("m.trew", "4 5 3\n1 0 3 6\n1 1 0 1/3\n1 1 1 5\n");
  write("m.sta", "(s,b)\n0:(0,true)\n1:(1,true)\n2:(-1,false)\n3:(3,false)\n");
  const ReadModel read = read_model(path("m.tra"));
  EXPECT_EQ(choices_text(read.model),
            "0 a: 1 1 0\n1 c: 2 0.5 10, 3 0.5 16\n1 b: 0 0.7 31/3, 1 0.3 15\n2 a: 2 1 0.25\n");
  EXPECT_EQ(labels_text(read.model), "init: 0\nheads: 2 3\nnone:\n");
  EXPECT_EQ(names_text(read.model), "(s=0,b=true)\n(s=1,b=true)\n(s=-1,b=false)\n(s=3,b=false)\n");
  EXPECT_TRUE(read.model.is_terminal(State{3}));
  EXPECT_EQ(read.model.horizon(), kInfiniteHorizon);
  EXPECT_TRUE(read.notices.empty());
}

TEST_F(Tra, AloneHasAnInitialStateAndNoRewards) {
  const ReadModel read = parse_model(kFour, Format::tra, "m.tra");
  EXPECT_EQ(labels_text(read.model), "init: 0\n");
  EXPECT_EQ(names_text(read.model), "0\n1\n2\n3\n");
  EXPECT_FALSE(read.model.is_terminal(State{3}));
  EXPECT_EQ(
      read.notices,
      (std::vector<std::string>{
          "m.tra: no reward structure: every reward is 0",
          "m.tra: no .lab beside it: the initial state is state 0, and no state has a label"}));
}

TEST_F(Tra, ChoicesAreNamedByTheirLabels) {
  const Model model =
      parse_model(
          "2 6 6\n0 0 1 1 a\n0 1 0 1 a\n0 2 1 1\n0 3 0 1\n0 4 1 1 b\n1 0 1 1 a\n", Format::tra, "")
          .model;
  EXPECT_EQ(choices_text(model),
            "0 a: 1 1 0\n0 a#2: 0 1 0\n0 []: 1 1 0\n0 []#2: 0 1 0\n0 b: 1 1 0\n1 a: 1 1 0\n");
}

TEST_F(Tra, ChainsHaveOneChoiceAState) {
  write("m.tra", "# Transitions (DTMC)\n3 4\n\n0 1 0.5 heads\n0 2 1/2 tails\n1 1 1 loop\n2 2 1\n");
  write("m.lab", "0=\"init\" 1=\"deadlock\"\n0: 0\n");
  write("m.trew", "3 1\n0 2 4\n");
  EXPECT_EQ(choices_text(read_model(path("m.tra")).model),
            "0 []: 1 0.5 0, 2 0.5 4\n1 loop: 1 1 0\n2 []: 2 1 0\n");
}

TEST_F(Tra, RowsMayHoldWholeChoices) {
  EXPECT_EQ(
      choices_text(parse_model("2 3 4\n0 0.5:0 0.5:1 a\n0 1:1\n1 1:1\n", Format::tra, "").model),
      "0 a: 0 0.5 0, 1 0.5 0\n0 []: 1 1 0\n1 []: 1 1 0\n");
  EXPECT_EQ(choices_text(parse_model("2 3\n0 0.5:0 0.5:1\n1 1:1\n", Format::tra, "").model),
            "0 []: 0 0.5 0, 1 0.5 0\n1 []: 1 1 0\n");
}

TEST_F(Tra, StormsVariantHasNoCounts) {
  write("m.tra", "mdp\n0 0 1 0.5\n0 0 2 0.5\n0 1 1 1\n1 0 1 1\n2 0 2 1\n");
  write("m.lab", "#DECLARATION\ninit deadlock one\n#END\n0 init\n1 one deadlock\n2 one\n");
  write("m.srew", "0 1\n");
  write("m.trew", "0 0 2 3\n2 0 2 1\n");
  const Model model = read_model(path("m.tra")).model;
  EXPECT_EQ(choices_text(model), "0 []: 1 0.5 1, 2 0.5 4\n0 []#2: 1 1 1\n2 []: 2 1 1\n");
  EXPECT_EQ(labels_text(model), "init: 0\none: 1 2\n");
  EXPECT_EQ(choices_text(parse_model("dtmc\n0 1 1\n1 1 1\n", Format::tra, "").model),
            "0 []: 1 1 0\n1 []: 1 1 0\n");
}

TEST_F(Tra, RewardsOfTerminalStatesAreNeverCollected) {
  write("m.tra", "3 2 2\n0 0 1 1\n1 0 1 1\n");
  write("m.lab", "0=\"init\" 1=\"deadlock\"\n0: 0\n1: 1\n");
  write("m.srew", "3 2\n0 1\n1 1\n");
  const ReadModel read = read_model(path("m.tra"));
  EXPECT_EQ(choices_text(read.model), "0 []: 1 1 1\n");
  EXPECT_EQ(read.notices,
            std::vector<std::string>{path("m.tra") +
                                     ": 1 terminal state has a reward, which is collected on "
                                     "leaving a state only: never there"});
}

TEST_F(Tra, ThereMayBeNoInitialStateOrSeveral) {
  write("m.tra", "2 2 2\n0 0 1 1\n1 0 1 1\n");
  write("m.trew", "2 2 0\n");
  write("m.lab", "0=\"init\" 1=\"deadlock\"\n0: 0\n1: 0\n");
  ReadModel read = read_model(path("m.tra"));
  EXPECT_FALSE(read.model.initial());
  EXPECT_EQ(read.model.possible_initial(), (std::vector<State>{State{0}, State{1}}));
  EXPECT_EQ(read.notices, std::vector<std::string>{});
  write("m.lab", "0=\"init\" 1=\"deadlock\"\n");
  read = read_model(path("m.tra"));
  EXPECT_FALSE(read.model.initial());
  EXPECT_EQ(read.notices,
            std::vector<std::string>{path("m.lab") +
                                     ": no state has the label 'init': the model has no initial "
                                     "state"});
}

TEST_F(Tra, RewardStructuresAreChosenByNameOrNumber) {
  write("m.tra", "2 2 2\n0 0 1 1\n1 0 1 1\n");
  write("m.lab", "0=\"init\"\n0: 0\n");
  write("m1.srew", "# Reward structure \"time\"\n# State rewards\n2 1\n0 1\n");
  write("m1.trew", "# Reward structure \"time\"\n# Transition rewards\n2 2 0\n");
  write("m2.srew", "# State rewards\n2 1\n0 2\n");
  write("m3.trew", "# Reward structure \"energy\"\n2 2 1\n0 0 1 3\n");
  const auto reward = [&](std::optional<std::string> wanted) {
    ReadOptions options;
    options.reward = std::move(wanted);
    const ReadModel read = read_model(path("m.tra"), options);
    return to_text(read.model.reward(read.model.outcomes(Choice{0})[0])) +
           (read.notices.empty() ? "" : " " + read.notices[0]);
  };
  EXPECT_EQ(reward("time"), "1");
  EXPECT_EQ(reward("2"), "2");
  EXPECT_EQ(reward("energy"), "3");
  EXPECT_EQ(reward("3"), "3");
  EXPECT_EQ(reward(std::nullopt),
            "1 " + path("m.tra") +
                ": the reward structure is 'time', the first of 3; --reward takes another: number "
                "2, 'energy'");
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { reward("tine"); }),
            "--reward: unknown reward structure 'tine', must be one of 'time', number 2, 'energy', "
            "or a number from 1 to 3; did you mean 'time'?");
  // Files of another model are not rewards of this one.
  write("m1.tra", "2 2 2\n0 0 1 1\n1 0 1 1\n");
  EXPECT_EQ(thrown(ErrorCode::bad_request, [&] { reward("time"); }),
            "--reward: found 'time', but the model has no reward structure");
}

TEST_F(Tra, IsWrittenWithTheFilesBesideIt) {
  ModelBuilder builder;
  builder.initial("(x=0)").declare_state("(x=0)").declare_state("(x=1)");
  builder.label("one").labelled("(x=1)").horizon(kInfiniteHorizon);
  builder.begin_choice("(x=0)", "a").add_outcome("(x=1)", "1/3", "-0.5");
  builder.add_outcome("(x=0)", "2/3", 0);
  builder.begin_choice("(x=0)", "a#2").add_outcome("(x=1)", 1, 0);
  builder.begin_choice("(x=0)", "[]").add_outcome("(x=1)", 1, 2);
  const Model model = builder.build();
  std::vector<std::string> lost{"something"};
  write("m.srew", "an earlier model's");
  write_model(model, path("m.tra"), &lost);
  EXPECT_TRUE(lost.empty());
  EXPECT_EQ(read_text(path("m.tra")),
            "2 4 5\n0 0 1 1/3 a\n0 0 0 2/3 a\n0 1 1 1 a\n0 2 1 1\n1 0 1 1\n");
  EXPECT_EQ(read_text(path("m.lab")), "0=\"init\" 1=\"deadlock\" 2=\"one\"\n0: 0\n1: 1 2\n");
  EXPECT_EQ(read_text(path("m.trew")), "2 4 2\n0 0 1 -0.5\n0 2 1 2\n");
  EXPECT_EQ(read_text(path("m.sta")), "(x)\n0:(0)\n1:(1)\n");
  EXPECT_EQ(count(), 4U);
  const ReadModel read = read_model(path("m.tra"));
  EXPECT_EQ(choices_text(read.model), choices_text(model));
  EXPECT_EQ(names_text(read.model), names_text(model));
  EXPECT_TRUE(read.notices.empty());
}

TEST_F(Tra, SaysWhatItCannotHold) {
  ModelBuilder builder;
  builder.name("n").horizon(7).discount("0.9").goal("b").rewards_are_costs().initial("a");
  builder.begin_choice("a", "two words").add_outcome("b", 1, 0);
  builder.begin_choice("a", "[] M").add_outcome("b", 1, 0);
  builder.label("a \"label\"").label("init").labelled("b");
  std::vector<std::string> lost;
  write_model(builder.build(), path("m.tra"), &lost);
  EXPECT_EQ(lost,
            (std::vector<std::string>{"the name",
                                      "the horizon",
                                      "the discount",
                                      "the note that rewards are costs",
                                      "the label 'a \"label\"'",
                                      "the label 'init'",
                                      "that the label 'goal' is the goal",
                                      "the names of the states",
                                      "the names of choices that are no single words"}));
  EXPECT_EQ(read_text(path("m.tra")), "2 3 3\n0 0 1 1 two_words\n0 1 1 1\n1 0 1 1\n");
  EXPECT_EQ(count(), 2U);  // no rewards, no valuations

  builder.goal("b").label("goal").labelled("a");
  builder.begin_choice("a", "x").add_outcome("b", 1, 0);
  format_tra_model(builder.build(), lost);
  EXPECT_EQ(lost, (std::vector<std::string>{"the goal", "the names of the states"}));
}

TEST_F(Tra, RefusesWhatItCannotHoldAtAll) {
  ModelBuilder builder;
  builder.begin_choice("a", "x").add_outcome("b", "0.5", 0).add_outcome("b", "0.5", 1);
  const Model model = builder.build();
  EXPECT_EQ(thrown(ErrorCode::refused, [&] { write_model(model, path("m.tra")); }),
            "state 'a', choice 'x': leads to 'b' with different rewards, which a .tra cannot hold; "
            "write JSON or CSV");
  EXPECT_EQ(thrown(ErrorCode::refused, [&] { format_model(model, Format::tra); }),
            "a .tra is several files, cannot be one text: give a file that ends in .tra");
  EXPECT_EQ(thrown(ErrorCode::refused, [&] { write_model(model, "-", Format::tra); }),
            "a .tra is several files, cannot be one text: give a file that ends in .tra");
  const Model labels = read_model(QUANTIPLAN_SOURCE_DIR "/examples/service.json").model;
  EXPECT_EQ(
      thrown(ErrorCode::refused, [&] { write_model(labels, path("m.tra")); }),
      "a .tra holds numbers as rewards, the model has labels: it can be written as JSON only");
  EXPECT_EQ(count(), 0U);
}

TEST_F(Tra, WithoutRewardsHidesThoseOfAnEarlierModel) {
  write("m1.srew", "# Reward structure \"time\"\n2 0\n");
  ModelBuilder builder;
  builder.begin_choice("0", "x").add_outcome("1", 1, 0);
  write_model(builder.build(), path("m.tra"));
  EXPECT_EQ(read_text(path("m.trew")), "2 2 0\n");
  EXPECT_EQ(choices_text(read_model(path("m.tra")).model), "0 x: 1 1 0\n");
}

}  // namespace
}  // namespace quantiplan
