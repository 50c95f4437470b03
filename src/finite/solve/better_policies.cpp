#include "finite/solve/better_policies.hpp"

#include "evaluate/forward.hpp"
#include "finite/tabulate.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {

void put_policy(const std::shared_ptr<Instance>& instance,
                const MakeRules& make,
                std::int64_t level,
                Result& result) {
  const auto table = [level](const AimedRules& rules, Limits& limits) {
    auto policy =
        tabulate(*rules.ground, rules.decisions.get(), rules.points.get(), {level}, limits);
    if (!policy) refuse_unfinished("policy");
    return *std::move(policy);
  };
  result.policy = [instance, make, table]() {
    const LaterWork later(instance->options);
    Limits limits(later.options());
    return table(make(limits), limits);
  };
  result.distribution = [instance, make, table, level]() {
    const LaterWork later(instance->options);
    Limits limits(later.options());
    const AimedRules rules = make(limits);
    const ResidualStrategy strategy(rules.ground->stages,
                                    ResidualRule(rules.ground, rules.decisions, rules.points),
                                    WealthKey{level});
    bool too_many = false;
    auto found = distribution_of(
        *rules.ground->stages, strategy, later.options().arithmetic, limits, &too_many);
    if (too_many) return evaluate(instance->model, table(rules, limits), later.options());
    if (!found) refuse_unfinished("distribution");
    return *std::move(found);
  };
}

}  // namespace quantiplan
