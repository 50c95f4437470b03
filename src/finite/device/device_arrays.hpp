// What a pass keeps in the memory of a device: the model, two layers that take turns, and what a step needs.
//
// Kept from one pass of a solve to the next (PassScratch::of_backend), so that the model is copied once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "device/accelerator.hpp"
#include "device/backup_kernel.hpp"
#include "device/layer_kernels.hpp"
#include "finite/device/device_model.hpp"

namespace quantiplan {

struct DeviceArrays {
  explicit DeviceArrays(std::unique_ptr<Accelerator> of)
      : machine(std::move(of)),
        later_slots(*machine),
        now_slots(*machine),
        later(*machine),
        now(*machine),
        later_functions(*machine),
        now_functions(*machine),
        keys(*machine),
        rewards(*machine),
        means(*machine),
        row_means(*machine),
        choice_values(*machine),
        only(*machine),
        allowed(*machine),
        ranked(*machine),
        open(*machine),
        terms(*machine),
        ends(*machine),
        marks(*machine),
        tasks(*machine),
        mixes(*machine),
        mixed(*machine),
        mix_terms(*machine),
        mix_ends(*machine),
        mix_marks(*machine),
        mix_tasks(*machine),
        what(*machine),
        begin(*machine),
        counts(*machine),
        run_begin(*machine),
        run_upto(*machine),
        run_what(*machine),
        span_ends(*machine),
        step_begin(*machine),
        step_upto(*machine),
        step_value(*machine) {}

  std::unique_ptr<Accelerator> machine;
  std::unique_ptr<DeviceModel> model;
  // What the limits were told the two layers hold, as if they lay on the host.
  std::uint64_t later_capacity = 0;
  std::uint64_t now_capacity = 0;

  DeviceSlots later_slots;
  DeviceSlots now_slots;
  DeviceArray<double> later;
  DeviceArray<double> now;
  DeviceArray<device::Function> later_functions;
  DeviceArray<device::Function> now_functions;
  // Of one time.
  DeviceArray<device::i64> keys;
  DeviceArray<double> rewards;
  DeviceArray<double> means;
  DeviceArray<double> row_means;
  DeviceArray<double> choice_values;
  DeviceArray<std::uint32_t> only;
  DeviceArray<unsigned char> allowed;
  DeviceArray<std::uint32_t> ranked;
  DeviceArray<std::uint32_t> open;
  DeviceArray<device::Term> terms;
  DeviceArray<std::uint32_t> ends;
  DeviceArray<std::uint32_t> marks;
  DeviceArray<device::Task> tasks;
  DeviceArray<device::SharedMix> mixes;
  DeviceArray<double> mixed;
  DeviceArray<device::Term> mix_terms;
  DeviceArray<std::uint32_t> mix_ends;
  DeviceArray<std::uint32_t> mix_marks;
  DeviceArray<device::Task> mix_tasks;
  // Of the entries of a layer.
  DeviceArray<std::uint32_t> what;
  DeviceArray<device::u64> begin;
  DeviceArray<std::uint32_t> counts;
  DeviceArray<device::u64> run_begin;
  DeviceArray<device::i64> run_upto;
  DeviceArray<std::uint32_t> run_what;
  DeviceArray<device::Ends> span_ends;
  DeviceArray<device::u64> step_begin;
  DeviceArray<device::i64> step_upto;
  DeviceArray<double> step_value;
};

}  // namespace quantiplan
