// One step on a device: from the layer of t + 1 to that of t, and its decisions.
//
//     rank choices -> mixtures of shared rows -> terms -> back up, tile by tile -> code the decisions as runs
//
// The arithmetic and its order are the host's (dense_backup.hpp, row_mixes.hpp, expectation.hpp), so the bits are too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "finite/decisions.hpp"
#include "finite/device/device_arrays.hpp"
#include "finite/device/device_plan.hpp"
#include "finite/pass/dense_backend.hpp"
#include "finite/pass/row_mixes.hpp"

namespace quantiplan {

class DeviceStep {
 public:
  // Of parts of functions the runs stay open at the upper end.
  DeviceStep(const BackendInput& in, DeviceArrays& arrays, bool whole_rows = true)
      : in_(in), a_(arrays), whole_rows_(whole_rows) {}

  // Fills a_.now, laid out as `layout`, from a_.later. False if the limits ended it. Throws DeviceFull with a_.later as it
  // was.
  bool run(std::uint64_t t,
           std::span<const Span<double>> spans,
           const DeviceLayout& layout,
           const RowMixes& mixes,
           std::size_t later_functions,
           Decisions::LayerRules* rules);

 private:
  template <class Arguments>
  void launch(DeviceKernel kernel, std::uint64_t warps, Arguments arguments) const {
    a_.machine->launch(kernel, warps, &arguments, sizeof(arguments));
  }
  void put_slots(std::uint64_t t);
  void put_keys(std::uint64_t t);
  void rank(std::uint64_t t, std::uint32_t slots);
  void value_choices(std::uint64_t t, std::uint32_t slots);
  bool mix_rows(const RowMixes& mixes, std::size_t later_functions);
  bool back_up(std::span<const device::Function> functions,
               std::size_t later_functions,
               std::uint64_t products,
               device::BackUp arguments);
  [[nodiscard]] std::uint64_t count_work(std::uint64_t t,
                                         std::span<const Span<double>> spans,
                                         const RowMixes& mixes) const;
  void code_runs(std::uint64_t t,
                 std::span<const Span<double>> spans,
                 const DeviceLayout& layout,
                 Decisions::LayerRules& rules);
  void finish_runs(std::uint64_t t,
                   std::span<const Span<double>> spans,
                   Decisions::LayerRules& rules) const;

  [[nodiscard]] const Stages& stages() const { return in_.input.stages; }
  [[nodiscard]] const DeviceSlots& now_slots(std::uint64_t t) const {
    return a_.later_slots.is_of(stages().layer(t)) ? a_.later_slots : a_.now_slots;
  }

  const BackendInput& in_;
  DeviceArrays& a_;
  bool whole_rows_;
  std::uint64_t reach_ = 0;  // of the rewards of the time
};

}  // namespace quantiplan
