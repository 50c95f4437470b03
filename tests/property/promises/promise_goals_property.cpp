// Who misses the target still wants the goal: P(goal) and E[W; goal] of
// policies that keep their promise, against all policies there are.
#include <gtest/gtest.h>

#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "promises/promise_case.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

Fate fate_of(const Law& law, const Rational& level) {
  Fate fate{at_least(law, level), 0, 0};
  for (const auto& [wealth, p] : law) {
    if (wealth.is_miss()) continue;
    fate.arrival += p;
    fate.gain += p * wealth.value();
  }
  return fate;
}

std::string fate_text(const Fate& fate) {
  return "(" + shown(fate.promise) + ", " + shown(fate.arrival) + ", " + shown(fate.gain) + ")";
}

// The fate of the result's policy, held to what the result says of it.
Fate require_goal_policy(PromiseCase& c, const Result& result, const std::string& where) {
  const Promise promise = promise_of(result);
  Fate fate = fate_of(law_of(c.plain, c.model, result.policy()), promise.level);
  require(promise.kept_with(fate.promise), where + "the promise is broken: " + fate_text(fate));
  require_stated(c, result.probability.value(), fate.promise, where + "probability");
  require(result.goal_probability && result.goal_mean, where + "no P(goal) or no E[W; goal]");
  require_stated(c, *result.goal_probability, fate.arrival, where + "P(goal)");
  require_stated(c, *result.goal_mean, fate.gain, where + "E[W; goal]");
  return fate;
}

// What a finished search has met: the first vertex of the curve that keeps the
// promise.
Fate first_kept(PromiseCase& c, const Promise& promise) {
  for (const Fate& vertex : c.promises.curve(promise.level))
    if (promise.kept_with(vertex.promise)) return vertex;
  throw Violation("the oracle knows nobody who keeps the promise");
}

void require_goal_bound(PromiseCase& c,
                        const PromiseRun& run,
                        const Result& result,
                        const Fate& fate,
                        const std::string& where) {
  const Promise promise = promise_of(result);
  const Rational bound =
      c.promises.arrival_bound(promise.level, promise.theta, promise.side).value();
  require(result.goal_probability_bound.has_value(), where + "no bound of P(goal)");
  const Rational stated = result.goal_probability_bound->greatest();
  require(fate.arrival <= bound && bound <= stated,
          where + "P(goal) " + fate_text(fate) + ", bound " + shown(stated) + ", truth " +
              shown(bound));
  if (!run.is_exact()) return;
  require(stated == bound, where + "bound " + shown(stated) + ", must be " + shown(bound));
  const Fate vertex = first_kept(c, promise);
  require(fate.arrival >= vertex.arrival,
          where + "P(goal) of " + fate_text(fate) + ", though a search meets " + fate_text(vertex));
  // Where the promise takes nothing from the goal, the gain is next.
  for (const Fate& arriving : c.promises.curve_of_arriving(promise.level)) {
    if (!promise.kept_with(arriving.promise)) continue;
    require(fate.arrival == arriving.arrival && fate.gain >= arriving.gain,
            where + fate_text(fate) + ", though a search meets " + fate_text(arriving));
    break;
  }
}

QUANTIPLAN_PROPERTY_OF(PromisedGoalCase, GoalsAreReachedWithinThePromise, goal_model, 0.5) {
  for (const PromiseRun& run : promise_runs(c.seed)) {
    for (const Result& result : solve(c.model, c.query(Prefer::mean), run.options).results) {
      const std::string where = place(run.name, result.tau, result.side);
      require(result.quantile == c.truth.optimum(result.tau, result.side).quantile,
              where + "another quantile");
      if (!result.quantile->is_finite()) continue;
      require_goal_bound(c, run, result, require_goal_policy(c, result, where), where);
    }
  }
}

// On a grid the level is the lower end of a bracket, and the bound that of a level somewhat lower.
void require_rounded_goals(PromiseCase& c, const std::string& name, const Options& options) {
  const Answer answer = solve(c.model, c.query(Prefer::mean), options);
  for (const Result& result : answer.results) {
    const std::string where = place(name, result.tau, result.side);
    if (!result.quantile->is_finite()) continue;
    if (result.prefer != Prefer::mean) {
      require(!answer.engine.left_out.empty(), where + "the goal was left out without a word");
      continue;
    }
    const Promise promise = promise_of(result);
    const Fate fate = fate_of(law_of(c.plain, c.model, result.policy()), promise.level);
    require(promise.kept_with(fate.promise), where + "the promise is broken: " + fate_text(fate));
    require_label(result.probability.value(), fate.promise, where + "probability");
    require_stated(c, result.goal_probability.value(), fate.arrival, where + "P(goal)");
    const Rational bound =
        c.promises.arrival_bound(promise.level, promise.theta, promise.side).value();
    require(fate.arrival <= bound && bound <= result.goal_probability_bound.value().greatest(),
            where + "bound of P(goal) " + shown(bound));
  }
}

QUANTIPLAN_PROPERTY_OF(PromisedGoalCase, RoundedPromisesGoForTheGoal, goal_model, 0.3) {
  Options options;
  options.engine = Engine::lattice;
  require_rounded_goals(c, "lattice", options);
}

// The same with a discount.
class DiscountedGoalCase : public PromiseCase {
 public:
  using PromiseCase::PromiseCase;
  static bool fits(const PlainModel& plain) {
    return !plain.is_infinite() && !plain.goal.empty() && plain.discount != 1;
  }
};

PlainModel discounted_goal_model(std::uint64_t seed) {
  PlainModel model = goal_model(seed);
  Dice dice(seed ^ 0x646973636FU);
  model.discount = dice.pick(std::vector<Rational>{{1, 2}, {9, 10}, {2, 3}, {997, 1009}});
  return model;
}

QUANTIPLAN_PROPERTY_OF(DiscountedGoalCase,
                       DiscountedPromisesGoForTheGoal,
                       discounted_goal_model,
                       0.3) {
  require_rounded_goals(c, "automatic", {});
  Options options;
  options.engine = Engine::lattice;
  require_rounded_goals(c, "lattice", options);
}

QUANTIPLAN_PROPERTY_OF(PromisedGoalCase, TheSurestPolicyStillWantsTheGoal, goal_model, 0.5) {
  for (const PromiseRun& run : promise_runs(c.seed)) {
    for (const Result& result : solve(c.model, c.query(Prefer::probability), run.options).results) {
      const std::string where = place(run.name, result.tau, result.side);
      if (!result.quantile->is_finite()) continue;
      const Fate fate = require_goal_policy(c, result, where);
      const Fate surest = c.promises.surest(result.quantile->value());
      if (run.is_exact())
        require(fate == surest, where + fate_text(fate) + ", must be " + fate_text(surest));
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
