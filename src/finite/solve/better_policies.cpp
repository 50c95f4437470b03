#include "finite/solve/better_policies.hpp"

#include <algorithm>

#include "evaluate/forward.hpp"
#include "finite/tabulate.hpp"
#include "numbers/mean_value.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {

MakeRules rules_of(const std::shared_ptr<PromisePasses>& passes, const Aim& aim) {
  return [passes, aim](Limits& limits) {
    auto rules = passes->rules(aim, limits);
    if (!rules) refuse_unfinished("policy");
    return *std::move(rules);
  };
}

PolicyClaim claim_of_part(const Rational& level, const Value& probability, const Value& mean) {
  PolicyClaim claim;
  claim.kind = PolicyClaim::Kind::threshold;
  claim.quantile = level;
  claim.set_probability(probability);
  claim.most_probability = 1;
  claim.mean = mean;
  return claim;
}

Later<Policy> mixture_of(std::vector<MixtureMaker> parts) {
  return [parts = std::move(parts)] {
    Policy mixture;
    for (const MixtureMaker& part : parts) {
      mixture.mixture.push_back({part.weight, part.policy()});
      mixture.mixture.back().policy.claim = part.claim;
    }
    mixture.setting = mixture.mixture.front().policy.setting;
    return mixture;
  };
}

Value MeanShape::probability(const Value& of) const {
  return rounds ? Value::at_least(of.least()) : of;
}

Value MeanShape::mean(const Rational& computed, const Rational& error) const {
  if (is_exact) return Value::exactly(computed * unit);
  if (is_bounded) return Value::no_less_than((computed - error) * unit);
  return mean_within(computed * unit, error * unit);
}

// What is shown of the mean is rounded, and so may lie beyond its bound by a hair.
Value MeanShape::bound(const Rational& bound, const std::optional<Value>& mean) const {
  if (is_exact && (!mean || mean->exact)) return Value::exactly(bound * unit);
  if (!mean) return Value::no_more_than(bound * unit);
  return Value::no_more_than(std::max<Rational>(bound * unit, Rational(mean->nearest)));
}

void put_bound(const PromiseFound& found, const MeanShape& shape, Result& result) {
  if (!found.bound) return;
  result.prefer = Prefer::mean;
  result.mean_bound = shape.bound(*found.bound, result.mean);
  if (result.mean && result.mean->most && *result.mean->most > result.mean_bound->nearest)
    result.mean.change([&](Value& mean) { mean.most = result.mean_bound->nearest; });
  if (found.weight) result.mean_weight = Rational(*found.weight * shape.unit);
}

void put_widest_bound(const Rational& greatest, const Wishes& wishes, Result& result) {
  const bool for_mean = wishes.prefer != Prefer::probability || wishes.mixed;
  if (!wants_better_policies(wishes) || !for_mean || wishes.goal) return;
  if (!result.policy || result.mean_bound) return;
  result.prefer = Prefer::mean;
  // What is shown of the mean is rounded, and so may lie beyond it by a hair.
  result.mean_bound = Value::no_more_than(
      result.mean ? std::max<Rational>(greatest, Rational(result.mean->nearest)) : greatest);
  result.mean_weight = 0;
}

void put_policy(const std::shared_ptr<FiniteLayout>& layout,
                const MakeRules& make,
                std::int64_t level,
                Result& result) {
  const auto table = [level](const AimedRules& rules, Limits& limits) {
    auto policy =
        tabulate(*rules.ground, rules.decisions.get(), rules.points.get(), {level}, limits);
    if (!policy) refuse_unfinished("policy");
    return *std::move(policy);
  };
  result.policy = [layout, make, table]() {
    const LaterWork later(layout->options);
    Limits limits(later.options());
    return table(make(limits), limits);
  };
  result.distribution = [layout, make, table, level]() {
    const LaterWork later(layout->options);
    Limits limits(later.options());
    const AimedRules rules = make(limits);
    const ResidualStrategy strategy(rules.ground->stages,
                                    ResidualRule(rules.ground, rules.decisions, rules.points),
                                    WealthKey{level});
    bool too_many = false;
    auto found = distribution_of(
        *rules.ground->stages, strategy, later.options().arithmetic, limits, &too_many);
    if (too_many) return evaluate(layout->model, table(rules, limits), later.options());
    if (!found) refuse_unfinished("distribution");
    return *std::move(found);
  };
}

}  // namespace quantiplan
