// Quantiles, probabilities and curves: every configuration against the truth.
#include <gtest/gtest.h>

#include <atomic>

#include "harness/comparisons.hpp"
#include "harness/configurations.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

void require_answer(Case& c, const Configuration& configuration, const Result& result) {
  const std::string where = place(configuration.name, result.tau, result.side);
  const Optimum best = c.expected(result.tau, result.side);
  require(result.status == Status::solved, where + "not solved");
  require(result.certificate == Certificate::exact,
          where + "certificate is " + std::string(to_text(result.certificate)));
  require(result.quantile.has_value(), where + "no quantile");
  require(*result.quantile == best.quantile,
          where + "quantile is " + shown(*result.quantile) + ", must be " + shown(best.quantile));
  require(result.upper == result.quantile, where + "an exact answer has a bracket");
  require(result.probability.has_value(), where + "no probability");
  require_label(*result.probability, best.probability, where + "probability");
  require_probability(c, *result.probability, best.probability, where + "probability");
}

QUANTIPLAN_PROPERTY(AnswersAreThoseOfTheDefinition, tiny_model, 1) {
  const std::vector<Question> asked = questions(c.query());
  for (const Configuration& configuration : some_configurations(c.seed)) {
    const Answer answer = solve(c.model, c.query(), configuration.options);
    require(answer.results.size() == asked.size(), configuration.name + ": results are missing");
    for (std::size_t i = 0; i < asked.size(); ++i) {
      require(answer.results[i].tau == asked[i].tau && answer.results[i].side == asked[i].side,
              configuration.name + ": results are out of order");
      require_answer(c, configuration, answer.results[i]);
    }
  }
}

QUANTIPLAN_PROPERTY(EveryConfigurationGivesTheSameAnswer, tiny_model, 0.05) {
  for (const Configuration& configuration : all_configurations())
    for (const Result& result : solve(c.model, c.query(), configuration.options).results)
      require_answer(c, configuration, result);
}

QUANTIPLAN_PROPERTY(LargerModelsAreSolvedAlike, larger_model, 0.01) {
  for (const Configuration& configuration : some_configurations(c.seed)) {
    Options options = configuration.options;
    options.check = true;
    for (const Result& result : solve(c.model, c.query(), options).results) {
      require_answer(c, configuration, result);
      require(
          result.check->passed,
          place(configuration.name, result.tau, result.side) + "check " + verdict(*result.check));
    }
  }
}

QUANTIPLAN_PROPERTY(TheCurveIsTheReferences, tiny_model, 0.5) {
  for (const Configuration& configuration : some_configurations(c.seed)) {
    if (configuration.options.engine == Engine::paper) continue;
    const Frontier found = frontier(c.model, c.query(), configuration.options);
    require(found.status == Status::solved, configuration.name + ": no curve");
    const auto steps = c.reference.steps();
    const Rational error = found.relative_error == 0 ? Rational(0) : certified_error(c);
    // Steps closer than the error may be shown as one: the one of greater wealth.
    std::size_t shown_as = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::string where = configuration.name + ": step at " + shown(steps[i].wealth);
      require(shown_as < found.steps.size(), where + " is missing");
      const FrontierStep& step = found.steps[shown_as];
      require_probability(c,
                          step.probability,
                          found.steps[shown_as].wealth == steps[i].wealth
                              ? steps[i].probability
                              : c.reference.at_least(step.wealth),
                          where);
      if (step.wealth == steps[i].wealth) {
        ++shown_as;
        continue;
      }
      require(i + 1 < steps.size() &&
                  steps[i + 1].probability >= steps[i].probability * (1 - 2 * error) && error > 0,
              where + " is missing");
    }
    require(shown_as == found.steps.size(), configuration.name + ": there are more steps");
    require(found.steps.front().probability.nearest == 1, configuration.name + ": first below 1");
    for (const FrontierQuantile& q : found.quantiles) {
      const std::string where = place(configuration.name, q.tau, q.side);
      require(q.certificate == Certificate::exact && q.upper == q.quantile,
              where + "no exact quantile");
      require(q.quantile == c.expected(q.tau, q.side).quantile, where + "quantile of the curve");
    }
  }
}

QUANTIPLAN_PROPERTY(AStoppedSolveStillBracketsTheOptimum, tiny_model, 0.05) {
  const std::atomic<bool> stop = true;
  for (Configuration configuration : some_configurations(c.seed)) {
    configuration.options.stop = &stop;
    for (const Result& result : solve(c.model, c.query(), configuration.options).results) {
      const std::string where = place(configuration.name, result.tau, result.side);
      const Total best = c.expected(result.tau, result.side).quantile;
      require(result.status == Status::interrupted || result.status == Status::solved,
              where + "status " + std::string(to_text(result.status)));
      if (result.quantile) require(*result.quantile <= best, where + "quantile above the optimum");
      if (result.upper) require(*result.upper >= best, where + "bracket below the optimum");
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
