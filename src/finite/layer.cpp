#include "finite/layer.hpp"

namespace quantiplan {

Layer::Layer(std::vector<State> states, std::size_t state_count) : states_(std::move(states)) {
  // A table of all states pays where at least one in 16 is met.
  if (states_.size() < state_count / 16) return;
  slot_of_state_.resize(state_count);
  for (std::size_t slot = 0; slot < states_.size(); ++slot) {
    slot_of_state_[index(states_[slot])] = static_cast<std::uint32_t>(slot);
  }
}

}  // namespace quantiplan
