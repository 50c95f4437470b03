// The model in the memory of a device: its arrays as they are, probabilities as doubles, rewards as positions.
//
//     reward of an outcome -> position -> key_t, one short table for each time
//
// Cost: 16 bytes an outcome and one pass over them; made once for all passes of a solve.
#pragma once

#include <cstdint>
#include <vector>

#include "device/accelerator.hpp"
#include "device/kernels.hpp"
#include "finite/layer.hpp"
#include "finite/stages.hpp"

namespace quantiplan {

class DeviceModel {
 public:
  DeviceModel(Accelerator& machine, const Stages& stages, unsigned threads);
  [[nodiscard]] bool is_of(const Stages& stages) const noexcept;
  [[nodiscard]] device::ModelArrays arrays() const noexcept;
  // By position; the first is 0, and stands for rewards that are never met.
  [[nodiscard]] const std::vector<NumberId>& rewards() const noexcept { return rewards_; }

 private:
  void put_outcomes(const Stages& stages, unsigned threads);

  Accelerator& machine_;
  Model model_;  // keeps the arrays alive whose address says which model it is
  const SharedRows* rows_;
  std::vector<NumberId> rewards_;
  DeviceArray<std::uint32_t> choice_begin_;
  DeviceArray<std::uint64_t> outcome_begin_;
  DeviceArray<device::ModelOutcome> outcomes_;
  DeviceArray<std::uint32_t> row_of_choice_;
};

// The states of a layer, and the slots of states.
class DeviceSlots {
 public:
  explicit DeviceSlots(Accelerator& machine) : states_(machine), slots_(machine) {}
  void put(const Layer& layer, std::size_t state_count);
  void forget() noexcept { of_ = nullptr; }
  [[nodiscard]] bool is_of(const Layer& layer) const noexcept { return of_ == &layer; }
  [[nodiscard]] const std::uint32_t* state_of_slot() const noexcept { return states_.data(); }
  [[nodiscard]] const std::uint32_t* slot_of_state() const noexcept { return slots_.data(); }
  void swap(DeviceSlots& other) noexcept {
    std::swap(of_, other.of_);
    states_.swap(other.states_);
    slots_.swap(other.slots_);
  }

 private:
  const Layer* of_ = nullptr;
  DeviceArray<std::uint32_t> states_;
  DeviceArray<std::uint32_t> slots_;
};

}  // namespace quantiplan
