// Curves and distributions with goals, costs, adversaries and no end.
#include <gtest/gtest.h>

#include <algorithm>

#include "aimed_case.hpp"
#include "comparisons.hpp"
#include "play.hpp"
#include "random_model.hpp"

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
      if (!found.upto && !c.plain.is_endless() && found.relative_error == 0)
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
QUANTIPLAN_PROPERTY_OF(EndlessCase, EndlessCurvesAreThoseOfTheDefinition, endless_model, 0.25) {
  require_curve(c);
}

// Where the distribution says that P(W >= w) lies, at atoms and elsewhere.
QUANTIPLAN_PROPERTY_OF(EndlessCase, EndlessDistributionsHoldTheirLaw, endless_model, 0.1) {
  Dice dice(c.seed ^ 0x64697374U);
  for (const Aim aim : kBothAims) {
    const Answer answer = solve(c.model, c.query(aim));
    for (const Result& result : answer.results) {
      if (!result.attained || !dice.one_in(3)) continue;
      const std::string where = name_of(aim) + ", tau " + shown(result.tau) + " " +
                                std::string(to_text(result.side)) + ": ";
      const Policy policy = result.policy();
      const Play play(c.plain, c.model, policy);
      for (const Distribution& found : {evaluate(c.model, policy), result.distribution()}) {
        std::vector<Total> thresholds{
            0, Total::minus_infinity(), Total::plus_infinity(), 100, -100};
        for (const Atom& atom : found.atoms)
          if (thresholds.size() < 12) thresholds.push_back(atom.wealth);
        for (const int k : {-3, -1, 1, 2, 5}) thresholds.emplace_back(Rational(c.unit() * k));
        for (const Total& w : thresholds) {
          const ProbabilityBracket bracket = found.at_least_bracket(w);
          const Rational truth = play.at_least(w);
          require(bracket.lower <= truth && truth <= bracket.upper,
                  where + "P(W >= " + shown(w) + ") = " + shown(truth) + " is not in [" +
                      shown(bracket.lower) + ", " + shown(bracket.upper) + "]");
          require(bracket.upper - bracket.lower <= Rational(1, 1000) || found.sample,
                  where + "P(W >= " + shown(w) + ") is only known to be in [" +
                      shown(bracket.lower) + ", " + shown(bracket.upper) + "]");
        }
        Rational sum = 0;
        for (const Atom& atom : found.atoms) sum += value_of(atom.probability);
        if (found.rest) sum += Rational(found.rest->probability);
        require(abs(sum - 1) <= Rational(1, 1000) || found.sample,
                where + "the atoms sum to " + shown(sum));
      }
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
