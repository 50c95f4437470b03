// The best mean that keeps the promise: every policy and every bound against all policies there
// are.
#include <gtest/gtest.h>

#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "promises/promise_case.hpp"
#include "promises/promise_judge.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

void require_best_means(PromiseCase& c, const Query& query, const std::vector<PromiseRun>& runs) {
  for (const PromiseRun& run : runs) {
    for (const Result& result : solve(c.model, query, run.options).results) {
      const std::string where = place(run.name, result.tau, result.side);
      require_quantile(c, result, where);
      require(result.prefer == Prefer::mean, where + "the mean was left out");
      const Rational mean = require_promising(c, result, where);
      if (run.is_exact())
        require(result.probability->exact && result.mean->exact, where + "not exact");
      require_bound(c, run, query, result, mean, where);
    }
  }
}

void require_best_means(PromiseCase& c, const Query& query) {
  require_best_means(c, query, promise_runs(c.seed));
}

QUANTIPLAN_PROPERTY_OF(PromiseCase, TheBestMeanKeepsThePromise, promise_model, 0.5) {
  require_best_means(c, c.query(Prefer::mean));
}

QUANTIPLAN_PROPERTY_OF(PromiseCase, ASearchWithoutAGapEndsAtTheBound, promise_model, 0.1) {
  Query query = c.query(Prefer::mean);
  query.mean_gap = 0;
  require_best_means(c, query);
}

QUANTIPLAN_PROPERTY_OF(PromiseCase, AWideGapStillKeepsThePromise, promise_model, 0.1) {
  Query query = c.query(Prefer::mean);
  query.mean_gap = 1;
  require_best_means(c, query);
}

QUANTIPLAN_PROPERTY_OF(PromiseCase, LargerModelsKeepTheirPromisesAlike, larger_model, 0.005) {
  Query query = c.query(Prefer::mean);
  query.taus = {Rational(1, 10), Rational(1, 2), Rational(9, 10)};
  require_best_means(c, query);
}

// Exact levels are few and far apart: no array has room for the keys between them.
PlainModel far_levels_model(std::uint64_t seed) {
  PlainModel model = promise_model(seed);
  model.discount = Rational(997, 1009);
  for (PlainState& state : model.states)
    for (PlainChoice& choice : state.choices)
      for (PlainOutcome& o : choice.outcomes) o.reward *= Rational(10007, 3);
  return model;
}

QUANTIPLAN_PROPERTY_OF(PromiseCase, FarLevelsHaveBestMeansAsWell, far_levels_model, 0.05) {
  Query query = c.query(Prefer::mean);
  query.mixed = c.seed % 2 == 0;
  std::vector<PromiseRun> runs;
  for (const Arithmetic arithmetic :
       {Arithmetic::automatic, Arithmetic::exact, Arithmetic::floating}) {
    runs.push_back({"arithmetic " + std::to_string(static_cast<int>(arithmetic)), {}});
    runs.back().options.arithmetic = arithmetic;
  }
  require_best_means(c, query, runs);
}

QUANTIPLAN_PROPERTY_OF(PromiseCase, TheGreatestProbabilityHasItsGreatestMean, promise_model, 0.3) {
  for (const PromiseRun& run : promise_runs(c.seed)) {
    for (const Result& result : solve(c.model, c.query(Prefer::probability), run.options).results) {
      const std::string where = place(run.name, result.tau, result.side);
      require_quantile(c, result, where);
      require(result.prefer == Prefer::probability, where + "prefers something else");
      const Rational mean = require_promising(c, result, where);
      const Fate surest = c.promises.surest(result.quantile->value());
      require(abs(Rational(result.probability->nearest) - surest.promise) <=
                  4 * c.rounding() * surest.promise + Rational(0x1p-1000),
              where + "probability " + shown(result.probability->nearest) + ", must be " +
                  shown(surest.promise));
      if (!run.is_exact()) continue;
      require(result.probability->exact == surest.promise, where + "not the greatest probability");
      require(mean == surest.gain,
              where + "mean " + shown(mean) + ", though " + shown(surest.gain) +
                  " goes with the same probability");
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
