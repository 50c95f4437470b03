#include "promises/promise_judge.hpp"

#include <algorithm>

#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

// The part of E_A - E_B that a search may leave open.
Rational open_part(const PromiseRun& run, const Query& query) {
  if (query.mean_gap) return *query.mean_gap;
  return run.is_exact() ? Rational(0) : Rational(1, 100);
}

// What a finished search has met: the first vertex of the curve that keeps the promise.
Rational mean_of_vertex(PromiseCase& c, const Promise& promise) {
  for (const Fate& vertex : c.promises.curve(promise.level))
    if (promise.kept_with(vertex.promise)) return vertex.gain;
  throw Violation("the reference knows nobody who keeps the promise");
}

// How much one more unit of probability can cost at the level: the error of a probability in
// doubles, in the units of the mean.
Rational steepest(PromiseCase& c, const Promise& promise) {
  const std::vector<Fate> curve = c.promises.curve(promise.level);
  Rational slope = 0;
  for (std::size_t i = 1; i < curve.size(); ++i)
    slope = std::max(
        slope,
        Rational((curve[i - 1].gain - curve[i].gain) / (curve[i].promise - curve[i - 1].promise)));
  return slope;
}

}  // namespace

PlainModel promise_model(std::uint64_t seed) {
  PlainModel model = tiny_model(seed);
  if (seed % 4 != 0) return model;
  model.cost = true;
  return model;
}

void require_bound(PromiseCase& c,
                   const PromiseRun& run,
                   const Query& query,
                   const Result& result,
                   const Rational& mean,
                   const std::string& where) {
  const Promise promise = promise_of(result);
  const Rational bound = c.promises.mean_bound(promise.level, promise.theta, promise.side).value();
  require(mean <= bound, where + "the mean exceeds what any policy has: " + shown(mean));
  require(result.mean_bound.has_value(), where + "no bound of the mean");
  const Value& found = *result.mean_bound;
  require(found.exact || found.is == Value::Is::upper_bound, where + "the bound is no bound");
  const Rational stated = found.greatest();
  require(stated >= bound,
          where + "bound " + shown(stated) + ", but some policy has " + shown(bound));
  const Rational cost =
      c.promises.richest(promise.level).gain - c.promises.surest(promise.level).gain;
  const Rational open = open_part(run, query) * cost;
  if (run.is_exact()) {
    require(found.exact.has_value(), where + "the bound is not exact");
    require(stated - bound <= open,
            where + "bound " + shown(stated) + ", must be " + shown(bound) + " and " + shown(open));
  }
  const Rational rounding =
      run.is_exact() ? Rational(0)
                     : Rational(16 * c.rounding() * (c.size() + steepest(c, promise) + 1));
  require(stated - bound <= open + rounding,
          where + "bound " + shown(stated) + " is far above " + shown(bound));
  const Rational vertex = mean_of_vertex(c, promise);
  require(stated - mean <= open + rounding || mean + rounding >= vertex,
          where + "mean " + shown(mean) + " though a search meets " + shown(vertex));
}

Rational require_promising(PromiseCase& c, const Result& result, const std::string& where) {
  const Promise promise = promise_of(result);
  const Policy policy = result.policy();
  const Law law = law_of(c.plain, c.model, policy);
  const Rational reached = at_least(law, promise.level);
  require(promise.kept_with(reached),
          where + "P(W >= " + shown(promise.level) + ") is " + shown(reached) +
              ": the promise is broken");
  require(result.probability.has_value() && result.mean.has_value(), where + "no numbers");
  require_stated(c, *result.probability, reached, where + "probability");
  require_stated(c, *result.mean, mean(law), where + "mean");
  const Distribution evaluated = evaluate(c.model, policy);
  const ProbabilityBracket bracket = evaluated.at_least_bracket(promise.level);
  require(bracket.lower <= reached && reached <= bracket.upper, where + "evaluate() differs");
  require_stated(c, evaluated.mean, mean(law), where + "evaluate(), mean");
  return mean(law);
}

void require_quantile(PromiseCase& c, const Result& result, const std::string& where) {
  const Optimum best = c.truth.optimum(result.tau, result.side);
  require(result.status == Status::solved, where + std::string(to_text(result.status)));
  require(result.quantile == best.quantile,
          where + "quantile " + shown(*result.quantile) + ", must be " + shown(best.quantile));
}

}  // namespace quantiplan::testing
