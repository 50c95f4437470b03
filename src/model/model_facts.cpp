#include "model/model_facts.hpp"

#include <optional>
#include <vector>

namespace quantiplan {

InitialNames names_of(const Model& model, const InitialStates& initial) {
  InitialNames out;
  for (const auto& [state, probability] : initial)
    out.drawn.emplace_back(model.state_name(state), probability);
  return out;
}

ModelFacts facts_of(const Model& model, const ResolvedSetting& setting) {
  ModelFacts facts;
  facts.name = model.name();
  facts.states = model.state_count();
  facts.choices = model.choice_count();
  facts.outcomes = model.outcome_count();
  facts.horizon = setting.horizon;
  facts.discount = setting.discount;
  facts.initial = names_of(model, setting.initial);
  facts.goal_states = setting.goal.size();
  facts.cost = setting.cost;
  facts.adversarial = setting.adversarial;
  facts.wealth = model.wealth().kind;
  return facts;
}

std::pair<Rational, Rational> reward_range(const Model& model) {
  std::optional<std::pair<Rational, Rational>> range;
  std::vector<bool> seen(model.rewards().size(), false);
  for (std::size_t i = 0; i < model.state_count(); ++i) {
    for (const Choice c : model.choices(State{static_cast<std::uint32_t>(i)})) {
      for (const Outcome& o : model.outcomes(c)) {
        if (seen[index(o.reward)]) continue;
        seen[index(o.reward)] = true;
        const Rational reward = model.reward(o);
        if (!range) range.emplace(reward, reward);
        if (reward < range->first) range->first = reward;
        if (reward > range->second) range->second = reward;
      }
    }
  }
  return range.value_or(std::pair<Rational, Rational>(0, 0));
}

}  // namespace quantiplan
