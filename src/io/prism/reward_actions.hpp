// Which rewards belong to which steps: both by the number of their action.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "io/prism/prism_machine.hpp"

namespace quantiplan::prism {

struct RewardActions {
  static constexpr std::uint32_t kOfStates = 0xFFFFFFFF;
  static constexpr std::uint32_t kOfNothing = 0xFFFFFFFE;  // an action that no step has

  explicit RewardActions(const Machine& machine) {
    std::map<std::string_view, std::uint32_t> numbers;
    for (const Step& step : machine.steps) {
      const auto count = static_cast<std::uint32_t>(numbers.size());
      of_step.push_back(numbers.try_emplace(step.action, count).first->second);
    }
    for (const MachineReward& reward : machine.rewards) {
      const auto found = reward.action ? numbers.find(*reward.action) : numbers.end();
      of_reward.push_back(!reward.action           ? kOfStates
                          : found == numbers.end() ? kOfNothing
                                                   : found->second);
    }
  }

  std::vector<std::uint32_t> of_step;
  std::vector<std::uint32_t> of_reward;
};

}  // namespace quantiplan::prism
