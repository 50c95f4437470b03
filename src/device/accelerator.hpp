// A machine with memory of its own that runs the kernels of kernels.hpp: a GPU, or its emulation.
//
//     take memory -> copy in -> launch kernels, one after another -> copy out
//
// What is launched runs in the order of the calls; copies out wait for it. One thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace quantiplan {

enum class DeviceKernel : std::uint8_t {
  value_choices,
  rank_choices,
  spread_terms,
  spread_mixes,
  back_up,
  count_runs,
  write_runs,
  spell_out,
  coarsen,
  count_steps,
  find_ends,
  find_windows,
  find_means,
  read_rows,
  kCount
};

// The memory of the device is used up: what is asked for can be done elsewhere.
class DeviceFull : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Accelerator {
 public:
  Accelerator() = default;
  Accelerator(const Accelerator&) = delete;
  Accelerator& operator=(const Accelerator&) = delete;
  virtual ~Accelerator() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  // What can still be taken, and what its second-level cache holds.
  [[nodiscard]] virtual std::uint64_t free_bytes() = 0;
  [[nodiscard]] virtual std::uint64_t cache_bytes() const = 0;

  // Throws DeviceFull.
  virtual void* take(std::uint64_t bytes) = 0;
  virtual void give_back(void* memory, std::uint64_t bytes) noexcept = 0;

  // `from` may change as soon as it returns.
  virtual void copy_in(void* to, const void* from, std::uint64_t bytes) = 0;
  // Waits for all that was launched.
  virtual void copy_out(void* to, const void* from, std::uint64_t bytes) = 0;
  virtual void copy_within(void* to, const void* from, std::uint64_t bytes) = 0;
  // `arguments`: the kernel's struct, of which first_warp is the first field.
  virtual void launch(DeviceKernel kernel,
                      std::uint64_t warps,
                      const void* arguments,
                      std::uint64_t argument_bytes) = 0;
  virtual void wait() = 0;
};

// An array in the memory of an accelerator, which must outlive it. It grows and never shrinks.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(Accelerator& machine) : machine_(&machine) {}
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { drop(); }

  // Room for `size` elements; what was there is lost if it grows. `ahead`: what later calls will need.
  T* require(std::uint64_t size, std::uint64_t ahead = 0) {
    if (size <= capacity_ && data_ != nullptr) return data_;
    drop();
    const std::uint64_t wanted = std::max<std::uint64_t>({size, ahead, 1});
    data_ = static_cast<T*>(machine_->take(sizeof(T) * wanted));
    capacity_ = wanted;
    return data_;
  }
  // Fills it.
  template <class Source>
  T* put(const Source& source) {
    static_assert(sizeof(*source.data()) == sizeof(T));
    require(source.size());
    machine_->copy_in(data_, source.data(), sizeof(T) * source.size());
    return data_;
  }
  [[nodiscard]] T* data() const noexcept { return data_; }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
  void swap(DeviceArray& other) noexcept {
    std::swap(machine_, other.machine_);
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
  }
  void drop() noexcept {
    if (data_ != nullptr) machine_->give_back(data_, sizeof(T) * capacity_);
    data_ = nullptr;
    capacity_ = 0;
  }

 private:
  Accelerator* machine_;
  T* data_ = nullptr;
  std::uint64_t capacity_ = 0;
};

}  // namespace quantiplan
