#include "reduce/last_rules.hpp"

#include <utility>
#include <vector>

namespace quantiplan {
namespace {

// Marks what the runs of a rule lead to.
void follow(const Model& model, const PolicyRule& rule, std::vector<bool>& met) {
  for (const PolicyRun& run : rule.runs) {
    for (const Outcome& o : model.outcomes(run.choice)) met[index(o.next)] = true;
  }
}

}  // namespace

bool surely_has_last_rules(const Model& model, const Policy& policy) {
  const std::uint64_t last = policy.truncated_at.value();
  std::vector<bool> here(model.state_count(), false);
  for (const State s : policy.setting.initial.states()) here[index(s)] = true;
  auto rule = policy.rules.begin();
  for (std::uint64_t t = 0; t < last && rule != policy.rules.end(); ++t) {
    std::vector<bool> next(here.size(), false);
    for (; rule != policy.rules.end() && rule->time == t; ++rule) {
      if (here[index(rule->state)] && !policy.setting.is_goal(rule->state))
        follow(model, *rule, next);
    }
    here = std::move(next);
  }
  // From then on the same rules hold: whatever is met, in any order.
  std::vector<const PolicyRule*> of_state(here.size(), nullptr);
  for (; rule != policy.rules.end(); ++rule) {
    if (rule->time == last) of_state[index(rule->state)] = &*rule;
  }
  std::vector<State> open;
  for (std::uint32_t s = 0; s < here.size(); ++s) {
    if (here[s]) open.push_back(State{s});
  }
  while (!open.empty()) {
    const State s = open.back();
    open.pop_back();
    if (model.is_terminal(s) || policy.setting.is_goal(s)) continue;
    if (of_state[index(s)] == nullptr) return false;
    for (const PolicyRun& run : of_state[index(s)]->runs) {
      for (const Outcome& o : model.outcomes(run.choice)) {
        if (!here[index(o.next)]) open.push_back(o.next);
        here[index(o.next)] = true;
      }
    }
  }
  return true;
}

}  // namespace quantiplan
