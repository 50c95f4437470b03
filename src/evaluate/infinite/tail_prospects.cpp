#include "evaluate/infinite/tail_prospects.hpp"

#include <algorithm>

namespace quantiplan {
namespace {

// The states that a path leads from to one of those that are marked; marks them.
void spread_back(const std::vector<std::vector<State>>& before, std::vector<bool>& marked) {
  std::vector<State> to_do;
  for (std::uint32_t s = 0; s < marked.size(); ++s) {
    if (marked[s]) to_do.push_back(State{s});
  }
  while (!to_do.empty()) {
    const State s = to_do.back();
    to_do.pop_back();
    for (const State earlier : before[index(s)]) {
      if (marked[index(earlier)]) continue;
      marked[index(earlier)] = true;
      to_do.push_back(earlier);
    }
  }
}

}  // namespace

TailProspects::TailProspects(const Model& model, const Policy& policy)
    : from_(policy.truncated_at.value_or(0)) {
  const std::size_t states = model.state_count();
  std::vector<bool> has_rule(states, false);
  std::vector<std::vector<State>> before(states);
  can_pay_.assign(states, false);
  can_arrive_.assign(states, false);
  for (const State s : policy.setting.goal) can_arrive_[index(s)] = true;
  for (const PolicyRule& rule : policy.rules) {
    if (rule.time != from_ || can_arrive_[index(rule.state)]) continue;
    has_rule[index(rule.state)] = true;
    for (const PolicyRun& run : rule.runs) {
      for (const Outcome& o : model.outcomes(run.choice)) {
        before[index(o.next)].push_back(rule.state);
        if (!model.rewards().is_zero(o.reward)) can_pay_[index(rule.state)] = true;
      }
    }
  }
  for (std::uint32_t s = 0; s < states; ++s) {
    if (has_rule[s] || model.is_terminal(State{s}) || can_arrive_[s]) continue;
    can_pay_[s] = can_arrive_[s] = true;
  }
  spread_back(before, can_pay_);
  spread_back(before, can_arrive_);
}

}  // namespace quantiplan
