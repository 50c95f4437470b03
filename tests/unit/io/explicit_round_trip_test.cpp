// Between all formats: what each can hold comes back as it was.
#include <gtest/gtest.h>

#include <random>

#include "io/model_text.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

enum class Rewards { of_choices, of_outcomes };

Model random_explicit_model(unsigned seed, Rewards rewards) {
  std::mt19937 generator(seed);
  const auto random = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(generator()) % below;
  };
  const auto number = [&] {
    return Number(Fraction{static_cast<std::int64_t>(random(2000)) - 1000,
                           static_cast<std::int64_t>(random(12)) + 1});
  };
  ModelBuilder builder;
  builder.horizon(kInfiniteHorizon);
  const std::uint32_t states = 1 + random(6);
  for (std::uint32_t s = 0; s < states; ++s)
    builder.declare_state("(x=" + std::to_string(s / 2) +
                          ",b=" + (s % 2 == 0 ? "true)" : "false)"));
  if (seed % 4 != 0) builder.initial("(x=0,b=true)");
  for (std::uint32_t label = 0; label < seed % 3; ++label) {
    builder.label("label " + std::to_string(label));
    for (std::uint32_t s = 0; s < states; ++s) {
      if (s == label % states || random(2) == 0) builder.labelled(State{s});
    }
  }
  constexpr const char* kNames[] = {"a", "a#2", "[]", "[]#2", "b"};
  for (std::uint32_t s = 0; s < states; ++s) {
    const std::uint32_t choices = s == 0 ? 1 + random(3) : random(6);
    for (std::uint32_t c = 0; c < choices; ++c) {
      builder.begin_choice(State{s}, kNames[c]);
      const Number common = number();
      const std::uint32_t outcomes = 1 + random(states);
      for (std::uint32_t k = 0; k < outcomes; ++k)
        builder.add_outcome(State{(s + k) % states},
                            Fraction{1, outcomes},
                            rewards == Rewards::of_choices ? common : number());
    }
  }
  return builder.build();
}

void expect_same(const Model& read, const Model& model) {
  EXPECT_EQ(choices_text(read), choices_text(model));
  EXPECT_EQ(labels_text(read), labels_text(model));
  EXPECT_EQ(names_text(read), names_text(model));
  EXPECT_EQ(read.horizon(), model.horizon());
}

Model through(const Model& model, Format format) {
  if (format == Format::tra) return through_tra(model);
  std::vector<std::string> lost;
  const std::string text = format_model(model, format, &lost);
  EXPECT_TRUE(lost.empty());
  return parse_model(text, format, "again").model;
}

TEST(ExplicitRoundTrip, RewardsOfChoicesSurviveEveryFormat) {
  constexpr Format kAll[] = {Format::json, Format::tra, Format::drn};
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Model model = random_explicit_model(seed, Rewards::of_choices);
    for (const Format first : kAll) {
      const Model once = through(model, first);
      expect_same(once, model);
      for (const Format second : kAll) expect_same(through(once, second), model);
    }
  }
}

TEST(ExplicitRoundTrip, RewardsOfOutcomesSurviveJsonAndTra) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Model model = random_explicit_model(seed, Rewards::of_outcomes);
    expect_same(through(model, Format::tra), model);
    expect_same(through(through(model, Format::json), Format::tra), model);
  }
}

TEST(ExplicitRoundTrip, CsvKeepsTheOutcomes) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Model model = random_explicit_model(seed, Rewards::of_choices);
    const auto csv_of = [](const Model& m) { return format_model(m, Format::csv); };
    const Model from_csv = parse_model(csv_of(model), Format::csv, "again").model;
    EXPECT_EQ(choices_text(through(from_csv, Format::drn)), choices_text(from_csv));
    EXPECT_EQ(csv_of(through(model, Format::drn)), csv_of(model));
    EXPECT_EQ(csv_of(through_tra(model)), csv_of(model));
  }
}

TEST(ExplicitRoundTrip, ManyChoicesOfOneStateKeepTheirNames) {
  ModelBuilder builder;
  builder.declare_state("0").initial("0");
  for (int i = 0; i < 100; ++i)
    builder.begin_choice("0", i == 0 ? "a" : "a#" + std::to_string(i + 1)).add_outcome("0", 1, i);
  const Model model = builder.build();
  EXPECT_EQ(choices_text(through_tra(model)), choices_text(model));
  std::vector<std::string> lost;
  const std::string tra = format_tra_model(model, lost).transitions;
  EXPECT_EQ(tra.find('#'), std::string::npos);
}

}  // namespace
}  // namespace quantiplan
