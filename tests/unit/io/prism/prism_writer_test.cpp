// A model as a program of the PRISM language, and back.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

// What can be reached, by names, in no order: a program has none.
std::map<std::string, std::multiset<std::string>> reachable(const Model& model,
                                                            bool with_actions = true) {
  std::map<std::string, std::multiset<std::string>> all;
  std::vector<State> open{model.initial()->only()};
  all[std::string(model.state_name(open[0]))];
  while (!open.empty()) {
    const State s = open.back();
    open.pop_back();
    for (const Choice c : model.choices(s)) {
      std::multiset<std::string> outcomes;
      for (const Outcome& o : model.outcomes(c)) {
        const std::string next(model.state_name(o.next));
        outcomes.insert(next + " " + to_text(model.probability(o)) + " " +
                        to_text(model.reward(o)));
        if (all.try_emplace(next).second) open.push_back(o.next);
      }
      std::string text = with_actions ? std::string(model.action_name(c)) + ":" : "";
      for (const std::string& outcome : outcomes) text += " " + outcome + ",";
      all[std::string(model.state_name(s))].insert(text);
    }
  }
  return all;
}

std::map<std::string, std::set<std::string>> labels(const Model& model) {
  const auto met = reachable(model);
  std::map<std::string, std::set<std::string>> all;
  for (const StateLabel& label : model.labels()) {
    all[label.name];
    for (const State s : label.states) {
      const std::string name(model.state_name(s));
      if (met.contains(name)) all[label.name].insert(name);
    }
  }
  return all;
}

Model through_prism(const Model& model, std::vector<std::string>* lost = nullptr) {
  return parse_model(format_model(model, Format::prism, lost), Format::prism, "again").model;
}

Model random_program(unsigned seed, bool has_same_labels) {
  std::mt19937 generator(seed);
  const auto random = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(generator()) % below;
  };
  ModelBuilder builder;
  builder.horizon(kInfiniteHorizon);
  const std::uint32_t states = 1 + random(6);
  for (std::uint32_t s = 0; s < states; ++s)
    builder.declare_state("(x=" + std::to_string(static_cast<int>(s / 2) - 1) +
                          ",b=" + (s % 2 == 0 ? "true)" : "false)"));
  builder.initial("(x=-1,b=true)");
  builder.label("some");
  for (std::uint32_t s = 0; s < states; ++s)
    if (random(2) == 0) builder.labelled(State{s});
  builder.label("none");
  const std::vector<std::string> names = has_same_labels
                                             ? std::vector<std::string>{"a", "a#2", "[]", "[]#2"}
                                             : std::vector<std::string>{"a", "b", "[]", "c"};
  for (std::uint32_t s = 0; s < states; ++s) {
    const std::uint32_t choices = s == 0 ? 1 + random(3) : random(5);
    for (std::uint32_t c = 0; c < choices; ++c) {
      builder.begin_choice(State{s}, names[c]);
      const std::uint32_t outcomes = 1 + random(states);
      const bool is_even = random(2) == 0;
      const std::int64_t common = static_cast<std::int64_t>(random(5)) - 2;
      for (std::uint32_t k = 0; k < outcomes; ++k) {
        const std::int64_t own = static_cast<std::int64_t>(random(5)) - 2;
        builder.add_outcome(
            State{(s + k) % states}, Fraction{1, outcomes}, Fraction{is_even ? common : own, 3});
      }
    }
  }
  return builder.build();
}

TEST(PrismWriter, EveryModelIsReadBackAsItWas) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Model model = random_program(seed, false);
    const Model read = through_prism(model);
    EXPECT_EQ(reachable(read), reachable(model)) << format_model(model, Format::prism);
    EXPECT_EQ(labels(read), labels(model));
    EXPECT_EQ(read.state_count(), reachable(model).size());
  }
}

TEST(PrismWriter, ChoicesWithTheSameLabelKeepTheirRewards) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Model model = random_program(seed, true);
    EXPECT_EQ(reachable(through_prism(model), false), reachable(model, false))
        << format_model(model, Format::prism);
  }
}

