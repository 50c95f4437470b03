#include <gtest/gtest.h>

#include <random>

#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

Model again(const Model& model, Format format) {
  return parse_model(format_model(model, format), format, "again").model;
}

Model random_model(unsigned seed) {
  std::mt19937 generator(seed);
  const auto random = [&] { return static_cast<std::uint32_t>(generator()); };
  ModelBuilder builder;
  builder.name("m" + std::to_string(seed)).initial("s0").discount("9/10");
  builder.horizon(seed % 3 == 0 ? kInfiniteHorizon : seed + 1).rewards_are_costs(seed % 2 == 0);
  const std::uint32_t states = 1 + random() % 6;
  for (std::uint32_t s = 0; s < states; ++s) builder.declare_state("s" + std::to_string(s));
  for (std::uint32_t s = states; s-- > 1;) {
    if (seed >> s & 1U) builder.goal("s" + std::to_string(s));
  }
  for (std::uint32_t s = 0; s < states; ++s) {
    const std::uint32_t choices = s == 0 ? 1 + random() % 3 : random() % 4;
    for (std::uint32_t c = 0; c < choices; ++c) {
      builder.begin_choice(State{s}, "act, \"" + std::to_string(c) + "\"");
      const int outcomes = 1 + static_cast<int>(random() % 5);
      for (int k = 0; k < outcomes; ++k) {
        const auto numerator = static_cast<std::int64_t>(random() % 2000) - 1000;
        const auto denominator = static_cast<std::int64_t>(random() % 12) + 1;
        builder.add_outcome(
            State{random() % states}, Fraction{1, outcomes}, Fraction{numerator, denominator});
      }
    }
  }
  return builder.build();
}

TEST(RoundTrip, JsonKeepsEverything) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Model model = random_model(seed);
    const std::string text = format_model(model, Format::json);
    const Model read = parse_model(text, Format::json, "again").model;
    EXPECT_EQ(format_model(read, Format::json), text);
    EXPECT_EQ(format_model(read, Format::csv), format_model(model, Format::csv));
    EXPECT_EQ(read.initial(), model.initial());
    EXPECT_EQ(read.horizon(), model.horizon());
    EXPECT_EQ(read.goal(), model.goal());
    EXPECT_EQ(read.has_costs(), model.has_costs());
  }
}

TEST(RoundTrip, CsvKeepsEveryOutcome) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Model model = random_model(seed);
    const Model read = again(model, Format::csv);
    EXPECT_EQ(read.choice_count(), model.choice_count());
    EXPECT_EQ(read.outcome_count(), model.outcome_count());
    // Rows come by state, in the order of states; by name they are the same.
    for (std::uint32_t s = 0; s < model.state_count(); ++s) {
      for (const Choice c : model.choices(State{s})) {
        const State other = *read.find_state(model.state_name(State{s}));
        const auto theirs = read.outcomes(*read.find_choice(other, model.action_name(c)));
        const auto ours = model.outcomes(c);
        ASSERT_EQ(theirs.size(), ours.size());
        for (std::size_t i = 0; i < ours.size(); ++i) {
          const Outcome& a = ours[i];
          const Outcome& b = theirs[i];
          EXPECT_EQ(model.probability(a), read.probability(b));
          EXPECT_EQ(model.reward(a), read.reward(b));
          EXPECT_EQ(model.state_name(a.next), read.state_name(b.next));
        }
      }
    }
  }
}

TEST(RoundTrip, CsvSaysWhatItCannotHold) {
  ModelBuilder builder;
  builder.name("n").horizon(1).discount(1).initial("b");
  builder.declare_state("b").declare_state("island").declare_state("a");
  builder.begin_choice("a", "x").add_outcome("b", 1, 0).begin_choice("b", "x").add_outcome(
      "a", 1, 0);
  std::vector<std::string> lost;
  format_model(builder.build(), Format::csv, &lost);
  EXPECT_EQ(lost,
            (std::vector<std::string>{"the name",
                                      "the horizon",
                                      "the discount",
                                      "the initial state",
                                      "1 state without choices and transitions"}));

  builder.horizon(kInfiniteHorizon).goal("b").rewards_are_costs();
  builder.begin_choice("a", "x").add_outcome("b", 1, 0);
  format_model(builder.build(), Format::csv, &lost);
  EXPECT_EQ(lost,
            (std::vector<std::string>{
                "the infinite horizon", "the goal", "the note that rewards are costs"}));

  builder.declare_state("a").declare_state("c").declare_state("b");
  builder.begin_choice("a", "x").add_outcome("b", "0.5", 0).add_outcome("c", "0.5", 0);
  const Model model = builder.build();
  format_model(model, Format::csv, &lost);
  EXPECT_EQ(lost, std::vector<std::string>{"the order of the states"});
  format_model(model, Format::json, &lost);
  EXPECT_TRUE(lost.empty());
}

