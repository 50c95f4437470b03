// Choices from arrays are the choices of single calls.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "quantiplan/arrays.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {
namespace {

struct Arrays {
  std::vector<std::string> actions{"a", "b"};
  std::vector<std::uint32_t> state;
  std::vector<std::uint32_t> action;
  std::vector<std::int64_t> begin{0};
  std::vector<std::int64_t> next;
  std::vector<double> probability;
  std::vector<double> reward;

  [[nodiscard]] ChoiceArrays view() const {
    return {actions, state, action, begin, next, std::span(probability), std::span(reward)};
  }
};

ModelBuilder with_states(std::size_t count) {
  ModelBuilder builder;
  builder.horizon(3).initial("s0");
  for (std::size_t s = 0; s < count; ++s) builder.declare_state("s" + std::to_string(s));
  return builder;
}

struct Built {
  std::string text;
  std::vector<std::string> notices;
};

Built built(ModelBuilder builder) {
  const Model model = builder.build();
  return {format_model(model, Format::json), builder.notices()};
}

Built from_arrays(const Arrays& arrays, std::size_t states) {
  ModelBuilder builder = with_states(states);
  builder.add_choices(arrays.view());
  return built(std::move(builder));
}

Built one_by_one(const Arrays& arrays, std::size_t states) {
  ModelBuilder builder = with_states(states);
  for (std::size_t c = 0; c < arrays.state.size(); ++c) {
    builder.begin_choice(State{arrays.state[c]}, arrays.actions[arrays.action[c]]);
    for (auto o = static_cast<std::size_t>(arrays.begin[c]);
         o < static_cast<std::size_t>(arrays.begin[c + 1]);
         ++o)
      builder.add_outcome(State{static_cast<std::uint32_t>(arrays.next[o])},
                          Number::from_double(arrays.probability[o]),
                          Number::from_double(arrays.reward[o]));
  }
  return built(std::move(builder));
}

// Random rows that sum to about 1; some with repeated next states, some with tiny probabilities,
// which only rationals hold.
Arrays random_arrays(std::mt19937_64& random, std::size_t states, std::size_t most) {
  std::uniform_real_distribution<double> uniform(0, 1);
  Arrays arrays;
  for (std::uint32_t s = 0; s < states; ++s) {
    for (std::uint32_t a = 0; a < 2; ++a) {
      const std::size_t count = 1 + random() % most;
      std::vector<double> row(count);
      double sum = 0;
      const double power = random() % 8 == 0 ? 40 : 1;
      for (double& p : row) sum += p = std::pow(uniform(random), power);
      arrays.state.push_back(s);
      arrays.action.push_back(a);
      for (const double p : row) {
        arrays.next.push_back(static_cast<std::int64_t>(random() % states));
        arrays.probability.push_back(p / sum);
        arrays.reward.push_back(random() % 4 == 0 ? uniform(random)
                                                  : static_cast<double>(random() % 5) / 10);
      }
      arrays.begin.push_back(static_cast<std::int64_t>(arrays.next.size()));
    }
  }
  return arrays;
}

TEST(BuilderArrays, GiveTheModelOfSingleCalls) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 40; ++round) {
    const std::size_t states = 1 + random() % 60;
    const Arrays arrays = random_arrays(random, states, 12);
    const Built expected = one_by_one(arrays, states);
    const Built found = from_arrays(arrays, states);
    ASSERT_EQ(found.text, expected.text);
    ASSERT_EQ(found.notices, expected.notices);
  }
}

TEST(BuilderArrays, GiveTheSameInManyBlocksOnAllCores) {
  std::mt19937_64 random(6);
  const Arrays arrays = random_arrays(random, 1000, 150);
  const Built expected = one_by_one(arrays, 1000);
  const Built found = from_arrays(arrays, 1000);
  EXPECT_TRUE(found.text == expected.text);
  EXPECT_EQ(found.notices, expected.notices);
}

TEST(BuilderArrays, HaveTheSameProblems) {
  std::mt19937_64 random(8);
  Arrays arrays = random_arrays(random, 4, 5);
  arrays.probability[2] = 1.5;
  arrays.next[5] = 17;
  const auto problems_of = [&](const auto& build) {
    try {
      static_cast<void>(build(arrays, 4));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string expected = problems_of(one_by_one);
  EXPECT_NE(expected.find("probability is 1.5"), std::string::npos) << expected;
  EXPECT_EQ(problems_of(from_arrays), expected);
}

TEST(BuilderArrays, MustFitEachOther) {
  std::mt19937_64 random(9);
  const Arrays good = random_arrays(random, 3, 4);
  const auto refuses = [](const Arrays& arrays) {
    ModelBuilder builder = with_states(3);
    EXPECT_THROW(builder.add_choices(arrays.view()), Error);
  };
  for (int part = 0; part < 5; ++part) {
    Arrays arrays = good;
    if (part == 0) arrays.action.pop_back();
    if (part == 1) arrays.begin.pop_back();
    if (part == 2) arrays.probability.pop_back();
    if (part == 3) arrays.reward.pop_back();
    if (part == 4) arrays.action.back() = 2;
    refuses(arrays);
  }
}

}  // namespace
}  // namespace quantiplan
