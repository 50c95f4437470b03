// Goals, costs, adversaries and the infinite horizon: answers against the truth.
#include <gtest/gtest.h>

#include "harness/aimed_case.hpp"
#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "oracles/infinite_reference.hpp"

namespace quantiplan::testing {
namespace {

// By its label, and to nine digits: infinite levels are solved until their bounds settle what
// was asked, not until they meet.
void require_value(const Value& found, const Rational& expected, const std::string& what) {
  require_label(found, expected, what);
  require(abs(Rational(found.nearest) - expected) <= Rational(1, 1'000'000'000),
          what + " is " + shown(found.nearest) + ", must be " + shown(expected));
}

void require_result(AimedCase& c, const AimedRun& run, Aim aim, const Result& result) {
  const std::string where = place(run, aim, result.tau, result.side);
  const Optimum best = c.truth(aim).optimum(result.tau, result.side);
  require(result.quantile.has_value() && result.upper.has_value(), where + "no quantile");
  require(result.status == Status::solved,
          where + "status " + std::string(to_text(result.status)) + ", [" +
              shown(*result.quantile) + ", " + shown(*result.upper) + "], must be " +
              shown(best.quantile));
  if (c.plain.discount != 1 && !c.plain.goal.empty()) {
    require(*result.quantile <= best.quantile && best.quantile <= *result.upper,
            where + "[" + shown(*result.quantile) + ", " + shown(*result.upper) +
                "] misses the truth " + shown(best.quantile));
    return;
  }
  require(*result.quantile == best.quantile,
          where + "quantile is " + shown(*result.quantile) + ", must be " + shown(best.quantile));
  require(result.certificate == Certificate::exact,
          where + "certificate is " + std::string(to_text(result.certificate)));
  require(result.upper == result.quantile, where + "an exact answer has a bracket");
  // At tau = 1 a mixture of policies may attain what no policy of the library does.
  if (result.tau < 1)
    require(result.attained == best.attained,
            where + (best.attained ? "not attained" : "attained"));
  require(result.attained || !result.policy, where + "a policy for what is not attained");
  if (!result.attained) return;
  require(result.probability.has_value(), where + "no probability");
  require_value(*result.probability, best.probability, where + "probability");
  if (run.options.arithmetic == Arithmetic::exact && run.options.engine != Engine::paper)
    require(result.probability->exact.has_value(), where + "the probability is not exact");
}

void require_answers(AimedCase& c) {
  for (const AimedRun& run : aimed_runs(c)) {
    for (const Aim aim : kBothAims) {
      const Query query = c.query(aim);
      const std::vector<Question> asked = questions(query);
      const Answer answer = solve(c.model, query, run.options);
      require(answer.results.size() == asked.size(), run.name + ": results are missing");
      for (std::size_t i = 0; i < asked.size(); ++i) {
        require(answer.results[i].tau == asked[i].tau && answer.results[i].side == asked[i].side,
                run.name + ": results are out of order");
        require_result(c, run, aim, answer.results[i]);
      }
    }
  }
}

QUANTIPLAN_PROPERTY_OF(AimedCase, GoalsAndCostsAreAnsweredByDefinition, goal_model, 0.5) {
  require_answers(c);
}
QUANTIPLAN_PROPERTY_OF(InfiniteCase, InfiniteAnswersAreThoseOfTheDefinition, infinite_model, 1) {
  require_answers(c);
}
QUANTIPLAN_PROPERTY_OF(InfiniteCase,
                       LargerInfiniteModelsAreAnsweredAlike,
                       larger_infinite_model,
                       0.1) {
  require_answers(c);
}
QUANTIPLAN_PROPERTY_OF(InfiniteCase, MixedSignsAreAnsweredWithoutCycles, acyclic_model, 0.2) {
  require_answers(c);
}

void require_thresholds(AimedCase& c) {
  for (const AimedRun& run : aimed_runs(c)) {
    for (const Aim aim : kBothAims) {
      const std::vector<Total> targets = c.targets(aim);
      const ThresholdAnswer answer = threshold(c.model, {targets, c.setting(aim)}, run.options);
      require(answer.results.size() == targets.size(), run.name + ": results are missing");
      for (std::size_t i = 0; i < targets.size(); ++i) {
        const ThresholdResult& result = answer.results[i];
        const std::string where =
            run.name + ", " + name_of(aim) + ", target " + shown(targets[i]) + ": ";
        const Rational truth = c.truth(aim).at_least(targets[i]);
        require(result.target == targets[i], where + "out of order");
        require(result.status == Status::solved,
                where + "status " + std::string(to_text(result.status)));
        require(result.probability.has_value(), where + "no probability");
        if (result.certificate == Certificate::exact) {
          require_value(*result.probability, truth, where + "probability");
        } else {
          require(run.options.arithmetic != Arithmetic::exact ||
                      (c.plain.discount != 1 && !c.plain.goal.empty()),
                  where + "not exact");
          require(result.upper.has_value(), where + "a bracket without an end");
          const auto end = [](const Value& v) { return v.exact.value_or(Rational(v.nearest)); };
          require(end(*result.probability) <= truth && truth <= end(*result.upper),
                  where + "[" + shown(end(*result.probability)) + ", " + shown(end(*result.upper)) +
                      "] misses the truth " + shown(truth));
        }
      }
    }
  }
}

QUANTIPLAN_PROPERTY_OF(AimedCase, ThresholdsWithGoalsAreThoseOfTheDefinition, goal_model, 0.25) {
  require_thresholds(c);
}
QUANTIPLAN_PROPERTY_OF(InfiniteCase,
                       InfiniteThresholdsAreThoseOfTheDefinition,
                       infinite_model,
                       0.5) {
  require_thresholds(c);
}
QUANTIPLAN_PROPERTY_OF(InfiniteCase, ThresholdsWithoutCyclesTakeMixedSigns, acyclic_model, 0.1) {
  require_thresholds(c);
}

}  // namespace
}  // namespace quantiplan::testing
