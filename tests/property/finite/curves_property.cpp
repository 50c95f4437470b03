// The two curves of a frontier that is not exact: G* lies between them at every wealth.
#include <gtest/gtest.h>

#include "harness/bracket_runs.hpp"
#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

// What a curve says at a wealth: the probability of the first step from there on.
Rational value_at(const std::vector<FrontierStep>& steps, const Rational& wealth) {
  for (const FrontierStep& step : steps)
    if (step.wealth >= wealth)
      return step.probability.exact.value_or(Rational(step.probability.nearest));
  return 0;
}

void require_ascending(const std::vector<FrontierStep>& steps, const std::string& where) {
  require(!steps.empty() && steps.front().probability.nearest == 1, where + "does not begin at 1");
  for (std::size_t i = 1; i < steps.size(); ++i)
    require(steps[i - 1].wealth < steps[i].wealth, where + "wealth does not ascend");
}

QUANTIPLAN_PROPERTY(CurvesHoldTheTruthBetweenThem, awkward_model, 0.1) {
  Dice dice(c.seed ^ 0x6375727665U);
  for (const Engine engine : rounding_engines()) {
    const BracketRun run = some_run(c, engine, dice);
    const Frontier found = frontier(c.model, some_query(c, dice), run.options);
    const bool is_exact = found.upper_steps.empty();
    const std::vector<FrontierStep>& upper = is_exact ? found.steps : found.upper_steps;
    require_ascending(found.steps, run.name + ": the curve ");
    require_ascending(upper, run.name + ": the upper curve ");
    const Rational error(found.relative_error);
    const Rational underflow(0x1p-1000);
    std::vector<Rational> levels = c.reference.levels();
    const std::size_t attainable = levels.size();
    for (std::size_t i = 0; i + 1 < attainable; ++i)
      levels.emplace_back((2 * levels[i] + levels[i + 1]) / 3);
    for (const Rational& level : levels) {
      const Rational truth = c.reference.at_least(level);
      const std::string where = run.name + ": at " + shown(level) + " G* is " + shown(truth);
      const Rational low = value_at(found.steps, level);
      const Rational high = value_at(upper, level);
      require(low * (1 - error) <= truth + underflow, where + ", the curve says " + shown(low));
      require(truth <= high * (1 + error) + underflow,
              where + ", the upper curve says " + shown(high));
    }
    for (const FrontierQuantile& q : found.quantiles) {
      const Total best = c.expected(q.tau, q.side).quantile;
      require(q.quantile <= best && best <= q.upper,
              place(run.name, q.tau, q.side) + shown(best) + " is not in [" + shown(q.quantile) +
                  ", " + shown(q.upper) + "]");
      require((q.certificate == Certificate::exact) == (q.quantile == q.upper),
              place(run.name, q.tau, q.side) + "another certificate");
      if (found.status == Status::solved && found.epsilon)
        require(q.upper.value() - q.quantile.value() <= *found.epsilon,
                place(run.name, q.tau, q.side) + "solved, but wider than epsilon");
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
