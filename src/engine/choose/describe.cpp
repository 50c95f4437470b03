#include <algorithm>
#include <tuple>

#include "instance.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "reachable.hpp"
#include "recast.hpp"

namespace quantiplan {
namespace {

void describe_wealth(const Model& model, ResolvedSetting setting, ModelInfo& info) {
  // At the infinite horizon levels are found as they are asked for; so are classes of wealth.
  if (setting.is_infinite() || !model.wealth().is_sum()) return;
  // Totals of episodes that reach the goal, in wealth.
  setting.adversarial = false;
  setting.goal.clear();
  const Recast recast(model, setting);
  Instance instance(recast.plain_model(), recast.plain_setting(), Options{});
  try {
    if (!instance.lay_out()) return;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::refused) return;
    throw;
  }
  if (!instance.stages->has_keys()) return;
  const Stages& stages = *instance.stages;
  const Window& window = instance.windows->at(0, 0);
  info.wealth_is_exact = true;
  info.wealth_unit = stages.scale().unit();
  info.least_wealth = stages.scale().wealth({window.least});
  info.greatest_wealth = stages.scale().wealth({window.possible});
  double most = 0;
  for (std::uint64_t t = 0; t <= stages.horizon(); ++t) {
    double entries = 0;
    for (std::size_t slot = 0; slot < stages.layer(t).size(); ++slot) {
      entries += static_cast<double>(instance.windows->at(t, slot).width());
    }
    most = std::max(most, 2 * sizeof(double) * entries);
  }
  constexpr double kMost = 9e18;
  info.estimated_bytes = instance.limits.peak() + static_cast<std::uint64_t>(std::min(most, kMost));
}

std::size_t count_transitions(const Model& model) {
  std::size_t count = 0;
  std::vector<State> next;
  for (std::uint32_t c = 0; c < model.choice_count(); ++c) {
    next.clear();
    for (const Outcome& o : model.outcomes(Choice{c})) next.push_back(o.next);
    std::sort(next.begin(), next.end());
    count += static_cast<std::size_t>(std::unique(next.begin(), next.end()) - next.begin());
  }
  return count;
}

}  // namespace

ModelInfo describe(const Model& model, const Setting& setting) {
  ModelInfo info;
  info.facts.name = model.name();
  info.facts.states = model.state_count();
  info.facts.choices = model.choice_count();
  info.facts.outcomes = model.outcome_count();
  info.facts.wealth = model.wealth().kind;
  info.transitions = count_transitions(model);
  for (const StateLabel& label : model.labels())
    info.labels.push_back({label.name, label.states.size()});
  info.model_bytes = model.bytes();
  std::tie(info.least_reward, info.greatest_reward) = reward_range(model);
  for (std::size_t s = 0; s < model.state_count(); ++s) {
    if (model.is_terminal(State{static_cast<std::uint32_t>(s)})) ++info.terminal_states;
  }
  const bool has_horizon = setting.horizon || model.horizon();
  const bool has_initial = setting.initial || model.initial();
  // Fill in what is missing only to let resolve() check what is there.
  Setting filled = setting;
  if (!has_horizon) filled.horizon = 1;
  if (!has_initial) {
    info.facts.horizon = setting.horizon.value_or(model.horizon().value_or(0));
    if (setting.discount) info.facts.discount = *setting.discount;
    if (model.discount() && !setting.discount) info.facts.discount = *model.discount();
    return info;
  }
  const ResolvedSetting resolved = resolve(model, filled);
  info.facts.discount = resolved.discount;
  info.facts.initial = model.state_name(resolved.initial);
  info.facts.horizon = has_horizon ? resolved.horizon : 0;
  info.reachable_states = count_reachable(model, resolved.initial);
  info.facts.goal_states = resolved.goal.size();
  info.facts.cost = resolved.cost;
  info.facts.adversarial = resolved.adversarial;
  info.has_setting = has_horizon;
  if (has_horizon) describe_wealth(model, resolved, info);
  return info;
}

}  // namespace quantiplan
