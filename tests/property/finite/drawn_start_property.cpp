// A drawn initial state against the same model with the draw as a first step of its own, whose truth
// is known by brute force:
//
//     entry --mu(s), 0--> s,    T + 1 steps,    rewards r / gamma,    so that totals stay as they are
#include <gtest/gtest.h>

#include <set>

#include "harness/comparisons.hpp"
#include "harness/configurations.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "oracles/brute_force.hpp"
#include "promises/promise_reference.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

// Of distinct states, one of them with a choice.
std::vector<std::pair<std::size_t, Rational>> random_start(Dice& dice, const PlainModel& plain) {
  const std::size_t most = std::min<std::size_t>(3, plain.states.size());
  std::set<std::size_t> states{plain.initial};
  while (states.size() < dice.between(1, most)) states.insert(dice.below(plain.states.size()));
  std::vector<std::pair<std::size_t, Rational>> out;
  Rational sum = 0;
  for (const std::size_t s : states) {
    out.emplace_back(s, static_cast<unsigned long>(dice.between(1, 4)));
    sum += out.back().second;
  }
  for (auto& [s, mu] : out) mu /= sum;
  return out;
}

PlainModel with_first_step(PlainModel plain,
                           const std::vector<std::pair<std::size_t, Rational>>& start) {
  for (PlainState& state : plain.states)
    for (PlainChoice& choice : state.choices)
      for (PlainOutcome& o : choice.outcomes) o.reward /= plain.discount;
  PlainChoice draw;
  for (const auto& [s, mu] : start) draw.outcomes.push_back({s, mu, 0});
  plain.initial = plain.states.size();
  plain.states.push_back({{draw}});
  ++plain.horizon;
  return plain;
}

// The reference keeps a reference to the model.
struct DrawnCase {
  static bool fits(const PlainModel& plain) {
    return Case::fits(plain) && !plain.states[plain.initial].choices.empty();
  }
  DrawnCase(std::uint64_t case_seed, const PlainModel& plain)
      : seed(case_seed),
        dice(case_seed),
        start(random_start(dice, plain)),
        entered(with_first_step(plain, start)),
        model(build(plain)),
        truth(entered) {
    std::vector<std::pair<std::string, Rational>> names;
    for (const auto& [s, mu] : start) names.emplace_back(state_name(s), mu);
    query.setting.initial = InitialNames(names);
    std::set<Rational> taus{0, 1, Rational(1, 2), Rational(1, 10)};
    const std::vector<CurveStep> steps = truth.steps();
    for (std::size_t i = 0; i < 3 && !steps.empty(); ++i)
      taus.insert(1 - dice.pick(steps).probability);
    query.taus.assign(taus.begin(), taus.end());
    query.sides = Sides::both;
    query.prefer = Prefer::probability;
  }
  DrawnCase(const DrawnCase&) = delete;
  DrawnCase& operator=(const DrawnCase&) = delete;

  std::uint64_t seed;
  Dice dice;
  std::vector<std::pair<std::size_t, Rational>> start;
  PlainModel entered;
  Model model;
  Reference truth;
  Query query;
};

void require_quantile(DrawnCase& c, const Result& result, const std::string& where) {
  const Optimum best = c.truth.optimum(result.tau, result.side);
  require(result.status == Status::solved && result.quantile.has_value(), where + "not solved");
  require(*result.quantile <= best.quantile && best.quantile <= *result.upper,
          where + "quantile is " + shown(*result.quantile) + ", must be " + shown(best.quantile));
  if (result.certificate != Certificate::exact) return;
  require(result.quantile == result.upper, where + "an exact answer has a bracket");
  require_label(*result.probability, best.probability, where + "probability");
}

// What its own policy, written and read again, attains.
void require_policy(DrawnCase& c, const Result& result, const std::string& where) {
  const Policy policy = result.policy();
  const Policy read = parse_policy(format_policy(policy, c.model), c.model, "policy");
  require(read.setting.initial == policy.setting.initial, where + "another start was read");
  const Distribution law = evaluate(c.model, read, {});
  const Value own = law.at_least(*result.quantile);
  require(suffices(own.greatest(), result.tau, result.side), where + "the promise is not kept");
  const CheckReport report = check(c.model, read, *read.claim);
  require(report.passed, where + "check " + verdict(report));
}

QUANTIPLAN_PROPERTY_OF(DrawnCase, DrawnStartsAreAnsweredByEveryEngine, tiny_model, 0.3) {
  for (const Configuration& configuration : some_configurations(c.seed)) {
    for (const Result& result : solve(c.model, c.query, configuration.options).results) {
      const std::string where = place(configuration.name, result.tau, result.side);
      require(result.certificate == Certificate::exact, where + "not exact");
      require_quantile(c, result, where);
    }
  }
}

QUANTIPLAN_PROPERTY_OF(DrawnCase, DrawnStartsAreBracketed, awkward_model, 0.1) {
  for (const Engine engine : {Engine::automatic, Engine::lattice, Engine::levels, Engine::search}) {
    Options options;
    options.engine = engine;
    options.check = true;
    for (const Result& result : solve(c.model, c.query, options).results) {
      const std::string where =
          place("engine " + std::to_string(static_cast<int>(engine)), result.tau, result.side);
      if (result.status == Status::unsettled) continue;
      require_quantile(c, result, where);
      require_policy(c, result, where);
      require(result.check->passed, where + "check " + verdict(*result.check));
    }
  }
}

QUANTIPLAN_PROPERTY_OF(DrawnCase, DrawnStartsHaveTheBestMean, tiny_model, 0.1) {
  PromiseReference promises(c.entered);
  Query query = c.query;
  query.prefer = Prefer::mean;
  Options options;
  options.arithmetic = Arithmetic::exact;
  options.check = true;
  for (const Result& result : solve(c.model, query, options).results) {
    const std::string where = place("mean", result.tau, result.side);
    require(*result.quantile == c.truth.optimum(result.tau, result.side).quantile,
            where + "another quantile");
    const Rational& level = result.quantile->value();
    const Rational theta = 1 - result.tau;
    require(result.mean_bound && result.mean->exact, where + "the mean was left out");
    require(result.mean_bound->exact == promises.mean_bound(level, theta, result.side),
            where + "bound " + shown(*result.mean_bound->exact) + " of the mean");
    require(evaluate(c.model, result.policy(), options).mean.exact == result.mean->exact,
            where + "not the mean of the policy");
    require_policy(c, result, where);
  }
}

QUANTIPLAN_PROPERTY_OF(DrawnCase, DrawnStartsHaveACurve, tiny_model, 0.1) {
  Options options;
  options.arithmetic = Arithmetic::exact;
  const Frontier curve = frontier(c.model, c.query, options);
  const std::vector<CurveStep> steps = c.truth.steps();
  require(curve.steps.size() == steps.size(), "the curve has other steps");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    require(curve.steps[i].wealth == Total(steps[i].wealth), "a step is elsewhere");
    require_label(curve.steps[i].probability, steps[i].probability, "a step");
  }
}

}  // namespace
}  // namespace quantiplan::testing
