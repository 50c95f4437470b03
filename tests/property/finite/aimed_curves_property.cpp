// Curves and distributions with goals, costs, adversaries and no end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/aimed_case.hpp"
#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "oracles/play.hpp"
#include "oracles/unfolding.hpp"

namespace quantiplan::testing {
namespace {

Rational value_of(const Value& value) { return value.exact.value_or(Rational(value.nearest)); }

void require_near(const Value& found, const Rational& expected, const std::string& what) {
  const Rational off = abs(value_of(found) - expected);
  require(found.exact ? off == 0 : off <= Rational(0x1p-40),
          what + " is " + shown(value_of(found)) + ", must be " + shown(expected));
}

void require_curve(AimedCase& c) {
  for (const AimedRun& run : aimed_runs(c)) {
    if (run.options.engine == Engine::paper || c.plain.discount != 1) continue;
    for (const Aim aim : kBothAims) {
      const std::string where = run.name + ", " + name_of(aim) + ": ";
      const Frontier found = frontier(c.model, c.query(aim), run.options);
      require(found.status == Status::solved, where + "no curve");
      for (std::size_t i = 0; i < found.steps.size(); ++i) {
        const FrontierStep& step = found.steps[i];
        require(i == 0 || found.steps[i - 1].wealth < step.wealth, where + "not ascending");
        require_near(step.probability,
                     c.truth(aim).at_least(step.wealth),
                     where + "the curve at " + shown(step.wealth));
      }
      // Nothing falls between two steps that are shown.
      for (const CurveStep& step : c.truth(aim).steps()) {
        if (found.relative_error != 0) break;
        if (found.steps.empty() || step.wealth < found.steps.front().wealth.value() ||
            found.steps.back().wealth < step.wealth)
          continue;
        require(std::any_of(found.steps.begin(),
                            found.steps.end(),
                            [&](const FrontierStep& s) { return s.wealth == step.wealth; }),
                where + "the step at " + shown(step.wealth) + " is missing");
      }
      if (!found.upto && !c.plain.is_infinite() && found.relative_error == 0)
        require(found.steps.size() == c.truth(aim).steps().size(),
                where + std::to_string(found.steps.size()) + " steps, must be " +
                    std::to_string(c.truth(aim).steps().size()));
      for (const FrontierQuantile& q : found.quantiles) {
        const Optimum best = c.truth(aim).optimum(q.tau, q.side);
        require(q.quantile == best.quantile && q.upper == best.quantile,
                place(run, aim, q.tau, q.side) + "the curve's quantile is [" + shown(q.quantile) +
                    ", " + shown(q.upper) + "], must be " + shown(best.quantile));
      }
    }
  }
}

QUANTIPLAN_PROPERTY_OF(AimedCase, CurvesWithGoalsAreThoseOfTheDefinition, goal_model, 0.1) {
  require_curve(c);
}
QUANTIPLAN_PROPERTY_OF(InfiniteCase, InfiniteCurvesAreThoseOfTheDefinition, infinite_model, 0.25) {
  require_curve(c);
}

// Where a distribution says that P(W >= w) lies, at atoms and elsewhere.
void require_law(const AimedCase& c,
                 const Distribution& found,
                 const Play& play,
                 const std::string& where) {
  std::vector<Total> thresholds{0, Total::minus_infinity(), Total::plus_infinity(), 100, -100};
  for (const Atom& atom : found.atoms)
    if (thresholds.size() < 12) thresholds.push_back(atom.wealth);
  for (const int k : {-3, -1, 1, 2, 5}) thresholds.emplace_back(Rational(c.unit() * k));
  for (const Total& w : thresholds) {
    const ProbabilityBracket bracket = found.at_least_bracket(w);
    const Rational truth = play.at_least(w);
    const std::string said =
        "P(W >= " + shown(w) + ") in [" + shown(bracket.lower) + ", " + shown(bracket.upper) + "]";
    require(bracket.lower <= truth && truth <= bracket.upper,
            where + said + ", but it is " + shown(truth));
    require(bracket.upper - bracket.lower <= Rational(1, 1000),
            fmt::format("{}no more than {}", where, said));
  }
  Rational sum = 0;
  for (const Atom& atom : found.atoms) sum += value_of(atom.probability);
  if (found.rest) sum += Rational(found.rest->probability);
  require(abs(sum - 1) <= Rational(1, 1000), where + "the atoms sum to " + shown(sum));
}

QUANTIPLAN_PROPERTY_OF(InfiniteCase, InfiniteDistributionsHoldTheirLaw, infinite_model, 0.1) {
  Dice dice(c.seed ^ 0x64697374U);
  for (const Aim aim : kBothAims) {
    const Answer answer = solve(c.model, c.query(aim));
    for (const Result& result : answer.results) {
      if (!result.attained || !dice.one_in(3)) continue;
      const std::string where = name_of(aim) + ", tau " + shown(result.tau) + " " +
                                std::string(to_text(result.side)) + ": ";
      const Policy policy = result.policy();
      const Play play(c.plain, c.model, policy);
      require_law(c, evaluate(c.model, policy), play, where + "evaluate() has ");
      const Distribution own = result.distribution();
      require_law(c, own, play, where + "distribution() has ");
      const QuantileOfDistribution bracket = own.quantile(result.tau, result.side);
      require(bracket.lower <= *result.quantile && *result.quantile <= bracket.upper,
              where + "the policy's own quantile is in [" + shown(bracket.lower) + ", " +
                  shown(bracket.upper) + "], not " + shown(*result.quantile));
    }
  }
}

// Policies that no engine would make: any choice, in every state or by the residual.
QUANTIPLAN_PROPERTY_OF(InfiniteCase, AnyInfinitePolicyCanBeEvaluated, infinite_model, 0.1) {
  if (shape_of(c.plain) == Shape::acyclic) return;
  Dice dice(c.seed ^ 0x616E79U);
  for (const Aim aim : kBothAims) {
    Policy policy;
    policy.setting = resolve(c.model, c.setting(aim));
    if (dice.one_in(2)) policy.target = Rational(c.unit() * static_cast<int>(dice.below(4)));
    for (std::size_t s = 0; s < c.plain.states.size(); ++s) {
      if (c.plain.ends_at(s)) continue;
      const State state{static_cast<std::uint32_t>(s)};
      PolicyRule rule{0, state, {}};
      const auto some = [&] {
        return c.model.choices(state)[dice.below(c.model.choice_count(state))];
      };
      for (int upto = -2; policy.target && upto < 3; ++upto)
        if (dice.one_in(2)) rule.runs.push_back({Rational(c.unit() * upto), some()});
      rule.runs.push_back({std::nullopt, some()});
      policy.rules.push_back(std::move(rule));
    }
    require_law(c,
                evaluate(c.model, policy),
                Play(c.plain, c.model, policy),
                name_of(aim) + ": evaluate() has ");
  }
}

}  // namespace
}  // namespace quantiplan::testing
