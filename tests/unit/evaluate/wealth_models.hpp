// Small models of other wealth structures than sums, and policies that go by wealth.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan::testing {

// Each round is silver for certain, or gold or bronze at even odds; more gold is better, then more
// silver, then less bronze.
inline Model medals(std::uint64_t rounds) {
  Wealth wealth;
  wealth.kind = WealthKind::counts;
  wealth.labels = {"bronze", "silver", "gold"};
  wealth.best_first = true;
  ModelBuilder b;
  b.wealth(wealth).horizon(rounds).initial("field");
  b.begin_choice("field", "safe").add_outcome("field", 1, *b.reward("silver"));
  b.begin_choice("field", "bold")
      .add_outcome("field", "1/2", *b.reward("gold"))
      .add_outcome("field", "1/2", *b.reward("bronze"));
  return b.build();
}

// The best reward for ever: trying gives 1 or 2 and goes on, or 0 and ends, a third each;
// stopping gives 1.
inline Model best_of_tries() {
  Wealth wealth;
  wealth.kind = WealthKind::max;
  ModelBuilder b;
  b.wealth(wealth).horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "try")
      .add_outcome("s", "1/3", 1)
      .add_outcome("s", "1/3", 2)
      .add_outcome("end", "1/3", 0);
  b.begin_choice("s", "stop").add_outcome("end", 1, 1);
  return b.build();
}

// The worst reward for ever: half of the time it is the swamp, with 2 for ever; on the road,
// slow is 3, fast is 5 or, now and then, 1.
inline Model worst_of_the_way() {
  Wealth wealth;
  wealth.kind = WealthKind::min;
  ModelBuilder b;
  b.wealth(wealth).horizon(kInfiniteHorizon).initial("home");
  b.begin_choice("home", "go").add_outcome("road", "1/2", 4).add_outcome("swamp", "1/2", 4);
  b.begin_choice("road", "slow").add_outcome("road", 1, 3);
  b.begin_choice("road", "fast").add_outcome("road", "3/4", 5).add_outcome("road", "1/4", 1);
  b.begin_choice("swamp", "wade").add_outcome("swamp", 1, 2);
  return b.build();
}

// A lamp that is switched at every step, on or off for ever.
inline Model blinking_lamp(std::uint64_t steps) {
  Wealth wealth;
  wealth.kind = WealthKind::automaton;
  wealth.labels = {"switch"};
  wealth.nodes = {"dark", "lit"};
  wealth.next = {1, 0};
  wealth.class_of = {0, 1};
  wealth.classes = {"off", "on"};
  ModelBuilder b;
  b.wealth(wealth).horizon(steps).initial("room");
  b.begin_choice("room", "wait").add_outcome("room", 1, *b.reward("switch"));
  return b.build();
}

// Actions by wealth, and the action of every other wealth.
struct ByWealth {
  std::string text;
  std::string action;
};
inline void add_wealth_rule(Policy& policy,
                            const Model& model,
                            std::uint64_t time,
                            const std::string& state,
                            const std::vector<ByWealth>& named,
                            const std::string& otherwise) {
  PolicyRule rule{time, model.find_state(state).value(), {}};
  for (const ByWealth& entry : named) {
    const auto at = std::ranges::find(policy.wealths, entry.text) - policy.wealths.begin();
    rule.runs.push_back({std::nullopt,
                         model.find_choice(rule.state, entry.action).value(),
                         {static_cast<std::uint32_t>(at)}});
  }
  rule.runs.push_back({std::nullopt, model.find_choice(rule.state, otherwise).value()});
  policy.rules.push_back(std::move(rule));
}

inline Policy wealth_policy(const Model& model, std::vector<std::string> texts = {}) {
  Policy policy;
  policy.setting.horizon = *model.horizon();
  policy.setting.initial = model.initial()->only();
  policy.wealths = std::move(texts);
  std::ranges::sort(policy.wealths);
  return policy;
}

// Bold at first; then safe with gold, and bold again with bronze: gold and silver 1/2, gold and
// bronze 1/4, two bronze 1/4.
inline Policy bold_then_safe(const Model& medals) {
  Policy policy = wealth_policy(medals, {"1 gold"});
  add_wealth_rule(policy, medals, 0, "field", {}, "bold");
  add_wealth_rule(policy, medals, 1, "field", {{"1 gold", "safe"}}, "bold");
  return policy;
}

inline Policy always(const Model& model, const std::vector<ByWealth>& action_of_state) {
  Policy policy = wealth_policy(model);
  const std::uint64_t times = policy.setting.is_infinite() ? 1 : policy.setting.horizon;
  for (std::uint64_t t = 0; t < times; ++t)
    for (const auto& [state, action] : action_of_state)
      add_wealth_rule(policy, model, t, state, {}, action);
  return policy;
}

}  // namespace quantiplan::testing
