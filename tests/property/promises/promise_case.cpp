#include "promises/promise_case.hpp"

#include <algorithm>
#include <utility>

#include "harness/comparisons.hpp"
#include "harness/configurations.hpp"
#include "harness/random_model.hpp"
#include "oracles/follow.hpp"

namespace quantiplan::testing {
namespace {

// Chances of policies that are enough for the quantile at a step of the curve and for none above.
std::vector<Rational> chances_between(PromiseReference& promises,
                                      const CurveStep& step,
                                      const Rational& above) {
  std::vector<Rational> chances;
  for (const Fate& fate : promises.fates(step.wealth))
    if (fate.promise > above) chances.push_back(fate.promise);
  return chances;
}

std::vector<Rational> promised_taus(std::uint64_t seed,
                                    Reference& truth,
                                    PromiseReference& promises) {
  Dice dice(seed ^ 0x70726F6D697365U);
  std::vector<Rational> taus{0, 1, Rational(static_cast<unsigned long>(dice.between(1, 96)), 97)};
  const std::vector<CurveStep> steps = truth.steps();
  for (int i = 0; i < 3 && !steps.empty(); ++i) {
    const std::size_t at = dice.below(steps.size());
    const Rational above = at + 1 < steps.size() ? steps[at + 1].probability : Rational(0);
    const std::vector<Rational> chances = chances_between(promises, steps[at], above);
    if (!chances.empty()) taus.emplace_back(1 - dice.pick(chances));
    taus.emplace_back(1 - (above + steps[at].probability) / 2);
  }
  std::sort(taus.begin(), taus.end());
  taus.erase(std::unique(taus.begin(), taus.end()), taus.end());
  return taus;
}

}  // namespace

PromiseCase::PromiseCase(std::uint64_t case_seed, PlainModel plain_model)
    : seed(case_seed),
      plain(std::move(plain_model)),
      model(build(plain)),
      truth(plain),
      promises(plain, plain.states.size() > 5 ? KeepFates::hull : KeepFates::undominated),
      taus(promised_taus(seed, truth, promises)) {}

Query PromiseCase::query(Prefer prefer) const {
  Query query{taus, Sides::both, {}};
  query.prefer = prefer;
  return query;
}

Rational PromiseCase::size() const {
  Rational greatest = 0;
  for (const PlainState& state : plain.states)
    for (const PlainChoice& choice : state.choices)
      for (const PlainOutcome& o : choice.outcomes)
        greatest = std::max(greatest, Rational(abs(o.reward)));
  return greatest * Rational(plain.horizon);
}

Rational PromiseCase::rounding() const {
  return Rational(2 * plain.horizon * (model.most_outcomes() + 2)) * Rational(0x1p-53);
}

std::vector<PromiseRun> promise_runs(std::uint64_t seed) {
  std::vector<PromiseRun> runs;
  for (const Configuration& configuration : some_configurations(seed))
    if (configuration.options.engine != Engine::paper)
      runs.push_back({configuration.name, configuration.options});
  return runs;
}

Law law_of(const PlainModel& plain, const Model& model, const Policy& policy) {
  if (policy.mixture.empty()) return follow(plain, model, policy);
  require(policy.rules.empty(), "a mixture has rules of its own");
  Law law;
  Rational weights = 0;
  for (const MixturePart& part : policy.mixture) {
    weights += part.weight;
    for (const auto& [wealth, p] : law_of(plain, model, part.policy))
      law[wealth] += part.weight * p;
  }
  require(weights == 1, "the weights of a mixture sum to " + shown(weights));
  return law;
}

Promise promise_of(const Result& result) {
  require(result.quantile.has_value() && result.quantile->is_finite(), "no promise");
  return {result.quantile->value(), Rational(1 - result.tau), result.side};
}

void require_stated(const PromiseCase& c,
                    const Value& found,
                    const Rational& expected,
                    const std::string& what) {
  if (found.exact || found.is != Value::Is::rounded) require_label(found, expected, what);
  // A mean with two ends has the bound of its error in them, sixteen times what is rounded at most.
  const int ends = found.most ? 64 : 4;
  require(abs(Rational(found.nearest) - expected) <=
              ends * c.rounding() * (c.size() + 1) + Rational(0x1p-1000),
          what + " is " + shown(found.nearest) + ", must be " + shown(expected));
}

}  // namespace quantiplan::testing
