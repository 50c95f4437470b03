#include "harness/random_model.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/lowest_terms.hpp"

namespace quantiplan::testing {
namespace {

using Row = std::vector<Rational>;

// What a model draws its numbers from. A pool per model, not per number, makes values meet again.
struct Pool {
  std::vector<Row> rows;  // probabilities of one, two or three outcomes
  std::vector<Rational> rewards;
};

const Rational kTiny = Rational(1, Integer(1'000'000'000) * 1'000'000'000);

std::vector<Row> rows_of(Dice& dice) {
  static const std::vector<std::vector<Row>> families = {
      {{1}, {q(1, 2), q(1, 2)}, {q(1, 2), q(1, 4), q(1, 4)}, {q(3, 4), q(1, 4)}},
      {{1}, {q(1, 3), q(2, 3)}, {q(1, 3), q(1, 3), q(1, 3)}, {q(2, 3), q(1, 6), q(1, 6)}},
      {{1}, {q(1, 10), q(9, 10)}, {q(3, 10), q(7, 10)}, {q(1, 10), q(2, 10), q(7, 10)}},
      {{1}, {q(1, 2), q(1, 2)}, {q(1, 3), q(2, 3)}, {q(1, 10), q(9, 10)}, {q(2, 5), q(3, 5)}},
  };
  // Probabilities a hair from each other: doubles cannot tell them apart.
  static const std::vector<Row> close = {
      {1}, {q(1, 2), q(1, 2)}, {q(1, 2) - kTiny, q(1, 2) + kTiny}, {kTiny, 1 - kTiny}};
  return dice.one_in(12) ? close : dice.pick(families);
}

std::vector<Rational> rewards_of(Dice& dice) {
  static const std::vector<std::vector<Rational>> families = {
      {0, 1, 2, 3},
      {0, -1, -2, -5},
      {-3, -1, 0, 1, 2},
      {0, 0, 0, 10, -10},
      {q(1, 10), q(2, 10), q(3, 10), q(-1, 10), 0},
      {q(1, 3), q(-2, 3), q(1, 2), 1},
      {q(5, 2), 7, -4, 0},
      {1},
  };
  return dice.pick(families);
}

std::vector<Rational> awkward_rewards_of(Dice& dice) {
  static const Rational nano(1, 1'000'000'000);
  static const Rational giga(1'000'000'000);
  static const std::vector<std::vector<Rational>> families = {
      {q(1, 3), q(1, 10), q(-2, 7), 0},
      {q(1, 10), q(2, 10), q(-1, 10), 1},
      {q(1, 3), q(-1, 3), q(1, 7), q(2, 3)},
      {nano, 3 * nano, -nano, 0},
      {nano, 1, q(1, 3), 0},
      {giga, -giga, q(1, 3), 0},
      {giga, nano, q(1, 10), -1},
      {giga + nano, giga, giga - q(1, 3), -2 * giga},
      {q(-1, 3), q(-1, 10), q(-5, 7), -nano},
      {q(355, 113), q(-22, 7), 0, 0},
      {q(1, 3)},
      {0},
  };
  return dice.pick(families);
}

struct Sizes {
  std::size_t states, most_choices, most_outcomes;
  std::uint64_t horizon;
};

PlainModel make(Dice& dice, const Sizes& sizes, const Pool& pool) {
  PlainModel model;
  model.horizon = sizes.horizon;
  model.states.resize(sizes.states);
  model.initial = dice.below(sizes.states);
  for (std::size_t i = 0; i < sizes.states; ++i) {
    if (i != model.initial && dice.one_in(4)) continue;  // terminal
    model.states[i].choices.resize(dice.between(1, sizes.most_choices));
    for (PlainChoice& choice : model.states[i].choices) {
      Row row = dice.pick(pool.rows);
      while (row.size() > sizes.most_outcomes) row = dice.pick(pool.rows);
      if (dice.one_in(2)) std::reverse(row.begin(), row.end());
      const bool one_reward = dice.one_in(2);
      const Rational reward = dice.pick(pool.rewards);
      for (const Rational& p : row)
        choice.outcomes.push_back(
            {dice.below(sizes.states), p, one_reward ? reward : dice.pick(pool.rewards)});
    }
  }
  return model;
}

}  // namespace

std::uint64_t Dice::next() {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

PlainModel tiny_model(std::uint64_t seed) {
  Dice dice(seed);
  const Pool pool{rows_of(dice), rewards_of(dice)};
  // Shapes whose policies can mostly be counted: wide and short, or narrow and long.
  static const std::vector<std::array<std::size_t, 4>> shapes = {{5, 3, 3, 1},
                                                                 {5, 3, 3, 2},
                                                                 {4, 2, 2, 2},
                                                                 {3, 3, 2, 2},
                                                                 {3, 2, 2, 3},
                                                                 {2, 2, 2, 3},
                                                                 {4, 2, 2, 3},
                                                                 {5, 2, 2, 3},
                                                                 {2, 3, 2, 3},
                                                                 {1, 2, 2, 3},
                                                                 {5, 2, 2, 4},
                                                                 {3, 2, 2, 4}};
  const std::array<std::size_t, 4>& shape = dice.pick(shapes);
  Sizes sizes{dice.between(1, shape[0]), shape[1], shape[2], shape[3]};
  PlainModel model = make(dice, sizes, pool);
  static const std::vector<Rational> discounts = {1, 1, 1, 1, 1, q(1, 2), q(9, 10), q(1, 3)};
  model.discount = dice.pick(discounts);
  return model;
}

PlainModel awkward_model(std::uint64_t seed) {
  Dice dice(seed);
  const Pool pool{rows_of(dice), awkward_rewards_of(dice)};
  // Under discounting hardly two histories have the same wealth: few histories.
  static const std::vector<std::array<std::size_t, 4>> shapes = {{4, 3, 3, 1},
                                                                 {4, 3, 2, 2},
                                                                 {4, 2, 3, 2},
                                                                 {3, 2, 2, 3},
                                                                 {2, 3, 2, 3},
                                                                 {3, 2, 2, 4},
                                                                 {1, 2, 2, 4},
                                                                 {4, 1, 2, 4},
                                                                 {3, 1, 2, 5},
                                                                 {3, 3, 1, 5}};
  const std::array<std::size_t, 4>& shape = dice.pick(shapes);
  const Sizes sizes{dice.between(1, shape[0]), shape[1], shape[2], shape[3]};
  PlainModel model = make(dice, sizes, pool);
  static const std::vector<Rational> discounts = {1, q(1, 2), q(9, 10), q(99, 100)};
  model.discount = dice.pick(discounts);
  return model;
}

namespace {

// Some states other than the initial one; sometimes none.
void draw_goal(Dice& dice, PlainModel& model) {
  for (std::size_t s = 0; s < model.states.size(); ++s)
    if (s != model.initial && dice.one_in(3)) model.goal.push_back(s);
}

// The same wealth, told as costs.
void tell_as_costs(PlainModel& model) {
  model.cost = true;
  for (PlainState& state : model.states)
    for (PlainChoice& choice : state.choices)
      for (PlainOutcome& o : choice.outcomes) o.reward = -o.reward;
}

std::vector<Rational> one_signed_rewards_of(Dice& dice) {
  static const std::vector<std::vector<Rational>> families = {
      {0, 0, 1},
      {0, 0, 1, 2},
      {0, 1, 3},
      {0, 0, 0, 2},
      {0, q(1, 2), q(1, 3)},
      {1, 2},
      {0},
  };
  std::vector<Rational> rewards = dice.pick(families);
  if (dice.one_in(2))
    for (Rational& r : rewards) r = -r;
  return rewards;
}

// Like make(), but with what makes infinite models hard: mass that leaks to different ends (an end,
// or a state that pays for ever), round cycles, for nothing or not.
PlainModel make_infinite(Dice& dice, const Sizes& sizes) {
  Pool pool{rows_of(dice), one_signed_rewards_of(dice)};
  // An event of probability 1e-18 would take 1e18 levels to settle.
  std::erase_if(pool.rows, [](const Row& row) { return row.front() == kTiny; });
  PlainModel model = make(dice, sizes, pool);
  const std::size_t n = sizes.states;
  std::vector<std::size_t> others;
  for (std::size_t s = 0; s < n; ++s)
    if (s != model.initial) others.push_back(s);
  if (!others.empty() && !dice.one_in(4)) model.states[dice.pick(others)].choices.clear();
  if (others.size() > 1 && dice.one_in(3)) {
    const std::size_t s = dice.pick(others);
    model.states[s].choices = {{{{s, 1, dice.pick(pool.rewards)}}}};
  }
  for (PlainState& state : model.states) {
    for (PlainChoice& choice : state.choices) {
      if (choice.outcomes.size() > n || dice.one_in(4)) continue;
      // Different states one after the other.
      const std::size_t first = dice.below(n);
      for (std::size_t i = 0; i < choice.outcomes.size() && choice.outcomes.size() > 1; ++i)
        choice.outcomes[i].next = (first + i) % n;
    }
  }
  if (dice.one_in(2)) draw_goal(dice, model);
  if (dice.one_in(4)) tell_as_costs(model);
  return model;
}

}  // namespace

PlainModel goal_model(std::uint64_t seed) {
  PlainModel model = tiny_model(seed);
  Dice dice(seed ^ 0x676F616CU);
  if (!dice.one_in(5)) draw_goal(dice, model);
  if (dice.one_in(2)) tell_as_costs(model);
  return model;
}

PlainModel infinite_model(std::uint64_t seed) {
  Dice dice(seed);
  return make_infinite(dice,
                       {dice.one_in(6) ? dice.between(1, 2) : dice.between(3, 4),
                        2,
                        dice.between(2, 3),
                        kInfiniteHorizon});
}

PlainModel larger_infinite_model(std::uint64_t seed) {
  Dice dice(seed);
  return make_infinite(dice, {dice.between(4, 6), 3, 3, kInfiniteHorizon});
}

PlainModel acyclic_model(std::uint64_t seed) {
  Dice dice(seed);
  const Pool pool{rows_of(dice), rewards_of(dice)};
  PlainModel model = make(dice, {dice.between(2, 6), 2, 3, kInfiniteHorizon}, pool);
  std::swap(model.states[0], model.states[model.initial]);
  model.initial = 0;
  // Outcomes lead to later states only, and the last one ends.
  const std::size_t last = model.states.size() - 1;
  for (std::size_t s = 0; s < last; ++s)
    for (PlainChoice& choice : model.states[s].choices)
      for (PlainOutcome& o : choice.outcomes) o.next = dice.between(s + 1, last);
  model.states[last].choices.clear();
  if (dice.one_in(2)) draw_goal(dice, model);
  if (dice.one_in(4)) tell_as_costs(model);
  return model;
}

PlainModel mixed_model(std::uint64_t seed) {
  Dice dice(seed);
  const Pool pool{rows_of(dice), {-1, 0, 0, 2}};
  PlainModel model = make(dice, {dice.between(1, 4), 2, 2, kInfiniteHorizon}, pool);
  if (dice.one_in(2)) draw_goal(dice, model);
  if (dice.one_in(4)) tell_as_costs(model);
  return model;
}

PlainModel discounted_model(std::uint64_t seed) {
  Dice dice(seed);
  static const std::vector<std::vector<Rational>> families = {
      {0, 1}, {0, 1, 2}, {0, -1}, {1, -1, 0}, {0, 0, 3, -2}, {q(1, 2), 0, 1}};
  const Pool pool{rows_of(dice), dice.pick(families)};
  PlainModel model = make(dice, {dice.between(1, 3), 2, 2, kInfiniteHorizon}, pool);
  model.discount = dice.one_in(3) ? q(1, 3) : q(1, 2);
  if (dice.one_in(3)) draw_goal(dice, model);
  if (dice.one_in(4)) tell_as_costs(model);
  return model;
}

PlainModel larger_model(std::uint64_t seed) {
  Dice dice(seed);
  Pool pool{rows_of(dice), {}};
  for (int i = 0; i < 6; ++i)
    pool.rewards.emplace_back(static_cast<long>(dice.between(0, 30)) - 15);
  const Sizes sizes{dice.between(6, 20), 4, 3, dice.between(5, 12)};
  return make(dice, sizes, pool);
}

}  // namespace quantiplan::testing
