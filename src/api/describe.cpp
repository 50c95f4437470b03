#include <algorithm>
#include <tuple>

#include "finite/totals_outline.hpp"
#include "model/model_facts.hpp"
#include "model/reachable.hpp"
#include "quantiplan/solve.hpp"
#include "reduce/recast.hpp"

namespace quantiplan {
namespace {

void describe_wealth(const Model& model,
                     ResolvedSetting setting,
                     const Options& options,
                     ModelInfo& info) {
  // At the infinite horizon levels are found as they are asked for; so are classes of wealth.
  if (setting.is_infinite() || !model.wealth().is_sum()) return;
  // Totals of episodes that reach the goal, in wealth.
  setting.adversarial = false;
  setting.goal.clear();
  const Recast recast(model, setting);
  WorkWatch watch({"info", "describing the totals", "described"}, options);
  const auto found = outline_totals(recast.plain_model(), recast.plain_setting(), watch);
  if (!found) return;
  info.wealth_is_exact = true;
  info.wealth_unit = found->unit;
  info.least_wealth = found->least;
  info.greatest_wealth = found->greatest;
  info.estimated_bytes = found->dense_bytes;
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

ModelInfo describe(const Model& model, const Setting& setting, const Options& options) {
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
  if (!setting.initial) info.possible_initial = model.possible_initial().size();
  if (!has_initial) {
    info.facts.horizon = setting.horizon.value_or(model.horizon().value_or(0));
    if (setting.discount) info.facts.discount = *setting.discount;
    if (model.discount() && !setting.discount) info.facts.discount = *model.discount();
    return info;
  }
  const ResolvedSetting resolved = resolve(model, filled);
  info.facts.discount = resolved.discount;
  info.facts.initial = names_of(model, resolved.initial);
  info.facts.horizon = has_horizon ? resolved.horizon : 0;
  info.reachable_states = count_reachable(model, resolved.initial.states());
  info.facts.goal_states = resolved.goal.size();
  info.facts.cost = resolved.cost;
  info.facts.adversarial = resolved.adversarial;
  info.has_setting = has_horizon;
  if (has_horizon) describe_wealth(model, resolved, options, info);
  return info;
}

}  // namespace quantiplan
