#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "io/prism/prism_text.hpp"

namespace quantiplan::prism {
namespace {

// A module of its own, with this inside.
std::string one(const std::string& inside, const std::string& kind = "mdp") {
  return kind + "\nmodule m\n" + inside + "\nendmodule\n";
}

TEST(PrismExploration, MeetsStatesBreadthFirst) {
  EXPECT_EQ(states(one("x : [0..9]; b : bool;\n[] x<2 -> (x'=x+1); [] !b -> (b'=true);")),
            "(x=0,b=false) (x=1,b=false) (x=0,b=true) (x=2,b=false) (x=1,b=true) (x=2,b=true)");
  const Model model = read(one("x : [0..9] init 4; [] true -> (x'=0);")).model;
  EXPECT_EQ(index(model.initial()->only()), 0U);
  EXPECT_EQ(model.horizon(), kInfiniteHorizon);
  EXPECT_EQ(model.find_state("(x=3)"), std::nullopt);
}

// Outcomes are looked up some hundred at a time; a state may have more of them, and more choices.
TEST(PrismExploration, KeepsTheOrderOfManyOutcomes) {
  std::string program = "x : [0..999];\n";
  for (int c = 0; c < 3; ++c) {
    program += fmt::format("[a] x=0 -> 1/300 : (x'={})", 300 * c + 1);
    for (int i = 2; i <= 300; ++i) program += fmt::format(" + 1/300 : (x'={})", 300 * c + i);
    program += ";\n";
  }
  program += "[b] x=0 -> 1/2 : (x'=900) + 1/2 : (x'=0);\n[c] x=899 -> (x'=0);";
  const Model model = read(one(program)).model;
  ASSERT_EQ(model.state_count(), 901U);
  for (std::uint32_t s = 0; s < 901; ++s)
    EXPECT_EQ(model.state_name(State{s}), fmt::format("(x={})", s));
  ASSERT_EQ(model.choice_count(State{0}), 4U);
  const Choice third = *model.find_choice(State{0}, "a#3");
  ASSERT_EQ(model.outcomes(third).size(), 300U);
  EXPECT_EQ(model.outcomes(third).front().next, State{601});
  EXPECT_EQ(model.probability(model.outcomes(third).back()), Rational(1, 300));
  EXPECT_EQ(model.outcomes(*model.find_choice(State{0}, "b")).front().next, State{900});
  EXPECT_EQ(model.outcomes(*model.find_choice(State{899}, "c")).front().next, State{0});
}

TEST(PrismExploration, FindsStatesByTheirNames) {
  const Model model =
      read(one("x : [-3..3]; b : bool; wide : [0..1000000];\n"
               "[] x<2 -> (x'=x+1); [] x>-2 -> (x'=x-1); [] !b -> (b'=true) & (wide'=999999);"))
          .model;
  for (std::uint32_t s = 0; s < model.state_count(); ++s)
    EXPECT_EQ(model.find_state(model.state_name(State{s})), State{s});
  EXPECT_TRUE(model.find_state("(x=-2,b=true,wide=999999)"));
  for (const char* none : {"",
                           "(",
                           "x=0",
                           "(x=0)",
                           "(x=0,b=false,wide=0",
                           "(x=0,b=false,wide=0))",
                           "(x=0,b=0,wide=0)",
                           "(x=+0,b=false,wide=0)",
                           "(x=00,b=false,wide=0)",
                           "(x=0,b=false,wide=1)",
                           "(x=9,b=false,wide=0)",
                           "(x=,b=false,wide=0)",
                           "(x=99999999999999999999,b=false,wide=0)"})
    EXPECT_EQ(model.find_state(none), std::nullopt) << none;
}

TEST(PrismExploration, KeepsNamesThatWereAskedFor) {
  const Model model = read(one("x : [0..9999]; [] x<9999 -> (x'=x+1);")).model;
  const std::string_view first = model.state_name(State{7});
  for (std::uint32_t s = 0; s < model.state_count(); ++s) (void)model.state_name(State{s});
  EXPECT_EQ(first, "(x=7)");
  EXPECT_EQ(model.state_name(State{7}).data(), first.data());
}

// A state takes its packed values, an offset of its choices, and no text.
TEST(PrismExploration, HoldsNoTextOfStates) {
  std::string module = "x : [0..9999];";
  for (int i = 0; i < 40; ++i)
    module += fmt::format(" a_variable_with_a_long_name_{} : [0..0];", i);
  const Model model = read(one(module + " [] x<9999 -> (x'=x+1);")).model;
  ASSERT_EQ(model.state_count(), 10'000U);
  EXPECT_GT(model.state_name(State{0}).size(), 1000U);
  EXPECT_LT(model.bytes(), 10'000U * 60);
}

TEST(PrismExploration, NumbersRepeatedNamesOfChoices) {
  EXPECT_EQ(choices(one("x : [0..9]; [a] true -> (x'=1); [] true -> (x'=2); [a] true -> (x'=3);"
                        "[] true -> (x'=4); [b] x=1 -> true;"),
                    "(x=0)"),
            "[]: 1 (x=2) | []#2: 1 (x=4) | a: 1 (x=1) | a#2: 1 (x=3)");
}

TEST(PrismExploration, ProbabilitiesMultiplyWhereModulesActTogether) {
  EXPECT_EQ(choices("mdp module m x : [0..2]; [a] true -> 1/3:(x'=1) + 2/3:(x'=2); endmodule\n"
                    "module n y : [0..2]; [a] true -> 0.25:(y'=1) + 0.75:(y'=2);"
                    "[a] x=0 -> (y'=0); endmodule",
                    "(x=0,y=0)"),
            "a: 1/12 (x=1,y=1), 0.25 (x=1,y=2), 1/6 (x=2,y=1), 0.5 (x=2,y=2) | "
            "a#2: 1/3 (x=1,y=0), 2/3 (x=2,y=0)");
}

TEST(PrismExploration, OutcomesThatAreTheSameAreOne) {
  EXPECT_EQ(choices(one("x : [0..2]; [] true -> 1/3:(x'=1) + 1/6:(x'=1) + 0.5:true;"), "(x=0)"),
            "[]: 0.5 (x=1), 0.5 (x=0)");
}

TEST(PrismExploration, WhatHasProbabilityZeroNeverHappens) {
  EXPECT_EQ(choices(one("x : [0..2]; [] true -> 0:(x'=9) + x/2:(x'=5) + 1-x/2:(x'=0);"), "(x=0)"),
            "[]: 1 (x=0)");
  // 2^64 combinations of updates, of which one is possible.
  std::string text = "mdp\n";
  for (int i = 0; i < 64; ++i) {
    text += fmt::format(
        "module m{0} x{0} : [0..1]; [a] true -> 0:(x{0}'=1) + 1:true + 0:(x{0}'=1); endmodule\n",
        i);
  }
  EXPECT_EQ(read(text).model.state_count(), 1U);
}

TEST(PrismExploration, ProbabilitiesMayDependOnTheState) {
  const Model model = read(one("x : [0..3]; [] x<3 -> 1/(x+2):(x'=x) + 1-1/(x+2):(x'=x+1);")).model;
  EXPECT_EQ(choices(model, "(x=0)"), "[]: 0.5 (x=0), 0.5 (x=1)");
  EXPECT_EQ(choices(model, "(x=1)"), "[]: 1/3 (x=1), 2/3 (x=2)");
  EXPECT_EQ(choices(model, "(x=2)"), "[]: 0.25 (x=2), 0.75 (x=3)");
}

TEST(PrismExploration, ProbabilitiesMustSumToOne) {
  EXPECT_EQ(problem(one("x : [0..3];\n [a] true -> 0.5:(x'=1) + 0.4:true;")),
            "p.prism:4:2: state (x=0): the probabilities of the command sum to 0.9, expected 1");
  EXPECT_EQ(problem(one("x : [0..3];\n [] x=0 -> (x'=2);\n[] x=2 -> x/3:(x'=1) + x/3:true;")),
            "p.prism:5:1: state (x=2): the probabilities of the command sum to 4/3, expected 1");
  EXPECT_EQ(problem(one("x : [0..3];\n [] true -> 1.5:(x'=1) + -0.5:true;")),
            "p.prism:4:13: state (x=0): the probability is 1.5, expected one from 0 to 1");
  EXPECT_EQ(problem(one("x : [0..3];\n [] true -> 1+x:(x'=1) + -x/2:true;\n[]x=0 -> 1/x:true;")),
            "p.prism:5:11: state (x=0): division by zero");
}

TEST(PrismExploration, RoundedProbabilitiesAreNormalisedAndSaid) {
  const std::string text =
      one("x : [0..3];\n [] true -> 0.3333333333:(x'=1) + 0.6666666666:(x'=0);") +
      "rewards true : 1; endrewards";
  EXPECT_EQ(choices(text, "(x=1)"), "[]: 1/3 (x=1) +1, 2/3 (x=0) +1");
  EXPECT_EQ(notices(text),
            "p.prism:4:2: the probabilities of the command sum to 0.9999999999, normalised to 1\n");
}

TEST(PrismExploration, ValuesMustStayInTheirRange) {
  EXPECT_EQ(problem(one("x : [0..2];\n[] true -> (x'=x+1);")),
            "p.prism:4:13: state (x=2): 'x' becomes 3, expected a value in its range [0..2]");
  EXPECT_EQ(problem(one("x : [0..2]; b : bool;\n[] true -> 0.5:(b'=true) + 0.5:(x'=-1);")),
            "p.prism:4:33: state (x=0,b=false): 'x' becomes -1, expected a value in its range "
            "[0..2]");
  EXPECT_EQ(problem(one("x : [0..2];\n[] 1/x>0 -> true;")),
            "p.prism:4:5: state (x=0): division by zero");
}

TEST(PrismExploration, DeadlocksAreTerminal) {
  const std::string text = one("x : [0..9]; [] x=0 -> (x'=3); [] x=0 -> (x'=5); [] x=5 -> true;");
  EXPECT_TRUE(read(text).model.is_terminal(State{1}));
  const std::string rewards = "p.prism: no reward structure: every reward is 0\n";
  EXPECT_EQ(
      notices(text),
      rewards + "p.prism: 1 state is a deadlock (nothing can happen there), and terminal: (x=3)\n");
  EXPECT_EQ(notices(one("x : [0..9]; [] x=0 -> (x'=3); [] x=0 -> (x'=5);")),
            rewards +
                "p.prism: 2 states are deadlocks (nothing can happen there), and terminal: "
                "(x=3) and others\n");
}

TEST(PrismChains, HaveOneChoiceInWhichCommandsAreEquallyLikely) {
  const std::string text =
      one("x : [0..3]; [a] x=0 -> (x'=1); [b] x=0 -> 0.5:(x'=2) + 0.5:(x'=3); [b] x=0 -> (x'=3);"
          "[c] x>0 -> (x'=0);",
          "dtmc");
  EXPECT_EQ(choices(text, "(x=0)"), "[]: 1/3 (x=1), 1/6 (x=2), 0.5 (x=3)");
  EXPECT_EQ(choices(text, "(x=1)"), "c: 1 (x=0)");
  EXPECT_EQ(
      notices(text),
      "p.prism: no reward structure: every reward is 0\n"
      "p.prism: 1 state of the dtmc has several commands enabled, each is taken with the same "
      "probability: (x=0)\n");
  EXPECT_EQ(choices(one("x : [0..3]; [a] x=0 -> (x'=1); [a] x=0 -> (x'=2);", "dtmc"), "(x=0)"),
            "a: 0.5 (x=1), 0.5 (x=2)");
}

TEST(PrismChains, CountCombinationsOfModules) {
  EXPECT_EQ(choices("dtmc module m x : [0..2]; [a] true -> (x'=1); [a] true -> (x'=2); endmodule\n"
                    "module n y : [0..2]; [a] true -> (y'=1); [a] true -> (y'=2); "
                    "[b] true -> (y'=0); endmodule",
                    "(x=0,y=0)"),
            "[]: 0.2 (x=1,y=1), 0.2 (x=1,y=2), 0.2 (x=2,y=1), 0.2 (x=2,y=2), 0.2 (x=0,y=0)");
  std::string text = "dtmc\n";
  for (int i = 0; i < 64; ++i) {
    text += "module m" + std::to_string(i) + " [a] true -> true; [a] true -> true; endmodule\n";
  }
  EXPECT_EQ(problem(text),
            "p.prism:2:11: state (): the enabled commands of 'a' have more than 2^63 combinations, "
            "expected fewer");
}

TEST(PrismRewards, AreCollectedOnLeaving) {
  const std::string text =
      one("x : [0..2]; [a] x<2 -> 0.5:(x'=x+1) + 0.5:(x'=0); [] x=1 -> (x'=2); [] x=2 -> (x'=0);") +
      "rewards \"r\"\n x=1 : 1/3; x>0 : x; [a] x=0 : 10; [] true : 100; [a] x=1 -> x=2 : 1000;\n"
      "[b] true : 7; endrewards";
  const Model model = read(text).model;
  EXPECT_EQ(choices(model, "(x=0)"), "a: 0.5 (x=1) +10, 0.5 (x=0) +10");
  EXPECT_EQ(choices(model, "(x=1)"), "[]: 1 (x=2) +304/3 | a: 0.5 (x=2) +3004/3, 0.5 (x=0) +4/3");
  EXPECT_EQ(choices(model, "(x=2)"), "[]: 1 (x=0) +102");
  EXPECT_EQ(notices(text), "");
}

TEST(PrismRewards, TellOutcomesOfAChoiceApart) {
  EXPECT_EQ(choices(one("x : [0..1]; b : bool; [a] x=0 -> 0.5:(x'=1) + 0.25:(b'=!b) + 0.25:true;") +
                        "rewards [a] !b -> b : -1/2; endrewards",
                    "(x=0,b=false)"),
            "a: 0.5 (x=1,b=false), 0.25 (x=0,b=true) +-0.5, 0.25 (x=0,b=false)");
}

TEST(PrismRewards, OfUnlabelledChoicesIncludeHiddenActions) {
  EXPECT_EQ(choices(one("x : [0..1]; [a] true -> (x'=1); [] true -> true;") +
                        "rewards [] true : 2; [a] true : 3; endrewards system m/{a} endsystem",
                    "(x=0)"),
            "[]: 1 (x=1) +2 | []#2: 1 (x=0) +2");
}

TEST(PrismRewards, AreChosenByNameOrPosition) {
  const std::string text = one("x : [0..1]; [a] true -> true;") +
                           "rewards \"time\" true : 1; endrewards rewards true : 2; endrewards\n"
                           "rewards \"cost\" true : 3; endrewards";
  EXPECT_EQ(choices(text, "(x=0)"), "a: 1 (x=0) +1");
  EXPECT_EQ(choices(read(text, with_reward("cost")).model, "(x=0)"), "a: 1 (x=0) +3");
  EXPECT_EQ(choices(read(text, with_reward("2")).model, "(x=0)"), "a: 1 (x=0) +2");
  EXPECT_EQ(notices(text),
            "p.prism: the reward structure is 'time', the first of 3; --reward takes another: "
            "number 2, 'cost'\n");
  EXPECT_EQ(notices(text, with_reward("cost")), "");
  EXPECT_EQ(bad_request(text, with_reward("tome")),
            "--reward: unknown reward structure 'tome', must be one of 'time', number 2, 'cost', "
            "or a number from 1 to 3; did you mean 'time'?");
  EXPECT_EQ(problem(one("[] true -> true;") +
                    "rewards \"a\" true : 1; endrewards\nrewards \"a\" true : 1; endrewards"),
            "p.prism:6:1: the reward structure 'a' is declared twice, expected another name");
}

TEST(PrismLabels, HoldInTheirStates) {
  const Model model = read(one("x : [0..3]; [] x<3 -> (x'=x+1);") +
                           "label \"odd\" = mod(x,2)=1; label \"some\" = \"odd\" & x>1;"
                           "label \"none\" = x>5;")
                          .model;
  ASSERT_EQ(model.labels().size(), 3U);
  EXPECT_EQ(model.labels()[0].states, (std::vector<State>{State{1}, State{3}}));
  EXPECT_EQ(model.labels()[1].name, "some");
  EXPECT_EQ(model.labels()[1].states, (std::vector<State>{State{3}}));
  EXPECT_TRUE(model.labels()[2].states.empty());
}

TEST(PrismLabels, MustMakeSense) {
  const std::string text = one("x : [0..3]; [] true -> true;");
  EXPECT_EQ(problem(text + "label \"init\" = x=1; label \"deadlock\" = x=2;"),
            "p.prism:5:7: the label \"init\" has a meaning already, expected another\n"
            "p.prism:5:27: the label \"deadlock\" has a meaning already, expected another");
  EXPECT_EQ(problem(text + "label \"a\" = 1/x>0;"), "p.prism:5:14: state (x=0): division by zero");
  EXPECT_EQ(problem(text + "label \"a\" = \"b\"; label \"c\" = true;"),
            "p.prism:5:13: unknown label \"b\", expected one of \"a\", \"c\"");
}

TEST(PrismDefinitions, AreConstantsAndFormulas) {
  const ReadModel model =
      read("const int N = 3; formula f = x // so\n  > N;" + one("x : [0..3]; [] true -> true;"));
  ASSERT_EQ(model.definitions.size(), 2U);
  EXPECT_EQ(model.definitions[0].name + ": " + model.definitions[0].text, "N: 3");
  EXPECT_EQ(model.definitions[1].name, "f");
  EXPECT_EQ(index(states_where(model, "!f", "--goal").at(0)), 0U);
}

const std::string kInfinite = one("x : [0..1000000000]; [] true -> (x'=x+1); [] true -> (x'=0);");

TEST(PrismLimits, BeyondTheMemoryLimitItIsRefused) {
  ReadOptions options;
  options.memory_limit_bytes = 10'000'000;
  const std::string message = thrown(ErrorCode::refused, [&] { read(kInfinite, options); });
  EXPECT_EQ(message.substr(0, message.find("after")),
            "memory: exploring the model needs more than 9.54 MiB, the limit, ");
}

TEST(PrismLimits, BeyondTheTimeLimitItIsRefused) {
  ReadOptions options;
  options.memory_limit_bytes = std::uint64_t{1} << 30U;
  options.time_limit_seconds = 1e-9;
  const std::string message = thrown(ErrorCode::refused, [&] { read(kInfinite, options); });
  EXPECT_EQ(message.substr(0, message.find(" while")), "p.prism: the time limit was met");
}

TEST(PrismLimits, StopsWhenItIsTold) {
  std::atomic<bool> stop = false;
  ReadOptions options;
  options.memory_limit_bytes = std::uint64_t{1} << 30U;
  options.stop = &stop;
  std::string phase;
  options.progress = [&](const Progress& progress) {
    phase = progress.phase;
    stop = true;
  };
  const std::string message = thrown(ErrorCode::refused, [&] { read(kInfinite, options); });
  EXPECT_EQ(phase.substr(0, 11), "exploring: ");
  EXPECT_EQ(message.substr(0, message.find("after")),
            "p.prism: interrupted while it was explored, ");
}

}  // namespace
}  // namespace quantiplan::prism