TEST(PrismWriter, WritesOneCommandForEachChoice) {
  ModelBuilder builder;
  builder.horizon(kInfiniteHorizon).initial("(x=1,b=true)");
  builder.begin_choice("(x=1,b=true)", "go")
      .add_outcome("(x=2,b=true)", "1/3", 4)
      .add_outcome("(x=1,b=false)", "2/3", 4);
  builder.begin_choice("(x=1,b=true)", "[]").add_outcome("(x=1,b=true)", 1, 0);
  builder.begin_choice("(x=2,b=true)", "go")
      .add_outcome("(x=2,b=true)", "0.5", -1)
      .add_outcome("(x=1,b=true)", "0.5", 0);
  builder.label("done").labelled("(x=1,b=false)");
  std::vector<std::string> lost;
  EXPECT_EQ(format_model(builder.build(), Format::prism, &lost),
            "mdp\n"
            "\n"
            "module model\n"
            "  x : [1..2] init 1;\n"
            "  b : bool init true;\n"
            "\n"
            "  [go] x=1&b -> 1/3 : (x'=2) + 2/3 : (b'=false);\n"
            "  [] x=1&b -> 1 : true;\n"
            "  [go] x=2&b -> 0.5 : true + 0.5 : (x'=1);\n"
            "endmodule\n"
            "\n"
            "rewards\n"
            "  [go] x=1&b : 4;\n"
            "  [go] x=2&b -> x=2&b : -1;\n"
            "endrewards\n"
            "\n"
            "label \"done\" = (x=1&!b);\n");
  EXPECT_TRUE(lost.empty());
}

TEST(PrismWriter, SaysWhatIsLost) {
  ModelBuilder builder;
  builder.name("trip").horizon(3).discount("1/2").rewards_are_costs();
  builder.goal("b").label("far away").labelled("b");
  builder.begin_choice("a", "go home").add_outcome("b", 1, 1);
  builder.begin_choice("c", "go").add_outcome("b", 1, 1);
  std::vector<std::string> lost;
  const Model read = through_prism(builder.build(), &lost);
  EXPECT_EQ(lost,
            (std::vector<std::string>{"the name",
                                      "the horizon",
                                      "the discount",
                                      "the note that rewards are costs",
                                      "that there is no initial state",
                                      "1 state that cannot be reached",
                                      "the label 'far away'",
                                      "that the label 'goal' is the goal",
                                      "the names of the states",
                                      "the names of choices that are no identifiers"}));
  EXPECT_EQ(read.state_count(), 2U);
  EXPECT_EQ(read.action_name(Choice{0}), "go_home");
  ASSERT_NE(read.find_label("goal"), nullptr);
  EXPECT_EQ(read.find_label("goal")->states, std::vector<State>{State{1}});
}

TEST(PrismWriter, NumbersAreExactAndWordsAreNotReserved) {
  ModelBuilder builder;
  builder.initial("(s=0)");
  builder.begin_choice("(s=0)", "module")
      .add_outcome("(s=1)", "1/3", "123456789012345678901234567890")
      .add_outcome("(s=0)", "2/3", "-1/123456789012345678901");
  const Model model = builder.build();
  const Model read = through_prism(model);
  EXPECT_EQ(reachable(read, false), reachable(model, false));
  EXPECT_EQ(read.action_name(Choice{0}), "module_");
}

TEST(PrismWriter, RefusesTwoRewardsForOneNextState) {
  ModelBuilder builder;
  builder.initial("a");
  builder.begin_choice("a", "x").add_outcome("b", "0.5", 0).add_outcome("b", "0.5", 1);
  const Model model = builder.build();
  try {
    format_model(model, Format::prism);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "state 'a', choice 'x': leads to 'b' with different rewards, which a PRISM "
                 "program cannot hold; write JSON or CSV");
  }
}

}  // namespace
}  // namespace quantiplan
