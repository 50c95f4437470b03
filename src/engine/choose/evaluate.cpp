#include <fmt/format.h>

#include "expectation.hpp"
#include "forward.hpp"
#include "instance.hpp"
#include "plan.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void ended_early(const Instance& instance, const char* what) {
  throw Error(
      ErrorCode::refused,
      what,
      instance.limits.status() == Status::interrupted
          ? "interrupted before it was complete"
          : "the time limit was met before it was complete, expected a longer --time-limit");
}

Setting as_setting(const Model& model, const ResolvedSetting& setting) {
  return {setting.horizon, setting.discount, std::string(model.state_name(setting.initial))};
}

template <class N>
Policy expectation_table(const std::shared_ptr<Instance>& instance) {
  const Expectation<N> expectation(*instance->stages, instance->limits);
  if (!expectation.complete()) ended_early(*instance, "expectation policy");
  // One rule for each time and state met, whatever the wealth: no forward pass over wealth is
  // needed.
  Policy policy;
  policy.setting = instance->setting;
  const Stages& stages = *instance->stages;
  std::vector<bool> met(1, true);
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
    const Layer& next_layer = stages.layer(t + 1);
    std::vector<bool> next(next_layer.size(), false);
    for (std::size_t slot = 0; slot < met.size(); ++slot) {
      const State s = stages.layer(t).state(slot);
      if (!met[slot] || stages.is_over(t, s)) continue;
      const Choice c = expectation.choice(t, slot);
      policy.rules.push_back({t, s, {{std::nullopt, c}}});
      for (const Outcome& o : instance->model.outcomes(c)) next[next_layer.slot(o.next)] = true;
    }
    met = std::move(next);
  }
  return policy;
}

}  // namespace

Policy expectation_policy(const Model& model, const Setting& setting, const Options& options) {
  const auto instance = std::make_shared<Instance>(model, setting, options);
  if (!instance->lay_out()) ended_early(*instance, "expectation policy");
  const Plan plan = choose_plan(*instance->stages, *instance->windows, options);
  return plan.exact ? expectation_table<Rational>(instance) : expectation_table<double>(instance);
}

Distribution evaluate(const Model& model, const Policy& policy, const Options& options) {
  Instance instance(model, as_setting(model, policy.setting), options);
  const Stages stages(model, instance.setting, instance.limits);
  if (!stages.complete()) ended_early(instance, "evaluation");
  const TableStrategy strategy(stages, policy);
  auto distribution = distribution_of(stages, strategy, options.arithmetic, instance.limits);
  if (!distribution) ended_early(instance, "evaluation");
  return *std::move(distribution);
}

}  // namespace quantiplan
