// A coin between two policies in every arithmetic, held against all policies there are.
#include <gtest/gtest.h>

#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "promises/promise_case.hpp"
#include "promises/promise_judge.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

void require_mixed(PromiseCase& c,
                   const PromiseRun& run,
                   const Result& result,
                   const std::string& where) {
  const Promise promise = promise_of(result);
  const Rational bound = c.promises.mean_bound(promise.level, promise.theta, promise.side).value();
  if (!result.mixed) {
    require(!run.is_exact(), where + "no coin");  // doubles may not tell whether any policy will do
    return;
  }
  const Mixed& mixed = *result.mixed;
  require(mixed.coin > 0 && mixed.coin <= 1, where + "coin " + shown(mixed.coin));
  const Policy policy = mixed.policy();
  require(policy.mixture.size() == (mixed.coin == 1 ? 1U : 2U) &&
              policy.mixture.front().weight == mixed.coin,
          where + "the mixture is not that of the coin");
  const Law law = law_of(c.plain, c.model, policy);
  const Rational reached = at_least(law, promise.level);
  require(promise.kept_with(reached), where + "the mixture breaks the promise: " + shown(reached));
  require_stated(c, mixed.probability, reached, where + "probability of the mixture");
  require_stated(c, mixed.mean, mean(law), where + "mean of the mixture");
  require(mean(law) <= bound, where + "the mixture exceeds the bound");
  const Distribution evaluated = evaluate(c.model, policy);
  const ProbabilityBracket bracket = evaluated.at_least_bracket(promise.level);
  require(bracket.lower <= reached && reached <= bracket.upper, where + "evaluate() differs");
  require_stated(c, evaluated.mean, mean(law), where + "evaluate(), mean of the mixture");
  if (!run.is_exact() || result.side == Side::lower) return;
  require(mean(law) == bound,
          where + "the mixture has " + shown(mean(law)) + " of " + shown(bound));
  require(mixed.coin == 1 || reached == promise.theta,
          where + "the mixture promises " + shown(reached));
}

QUANTIPLAN_PROPERTY_OF(PromiseCase, ACoinIsWhatItSays, promise_model, 0.3) {
  Query query = c.query(Prefer::mean);
  query.mixed = true;
  for (const PromiseRun& run : promise_runs(c.seed)) {
    for (const Result& result : solve(c.model, query, run.options).results) {
      const std::string where = place(run.name, result.tau, result.side);
      require_quantile(c, result, where);
      require_bound(c, run, query, result, require_promising(c, result, where), where);
      require_mixed(c, run, result, where);
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
