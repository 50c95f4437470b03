#include <gtest/gtest.h>

#include <memory>

#include "numbers/name_source.hpp"
#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

ReadModel four_states() {
  ModelBuilder builder;
  for (const char* name : {"home", "a, b", "a", "office"}) builder.declare_state(name);
  builder.begin_choice("home", "x").add_outcome("office", 1, 0);
  return {builder.build(), {}};
}

ReadModel labelled() {
  ModelBuilder builder;
  for (const char* name : {"home", "shop", "office"}) builder.declare_state(name);
  builder.label("away").labelled("shop").labelled("office").label("shop").label("at, work");
  builder.labelled("office");
  builder.begin_choice("home", "x").add_outcome("office", 1, 0);
  return {builder.build(), {}};
}

std::string where(const ReadModel& read, const std::string& text) {
  std::string out;
  for (const State s : states_where(read, text, "--goal")) out += std::to_string(index(s)) + " ";
  return out;
}

std::string problem(const ReadModel& read, const std::string& text) {
  return thrown(ErrorCode::bad_request, [&] { where(read, text); });
}

TEST(StatesWhere, NamesHaveCommasBetweenThemAndPerhapsInside) {
  EXPECT_EQ(where(four_states(), "home"), "0 ");
  EXPECT_EQ(where(four_states(), " office , home,office"), "0 3 ");
  EXPECT_EQ(where(four_states(), "a, b"), "1 ");
  EXPECT_EQ(where(four_states(), "a,a, b,home"), "0 1 2 ");
}

TEST(StatesWhere, LabelsStandForTheirStates) {
  EXPECT_EQ(where(labelled(), "away"), "1 2 ");
  EXPECT_EQ(where(labelled(), "at, work,home"), "0 2 ");
  EXPECT_EQ(where(labelled(), "shop"), "1 ");  // the state, not the label
}

// Names "0,0", "0,1", ..., which counts how many texts it was asked for.
class Pairs final : public NameSource {
 public:
  [[nodiscard]] std::uint32_t size() const noexcept override { return 100; }
  [[nodiscard]] std::string name(std::uint32_t i) const override {
    ++made;
    return std::to_string(i / 10) + "," + std::to_string(i % 10);
  }
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const override {
    if (name.size() != 3 || name[1] != ',') return std::nullopt;
    return 10 * (name[0] - '0') + (name[2] - '0');
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return 0; }
  mutable int made = 0;
};

TEST(StatesWhere, TextsOfStatesThatAreNotMeantAreNotMade) {
  const auto names = std::make_shared<Pairs>();
  ModelBuilder builder;
  builder.declare_states_of(names);
  for (std::uint32_t i = 0; i < names->size(); ++i) builder.declare_next_state();
  builder.label("late").labelled(State{98}).labelled(State{99});
  builder.begin_choice(State{0}, "x").add_outcome(State{99}, 1, 0);
  const ReadModel read{builder.build(), {}};
  names->made = 0;
  EXPECT_EQ(where(read, "late"), "98 99 ");
  EXPECT_EQ(where(read, "4,2,late,0,7"), "7 42 98 99 ");
  EXPECT_EQ(names->made, 0);
  // Of many parts, too.
  std::string many = "4,2";
  for (int i = 0; i < 40; ++i) many += ",late";
  EXPECT_EQ(where(read, many + ",0,7"), "7 42 98 99 ");
}

TEST(StatesWhere, UnknownNames) {
  EXPECT_EQ(problem(four_states(), "offise"),
            "--goal: unknown state 'offise', must be a state of the model; did you mean 'office'?");
  EXPECT_EQ(problem(four_states(), "x,y,home,z"),
            "--goal: unknown state 'x,y', must be a state of the model\n"
            "--goal: unknown state 'z', must be a state of the model");
  EXPECT_EQ(problem(labelled(), "awai"),
            "--goal: unknown state 'awai', must be a state or a label of the model; did you mean "
            "'away'?");
}

TEST(Reading, FormatsAreKnownByTheirContent) {
  const auto is_read_as = [](const std::string& text) {
    const std::string path = ::testing::TempDir() + "model-without-ending";
    write_text(path, text);
    return read_model(path).model.choice_count();
  };
  EXPECT_EQ(is_read_as("idstatefrom,idaction,idstateto,probability,reward\na,x,b,1,0\n"), 1U);
  EXPECT_EQ(is_read_as("2 2 2\n0 0 1 1\n1 0 1 1\n"), 2U);
  EXPECT_EQ(is_read_as("# Transitions (MDP)\n2 2 2\n0 0 1 1\n1 0 1 1\n"), 2U);
  EXPECT_EQ(is_read_as("mdp\n0 0 1 1\n1 0 1 1\n1 1 0 1\n"), 3U);
  EXPECT_EQ(is_read_as("@type: MDP\n@model\nstate 0\naction a\n0 : 1\n"), 1U);
  EXPECT_EQ(is_read_as("// written by hand\n\n@type: MDP\n@model\nstate 0\naction a\n0 : 1\n"), 1U);
}

TEST(Reading, OptionsThatAFormatDoesNotKnow) {
  const auto read = [](Format format, const ReadOptions& options) {
    return thrown(ErrorCode::bad_request, [&] { parse_model("", format, "m", options); });
  };
  ReadOptions constants;
  constants.constants.push_back({"N", "3"});
  EXPECT_EQ(read(Format::json, constants),
            "--const: found with JSON, expected only with a program in the PRISM language or a "
            "JANI model");
  EXPECT_EQ(read(Format::drn, constants),
            "--const: found with a .drn, expected only with a program in the PRISM language or a "
            "JANI model");
  ReadOptions reward;
  reward.reward = "time";
  EXPECT_EQ(read(Format::csv, reward),
            "--reward: found with CSV, expected only where a model may have several reward "
            "structures: a PRISM program, a JANI model, a .tra, a .drn or a .umb");
}

}  // namespace
}  // namespace quantiplan
