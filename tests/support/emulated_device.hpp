// A device whose kernels run on this host, lane after lane: the same text, the same index arithmetic.
//
// Memory is the host's, with room for no more than it is told; `launches` counts what was asked for.
#pragma once

#include <array>
#include <cstdlib>
#include <cstring>

#include "device/accelerator.hpp"
#include "device/backup_kernel.hpp"
#include "device/induction_kernels.hpp"
#include "device/layer_kernels.hpp"
#include "device/roof_kernel.hpp"

namespace quantiplan::testing {

struct EmulatedFacts {
  std::uint64_t memory_bytes = std::uint64_t{1} << 30U;
  std::uint64_t cache_bytes = std::uint64_t{1} << 20U;
  std::array<std::uint64_t, static_cast<std::size_t>(DeviceKernel::kCount)> launches{};
  std::uint64_t held_bytes = 0;
  std::uint64_t takes_left = ~std::uint64_t{0};  // then it is full

  [[nodiscard]] std::uint64_t launched(DeviceKernel kernel) const {
    return launches[static_cast<std::size_t>(kernel)];
  }
};

class EmulatedDevice : public Accelerator {
 public:
  explicit EmulatedDevice(EmulatedFacts& facts) : facts_(facts) {}

  [[nodiscard]] std::string name() const override { return "emulated device"; }
  [[nodiscard]] std::uint64_t free_bytes() override {
    return facts_.memory_bytes - std::min(facts_.memory_bytes, facts_.held_bytes);
  }
  [[nodiscard]] std::uint64_t cache_bytes() const override { return facts_.cache_bytes; }

  void* take(std::uint64_t bytes) override {
    if (bytes > free_bytes() || facts_.takes_left == 0)
      throw DeviceFull("the emulated memory is full");
    --facts_.takes_left;
    facts_.held_bytes += bytes;
    void* memory = std::malloc(bytes);
    std::memset(memory, 0xEE, bytes);  // nothing may rest on what nobody wrote
    return memory;
  }
  void give_back(void* memory, std::uint64_t bytes) noexcept override {
    facts_.held_bytes -= bytes;
    std::free(memory);
  }
  void copy_in(void* to, const void* from, std::uint64_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void copy_out(void* to, const void* from, std::uint64_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void copy_within(void* to, const void* from, std::uint64_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void wait() override {}

  void launch(DeviceKernel kernel,
              std::uint64_t warps,
              const void* arguments,
              std::uint64_t) override {
    ++facts_.launches[static_cast<std::size_t>(kernel)];
    switch (kernel) {
      case DeviceKernel::value_choices:
        return run(device::value_choices, warps, arguments);
      case DeviceKernel::rank_choices:
        return run(device::rank_choices, warps, arguments);
      case DeviceKernel::spread_terms:
        return run(device::spread_terms, warps, arguments);
      case DeviceKernel::spread_mixes:
        return run(device::spread_mixes, warps, arguments);
      case DeviceKernel::back_up:
        return run(device::back_up, warps, arguments);
      case DeviceKernel::count_runs:
        return run(device::count_runs, warps, arguments);
      case DeviceKernel::write_runs:
        return run(device::write_runs, warps, arguments);
      case DeviceKernel::spell_out:
        return run(device::spell_out, warps, arguments);
      case DeviceKernel::coarsen:
        return run(device::coarsen, warps, arguments);
      case DeviceKernel::count_steps:
        return run(device::count_steps, warps, arguments);
      case DeviceKernel::find_ends:
        return run(device::find_ends, warps, arguments);
      case DeviceKernel::find_windows:
        return run(device::find_windows, warps, arguments);
      case DeviceKernel::find_means:
        return run(device::find_means, warps, arguments);
      case DeviceKernel::read_rows:
        return run(device::read_rows, warps, arguments);
      case DeviceKernel::kCount:
        return;
    }
  }

 private:
  // Whole blocks of four warps, as a device runs them.
  template <class Arguments>
  static void run(void (*kernel)(const Arguments&, device::u64),
                  std::uint64_t warps,
                  const void* arguments) {
    const auto& in = *static_cast<const Arguments*>(arguments);
    for (std::uint64_t warp = 0; warp < (warps + 3) / 4 * 4; ++warp)
      kernel(in, in.first_warp + warp);
  }

  EmulatedFacts& facts_;
};

}  // namespace quantiplan::testing
