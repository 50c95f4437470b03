// The same preference told in two ways has the same answers: sums through the other engines, max
// and min as automata, weighted counts as sums, powers of two under the product as sums, and one
// component as a sum.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/random_model.hpp"
#include "preferences/preference_case.hpp"
#include "preferences/preference_random.hpp"
#include "preferences/preference_twins.hpp"
#include "quantiplan/solve.hpp"
#include "wealth_of_kind.hpp"

namespace quantiplan::testing {
namespace {

PreferenceModel tiny_sum(std::uint64_t seed) {
  PreferenceModel model{tiny_model(seed), {}};
  model.plain.discount = 1;
  return model;
}

QUANTIPLAN_PREFERENCE(SumsThroughEveryEngineAreTheSame, tiny_sum, 0.15) {
  if (!c.preference.wealth.is_sum()) return;
  const Answer ordinary = solve(c.model, c.query());
  for (const PreferenceRun& run : preference_runs(c))
    require_twins(ordinary, solve(c.model, c.query(), run.options), run.name);
  const Frontier curve = frontier(c.model, c.query());
  for (const Engine engine : {Engine::forward, Engine::ranked}) {
    Options options;
    options.engine = engine;
    options.arithmetic = Arithmetic::exact;
    const Frontier other = frontier(c.model, c.query(), options);
    require(curve.steps.size() == other.steps.size(), "the curve has other steps");
    for (std::size_t i = 0; i < curve.steps.size(); ++i) {
      require(to_text(curve.steps[i].wealth) == to_text(other.steps[i].wealth),
              "the curve has another level");
      require_chance(curve.steps[i].probability,
                     other.steps[i].probability.exact.value(),
                     "the curve at " + to_text(curve.steps[i].wealth));
    }
  }
}

// One node for each reward and one for none, every label moving to the better of the two.
Wealth as_automaton(const Wealth& extreme, std::vector<Rational> rewards) {
  const bool is_max = extreme.kind == WealthKind::max;
  std::sort(rewards.begin(), rewards.end());
  rewards.erase(std::unique(rewards.begin(), rewards.end()), rewards.end());
  Wealth automaton = of_kind(WealthKind::automaton);
  for (const Rational& r : rewards) automaton.labels.push_back(to_text(r));
  automaton.nodes = automaton.labels;
  const auto nothing = static_cast<std::ptrdiff_t>(is_max ? 0 : rewards.size());
  automaton.nodes.insert(automaton.nodes.begin() + nothing, is_max ? "-inf" : "inf");
  automaton.classes = automaton.nodes;
  automaton.start = static_cast<std::uint32_t>(nothing);
  for (std::uint32_t n = 0; n < automaton.nodes.size(); ++n) {
    automaton.class_of.push_back(n);
    for (std::uint32_t l = 0; l < automaton.labels.size(); ++l) {
      const std::uint32_t own = is_max ? l + 1 : l;
      automaton.next.push_back(is_max ? std::max(n, own) : std::min(n, own));
    }
  }
  return automaton;
}

QUANTIPLAN_PREFERENCE(ExtremesAreAutomata, tiny_preference, 0.3) {
  const Wealth& wealth = c.preference.wealth;
  if (wealth.kind != WealthKind::max && wealth.kind != WealthKind::min) return;
  std::vector<Rational> rewards;
  for (const PlainState& state : c.preference.plain.states)
    for (const PlainChoice& choice : state.choices)
      for (const PlainOutcome& o : choice.outcomes) rewards.push_back(o.reward);
  if (rewards.empty()) return;
  const Wealth automaton = as_automaton(wealth, rewards);
  const Model twin = build(with_rewards(c.preference, automaton, [&](const Rational& r) {
    const auto at = std::find(automaton.labels.begin(), automaton.labels.end(), to_text(r));
    return Rational(at - automaton.labels.begin());
  }));
  require_twins(solve(c.model, c.query()), solve(twin, c.query()), "as an automaton");
}

QUANTIPLAN_PREFERENCE(WeightedCountsAreSums, tiny_preference, 0.3) {
  const Wealth& wealth = c.preference.wealth;
  if (wealth.kind != WealthKind::weighted_counts) return;
  const Model twin = build(with_rewards(c.preference, Wealth{}, [&](const Rational& r) {
    return r < 0 ? Rational(0) : wealth.weights[r.get_num().get_ui()];
  }));
  require_twins(solve(c.model, c.query()), solve(twin, c.query()), "as a sum");
}

Rational power_of_two(long exponent) {
  Rational power = 1;
  for (long i = 0; i < std::abs(exponent); ++i) power *= 2;
  return exponent < 0 ? Rational(1 / power) : power;
}

PreferenceModel whole_sum(std::uint64_t seed) {
  return with_rewards(
      tiny_sum(seed), Wealth{}, [](const Rational& r) { return Rational(Integer(r * 3)); });
}

QUANTIPLAN_PREFERENCE(ProductsOfPowersOfTwoAreSums, whole_sum, 0.1) {
  if (!c.preference.wealth.is_sum()) return;
  const Model twin =
      build(with_rewards(c.preference, of_kind(WealthKind::product), [](const Rational& r) {
        return power_of_two(r.get_num().get_si());
      }));
  const Answer sums = solve(c.model, c.query());
  Renamed renamed;
  for (const Result& result : sums.results)
    renamed[to_text(*result.quantile)] =
        to_text(power_of_two(result.quantile->value().get_num().get_si()));
  require_twins(sums, solve(twin, c.query()), "as a product", renamed);
}

QUANTIPLAN_PREFERENCE(OneComponentIsASum, tiny_sum, 0.1) {
  if (!c.preference.wealth.is_sum()) return;
  for (const bool less_is_better : {false, true}) {
    Wealth wealth = of_kind(WealthKind::lexicographic);
    wealth.components = {{"", less_is_better}};
    PreferenceModel twin = with_rewards(c.preference, wealth, [&](const Rational& r) {
      wealth.vectors.push_back({less_is_better ? Rational(-r) : r});
      return Rational(wealth.vectors.size() - 1);
    });
    twin.wealth = wealth;
    const Answer sums = solve(c.model, c.query());
    Renamed renamed;
    for (const Result& result : sums.results) {
      const Rational level = result.quantile->value();
      renamed[to_text(*result.quantile)] =
          "(" + to_text(less_is_better ? Rational(-level) : level) + ")";
    }
    require_twins(sums, solve(build(twin), c.query()), "as one component", renamed);
  }
}

}  // namespace
}  // namespace quantiplan::testing
