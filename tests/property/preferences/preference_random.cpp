#include "preferences/preference_random.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "harness/lowest_terms.hpp"
#include "harness/random_model.hpp"

namespace quantiplan::testing {
namespace {

std::vector<std::string> some_names(const std::vector<std::string>& from, std::size_t count) {
  return {from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count)};
}

const std::vector<std::string> kLabels = {"bronze", "silver", "gold"};
const std::vector<std::string> kNodes = {"ok", "seen A", "late, but done", "bad"};
const std::vector<std::string> kClasses = {"poor", "fair", "good", "very good"};

void draw_vectors(Dice& dice, Wealth& wealth) {
  static const std::vector<std::string> names = {"late", "", "cost"};
  static const std::vector<Rational> numbers = {0, 0, 1, 1, -1, 2, q(1, 2), q(1, 3)};
  const std::size_t length = dice.between(1, 3);
  for (std::size_t i = 0; i < length; ++i) wealth.components.push_back({names[i], dice.one_in(2)});
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<Rational> vector;
    for (std::size_t i = 0; i < length; ++i) vector.push_back(dice.pick(numbers));
    if (std::find(wealth.vectors.begin(), wealth.vectors.end(), vector) == wealth.vectors.end())
      wealth.vectors.push_back(vector);
  }
}

void draw_weights(Dice& dice, Wealth& wealth) {
  static const std::vector<Rational> numbers = {0, 1, 1, 3, -2, q(7, 2), q(1, 3)};
  for (std::size_t i = 0; i < wealth.labels.size(); ++i)
    wealth.weights.push_back(dice.pick(numbers));
}

// Every class has a node, nodes beyond the classes lie anywhere.
void draw_nodes(Dice& dice, Wealth& wealth) {
  const std::size_t nodes = std::max(dice.between(1, 4), dice.between(1, 4));
  const bool is_table = wealth.kind == WealthKind::table;
  const std::size_t classes =
      is_table ? nodes : std::max(dice.between(1, nodes), dice.between(1, nodes));
  wealth.classes = some_names(kClasses, classes);
  wealth.nodes = is_table ? wealth.classes : some_names(kNodes, nodes);
  for (std::size_t i = 0; i < nodes; ++i)
    wealth.class_of.push_back(static_cast<std::uint32_t>(i < classes ? i : dice.below(classes)));
  for (std::size_t i = nodes - 1; i > 0 && !is_table; --i)
    std::swap(wealth.class_of[i], wealth.class_of[dice.below(i + 1)]);
  wealth.start = static_cast<std::uint32_t>(dice.below(nodes));
  for (std::size_t i = 0; i < nodes * wealth.labels.size(); ++i)
    wealth.next.push_back(static_cast<std::uint32_t>(dice.below(nodes)));
}

// Ranks never fall (or never rise) along a transition.
void make_monotone(Dice& dice, Wealth& wealth) {
  const bool rises = dice.one_in(2);
  for (std::size_t i = 0; i < wealth.next.size(); ++i) {
    const std::size_t from = wealth.class_of[i / wealth.labels.size()];
    const auto fits = [&](std::uint32_t node) {
      return rises ? wealth.class_of[node] >= from : wealth.class_of[node] <= from;
    };
    while (!fits(wealth.next[i]))
      wealth.next[i] = static_cast<std::uint32_t>(dice.below(wealth.nodes.size()));
  }
}

Wealth draw_wealth(Dice& dice, WealthKind kind, bool best_first) {
  Wealth wealth;
  wealth.kind = kind;
  wealth.best_first = best_first;
  if (wealth.has_labels()) wealth.labels = some_names(kLabels, dice.between(1, 3));
  if (wealth.has_vectors()) draw_vectors(dice, wealth);
  if (kind == WealthKind::weighted_counts) draw_weights(dice, wealth);
  if (kind == WealthKind::automaton || kind == WealthKind::table) draw_nodes(dice, wealth);
  return wealth;
}

Rational draw_reward(Dice& dice, const Wealth& wealth, const Rational& before) {
  static const std::vector<Rational> factors = {1, 2, 2, q(1, 2), 3, q(1, 3), q(3, 2), q(11, 10)};
  if (wealth.kind == WealthKind::product) return dice.pick(factors);
  if (wealth.has_numbers()) return before;
  if (wealth.has_vectors()) return Rational(dice.below(wealth.vectors.size()));
  return Rational(static_cast<long>(dice.below(wealth.labels.size() + 1)) - 1);
}

void draw_rewards(Dice& dice, PreferenceModel& model) {
  for (PlainState& state : model.plain.states) {
    for (PlainChoice& choice : state.choices) {
      const bool one_reward = dice.one_in(3);
      for (PlainOutcome& o : choice.outcomes) {
        o.reward = draw_reward(dice, model.wealth, o.reward);
        if (one_reward) o.reward = choice.outcomes.front().reward;
      }
    }
  }
}

constexpr WealthKind kKinds[kPreferenceKinds] = {WealthKind::max,
                                                 WealthKind::min,
                                                 WealthKind::product,
                                                 WealthKind::lexicographic,
                                                 WealthKind::counts,
                                                 WealthKind::counts,
                                                 WealthKind::weighted_counts,
                                                 WealthKind::automaton,
                                                 WealthKind::table};

PreferenceModel judged(PlainModel plain, std::uint64_t seed) {
  Dice dice(seed ^ 0x6A75646765U);
  PreferenceModel model{std::move(plain), {}};
  model.plain.discount = 1;
  const std::uint64_t kind = seed % kPreferenceKinds;
  model.wealth = draw_wealth(dice, kKinds[kind], kind == 5);
  draw_rewards(dice, model);
  return model;
}

}  // namespace

PreferenceModel tiny_preference(std::uint64_t seed) { return judged(tiny_model(seed), seed); }

PreferenceModel larger_preference(std::uint64_t seed) {
  Dice dice(seed ^ 0x6C61726765U);
  PlainModel plain = larger_model(seed);
  plain.horizon = dice.between(3, 6);
  return judged(std::move(plain), seed);
}

PreferenceModel infinite_preference(std::uint64_t seed) {
  static constexpr WealthKind kKinds[] = {
      WealthKind::max, WealthKind::min, WealthKind::automaton, WealthKind::table};
  Dice dice(seed ^ 0x656E64U);
  PreferenceModel model{infinite_model(seed), {}};
  model.plain.goal.clear();
  model.plain.cost = false;
  model.wealth = draw_wealth(dice, kKinds[seed % 4], false);
  if (model.wealth.has_labels()) make_monotone(dice, model.wealth);
  draw_rewards(dice, model);
  return model;
}

}  // namespace quantiplan::testing