TEST(RoundTrip, JsonHasOneChoiceALine) {
  ModelBuilder builder;
  builder.name("two \"words\"").discount("1/3");
  builder.begin_choice("a", "x").add_outcome("b", "1/3", "-0.5").add_outcome("a", "2/3", "-0.5");
  builder.begin_choice("a", "y").add_outcome("b", "0.5", 0).add_outcome("b", "0.5", "1e300");
  builder.begin_choice("b\n", "x").add_outcome("b", 1, 0);
  EXPECT_EQ(
      format_model(builder.build(), Format::json),
      "{\n  \"format\": \"quantiplan-model/1\",\n  \"name\": \"two \\\"words\\\"\",\n"
      "  \"discount\": \"1/3\",\n  \"states\": [\"a\", \"b\", \"b\\n\"],\n  \"choices\": [\n"
      "    {\"state\": \"a\", \"action\": \"x\", \"reward\": -0.5, \"next\": {\"b\": \"1/3\", "
      "\"a\": \"2/3\"}},\n"
      "    {\"state\": \"a\", \"action\": \"y\", \"next\": [{\"to\": \"b\", \"probability\": 0.5}, "
      "{\"to\": \"b\", \"probability\": 0.5, \"reward\": \"1e300\"}]},\n"
      "    {\"state\": \"b\\n\", \"action\": \"x\", \"next\": {\"b\": 1}}\n  ]\n}\n");
}

TEST(RoundTrip, JsonWritesGoalCostAndInfiniteHorizonAfterTheInitialState) {
  ModelBuilder builder;
  builder.horizon(kInfiniteHorizon).initial("a").goal("c").goal("b").rewards_are_costs();
  builder.begin_choice("a", "x").add_outcome("b", "0.5", 1).add_outcome("c", "0.5", 1);
  EXPECT_EQ(format_model(builder.build(), Format::json),
            "{\n  \"format\": \"quantiplan-model/1\",\n  \"horizon\": \"infinite\",\n"
            "  \"initial\": \"a\",\n  \"goal\": [\"b\", \"c\"],\n  \"rewards\": \"cost\",\n"
            "  \"states\": [\"a\", \"b\", \"c\"],\n  \"choices\": [\n"
            "    {\"state\": \"a\", \"action\": \"x\", \"reward\": 1, \"next\": {\"b\": 0.5, "
            "\"c\": 0.5}}\n  ]\n}\n");
}

TEST(RoundTrip, JsonKeepsLabelsAndCsvSaysThatItLosesThem) {
  ModelBuilder builder;
  builder.label("done").labelled("b").labelled("a").label("\"never\"");
  builder.begin_choice("a", "x").add_outcome("b", 1, 0);
  const Model model = builder.build();
  const std::string text = format_model(model, Format::json);
  EXPECT_EQ(text,
            "{\n  \"format\": \"quantiplan-model/1\",\n  \"states\": [\"a\", \"b\"],\n"
            "  \"labels\": {\n    \"done\": [\"a\", \"b\"],\n    \"\\\"never\\\"\": []\n  },\n"
            "  \"choices\": [\n    {\"state\": \"a\", \"action\": \"x\", \"next\": {\"b\": 1}}\n"
            "  ]\n}\n");
  EXPECT_EQ(format_model(again(model, Format::json), Format::json), text);
  std::vector<std::string> lost;
  format_model(model, Format::csv, &lost);
  EXPECT_EQ(lost, std::vector<std::string>{"the labels"});
}

TEST(RoundTrip, ManyStatesAreWrapped) {
  ModelBuilder builder;
  for (int i = 0; i < 100; ++i) builder.declare_state("state-" + std::to_string(i));
  for (int i = 1; i < 100; ++i) builder.goal("state-" + std::to_string(i));
  builder.begin_choice("state-0", "x").add_outcome("state-99", 1, 0);
  const std::string text = format_model(builder.build(), Format::json);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 100U);
    at = end + 1;
  }
}

TEST(RoundTrip, NumbersTooLongToBeReadBackAreRefused) {
  ModelBuilder builder;
  builder.begin_choice("a", "x").add_outcome("a", 1, Number("1e900") + Number("1e-900"));
  const Model model = builder.build();
  for (const Format format : {Format::json, Format::csv}) {
    EXPECT_EQ(thrown(ErrorCode::refused, [&] { format_model(model, format); }),
              "a number has 1802 characters, can be written with at most 1000");
  }
}

}  // namespace
}  // namespace quantiplan
