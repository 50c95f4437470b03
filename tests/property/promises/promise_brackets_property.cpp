// Promises where wealth is rounded: made at the lower end of the bracket, kept by the book, and
// bounded for all policies.
#include <gtest/gtest.h>

#include "harness/bracket_runs.hpp"
#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "oracles/follow.hpp"
#include "promises/promise_case.hpp"
#include "promises/promise_reference.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

void require_rounded_promise(Case& c,
                             PromiseReference& promises,
                             const Result& result,
                             const std::string& where) {
  const Promise promise = promise_of(result);
  const Law law = follow(c.plain, c.model, result.policy());
  const Rational reached = at_least(law, promise.level);
  require(promise.kept_with(reached),
          where + "P(W >= " + shown(promise.level) + ") is " + shown(reached));
  require_label(result.probability.value(), reached, where + "probability");
  require(result.mean.has_value() && result.mean_bound.has_value(), where + "no numbers");
  require_mean(c, *result.mean, law, where + "mean");
  const Rational bound = promises.mean_bound(promise.level, promise.theta, promise.side).value();
  require(mean(law) <= bound, where + "the mean exceeds what any policy has");
  require(result.mean_bound->exact || result.mean_bound->is == Value::Is::upper_bound,
          where + "the bound is no bound");
  require(result.mean_bound->greatest() >= bound,
          where + "bound " + shown(result.mean_bound->greatest()) + ", but some policy has " +
              shown(bound));
}

QUANTIPLAN_PROPERTY(RoundedPromisesAreKept, awkward_model, 0.1) {
  Dice dice(c.seed ^ 0x726F756E64U);
  PromiseReference promises(c.plain);
  for (const Engine engine : {Engine::automatic, Engine::lattice}) {
    const BracketRun run = some_run(c, engine, dice);
    Query query = some_query(c, dice);
    query.prefer = Prefer::mean;
    const Answer answer = solve(c.model, query, run.options);
    for (const Result& result : answer.results) {
      const std::string where = place(run.name, result.tau, result.side);
      if (result.prefer != Prefer::mean) {
        // The finest grids are there for windows alone.
        require(!answer.engine.left_out.empty(), where + "the mean was left out without a word");
        continue;
      }
      require_rounded_promise(c, promises, result, where);
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
