// The rewards of an outcome: the items that apply to its state, its step and its next state, added up.
//
//     reward of (s, a, s')  =  items of s  +  items [a] of s  +  items [a] of s with a target that s' is
//
// One sum for each reward structure that is wanted; the first is the one that counts. What does not
// depend on the next state is computed once for a state and once for a step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/prism/guard_index.hpp"
#include "io/prism/prism_machine.hpp"
#include "io/prism/reward_actions.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan::prism {

class RewardSums {
 public:
  explicit RewardSums(const Machine& machine)
      : machine_(machine),
        code_(machine.code),
        index_(std::make_shared<const GuardIndex>(machine.code, guards_of(machine.rewards))),
        actions_(machine),
        of_state_(machine.reward_structures),
        of_step_(machine.reward_structures),
        of_outcome_(machine.reward_structures) {}

  // In a state with these values, which stay where they are until the next one.
  void enter(const std::int64_t* values) {
    values_ = values;
    index_->find(values, found_);
    has_state_ = false;
  }
  // Behind this: the step is another, or another state's.
  void begin_step(std::size_t step) {
    action_ = actions_.of_step[step];
    has_step_ = false;
  }
  // Throws Fault where an item has no value.
  void add_up(const std::int64_t* next) {
    if (!has_state_) add_items(RewardActions::kOfStates, of_state_, nullptr);
    has_state_ = true;
    if (!has_step_) add_items(action_, of_step_, &of_state_);
    has_step_ = true;
    of_outcome_ = of_step_;
    for (const std::uint32_t r : found_) {
      const MachineReward& item = machine_.rewards[r];
      if (actions_.of_reward[r] != action_ || !item.target) continue;
      if (code_.truth(item.guard, values_) && code_.truth(*item.target, next))
        add(of_outcome_[item.structure], item);
    }
  }
  // Of an update, after add_up.
  void add_more(const MachineUpdateReward& more) {
    Number& to = of_outcome_[more.structure];
    to = sum(to, code_.number(more.value, values_), more.place);
  }
  [[nodiscard]] const Number& reward() const { return of_outcome_.front(); }
  [[nodiscard]] std::span<const Number> others() const {
    return std::span<const Number>(of_outcome_).subspan(1);
  }

 private:
  void add(Number& to, const MachineReward& item) const {
    to = sum(to, code_.number(item.value, values_), item.place);
  }
  // Those of an action without a target, onto what is known before.
  void add_items(std::uint32_t action, std::vector<Number>& to, const std::vector<Number>* before) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = before == nullptr ? Number() : (*before)[i];
    for (const std::uint32_t r : found_) {
      const MachineReward& item = machine_.rewards[r];
      if (actions_.of_reward[r] == action && !item.target && code_.truth(item.guard, values_))
        add(to[item.structure], item);
    }
  }

  const Machine& machine_;
  const Code& code_;
  std::shared_ptr<const GuardIndex> index_;  // copies share it
  RewardActions actions_;
  const std::int64_t* values_ = nullptr;
  std::uint32_t action_ = 0;
  std::vector<std::uint32_t> found_;  // items that may apply here
  bool has_state_ = false;
  bool has_step_ = false;
  std::vector<Number> of_state_;  // by structure
  std::vector<Number> of_step_;
  std::vector<Number> of_outcome_;
};

}  // namespace quantiplan::prism
