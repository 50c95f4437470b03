// The states that can be met at one time, numbered by slots 0, 1, 2, ... in ascending state order.
//
// Arrays of an engine are indexed by slot, so states out of reach cost nothing. Consecutive layers
// with the same states share one Layer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "quantiplan/model.hpp"

namespace quantiplan {

class Layer {
 public:
  // `states` ascending and distinct, out of `state_count`.
  Layer(std::vector<State> states, std::size_t state_count);

  [[nodiscard]] std::span<const State> states() const noexcept { return states_; }
  [[nodiscard]] std::size_t size() const noexcept { return states_.size(); }
  [[nodiscard]] State state(std::size_t slot) const noexcept { return states_[slot]; }
  // Slot of a state that is in the layer.
  [[nodiscard]] std::size_t slot(State s) const noexcept {
    if (!slot_of_state_.empty()) return slot_of_state_[index(s)];
    return static_cast<std::size_t>(std::ranges::lower_bound(states_, s) - states_.begin());
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return 4 * (states_.size() + slot_of_state_.size());
  }

 private:
  std::vector<State> states_;
  std::vector<std::uint32_t>
      slot_of_state_;  // empty where few states are met: then by binary search
};

}  // namespace quantiplan
