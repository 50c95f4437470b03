#include "device/cuda_accelerator.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <map>
#include <mutex>

#include "base/memory.hpp"
#include "device/cuda_library.hpp"
#include "device/device_program.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr int kOutOfMemory = 2;
constexpr int kCacheBytes = 38;  // attributes, by the driver's numbers
constexpr int kCapabilityMajor = 75;
constexpr int kCapabilityMinor = 76;
constexpr unsigned kThreads = 128;
constexpr std::uint64_t kMostKept = std::uint64_t{1} << 30U;

constexpr std::array<const char*, static_cast<std::size_t>(DeviceKernel::kCount)> kKernelNames = {
    "value_choices",
    "rank_choices",
    "spread_terms",
    "spread_mixes",
    "back_up",
    "count_runs",
    "write_runs",
    "spell_out",
    "coarsen",
    "count_steps",
    "find_ends",
    "find_windows",
    "find_means",
    "read_rows"};

std::atomic<bool> cuda_is_ready{false};

// What all accelerators share: context, kernels, freed memory. Never destroyed: the driver may be gone first.
class CudaMachine {
 public:
  explicit CudaMachine(int device) : number_(device) { why_ = set_up(); }

  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  [[nodiscard]] const CudaDriver& driver() const noexcept { return *driver_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t cache_bytes() const noexcept { return cache_bytes_; }
  [[nodiscard]] void* function(DeviceKernel kernel) const {
    return functions_[static_cast<std::size_t>(kernel)];
  }
  void enter() const { require(driver_->context_use(context_), "use its context"); }

  void require(int result, const char* what) const {
    if (result == 0) return;
    throw Error(ErrorCode::refused,
                "--backend",
                fmt::format("the GPU could not {}: {}", what, text_of_result(result)));
  }

  std::uint64_t free_bytes() {
    std::size_t free = 0;
    std::size_t total = 0;
    require(driver_->memory_info(&free, &total), "say how much memory is free");
    const std::scoped_lock lock(lock_);
    return free + kept_bytes_;
  }

  void* take(std::uint64_t bytes) {
    {
      const std::scoped_lock lock(lock_);
      const auto found = kept_.lower_bound(bytes);
      if (found != kept_.end() && found->first <= 2 * bytes) {
        kept_bytes_ -= found->first;
        const unsigned long long address = found->second;
        sizes_[address] = found->first;
        kept_.erase(found);
        return as_pointer(address);
      }
    }
    unsigned long long address = 0;
    int result = driver_->memory_take(&address, bytes);
    if (result == kOutOfMemory) {
      drop_kept();
      result = driver_->memory_take(&address, bytes);
    }
    if (result == kOutOfMemory)
      throw DeviceFull(fmt::format("{} more do not fit its memory", bytes_text(bytes)));
    require(result, "take memory");
    const std::scoped_lock lock(lock_);
    sizes_[address] = bytes;
    return as_pointer(address);
  }

  void give_back(void* memory) noexcept {
    const auto address = reinterpret_cast<unsigned long long>(memory);
    const std::scoped_lock lock(lock_);
    const auto found = sizes_.find(address);
    if (found == sizes_.end()) return;
    const std::uint64_t bytes = found->second;
    sizes_.erase(found);
    if (kept_bytes_ + bytes > kMostKept) {
      driver_->memory_give_back(address);
      return;
    }
    kept_.emplace(bytes, address);
    kept_bytes_ += bytes;
  }

 private:
  static void* as_pointer(unsigned long long address) {
    return reinterpret_cast<void*>(address);  // NOLINT: an address of the device
  }
  [[nodiscard]] std::string text_of_result(int result) const {
    const char* text = nullptr;
    if (driver_->error_text(result, &text) != 0 || text == nullptr)
      return fmt::format("error {}", result);
    return text;
  }

  void drop_kept() {
    const std::scoped_lock lock(lock_);
    for (const auto& [bytes, address] : kept_) driver_->memory_give_back(address);
    kept_.clear();
    kept_bytes_ = 0;
  }

  // What is missing; empty: nothing.
  std::string set_up() {
    std::string why;
    driver_ = cuda_driver(why);
    if (driver_ == nullptr) return why;
    int device = 0;
    if (driver_->device_get(&device, number_) != 0) return "the NVIDIA driver finds no GPU";
    std::array<char, 256> name{};
    int major = 0;
    int minor = 0;
    int cache = 0;
    if (driver_->device_name(name.data(), static_cast<int>(name.size()), device) != 0 ||
        driver_->device_attribute(&major, kCapabilityMajor, device) != 0 ||
        driver_->device_attribute(&minor, kCapabilityMinor, device) != 0 ||
        driver_->device_attribute(&cache, kCacheBytes, device) != 0)
      return "the GPU does not say what it is";
    name_ = name.data();
    cache_bytes_ = static_cast<std::uint64_t>(cache);
    const CudaCompiler* compiler = cuda_compiler(why);
    if (compiler == nullptr) return why;
    const std::vector<char> code = device_program(*compiler, major, minor, why);
    if (code.empty()) return why;
    void* module = nullptr;
    int result = driver_->context_retain(&context_, device);
    if (result == 0) result = driver_->context_use(context_);
    if (result == 0) result = driver_->module_load(&module, code.data());
    for (std::size_t k = 0; k < functions_.size() && result == 0; ++k)
      result = driver_->module_function(&functions_[k], module, kKernelNames[k]);
    if (result != 0)
      return fmt::format("the GPU does not take the kernels: {}", text_of_result(result));
    return {};
  }

  int number_;
  const CudaDriver* driver_ = nullptr;
  void* context_ = nullptr;
  std::array<void*, kKernelNames.size()> functions_{};
  std::string name_;
  std::uint64_t cache_bytes_ = 0;
  std::string why_;
  std::mutex lock_;
  std::multimap<std::uint64_t, unsigned long long> kept_;  // freed blocks by size
  std::map<unsigned long long, std::uint64_t> sizes_;      // of blocks in use
  std::uint64_t kept_bytes_ = 0;
};

CudaMachine& cuda_machine(int device) {
  static std::mutex lock;
  static auto* const kMachines = new std::map<int, CudaMachine*>();  // NOLINT: see the class
  const std::scoped_lock locked(lock);
  CudaMachine*& machine = (*kMachines)[device];
  if (machine == nullptr) machine = new CudaMachine(device);  // NOLINT
  return *machine;
}

// How many GPUs there are, and what is missing if there is none; looked for once.
int count_devices(std::string& why) {
  struct Found {
    Found() {
      const CudaDriver* driver = cuda_driver(why);
      if (driver == nullptr) return;
      if (const int result = driver->init(0); result != 0) {
        const char* text = nullptr;
        const bool has_text = driver->error_text(result, &text) == 0 && text != nullptr;
        why = fmt::format("the NVIDIA driver does not start: {}",
                          has_text ? text : fmt::format("error {}", result));
      } else if (driver->device_count(&count) != 0 || count <= 0) {
        count = 0;
        why = "the NVIDIA driver finds no GPU";
      }
    }
    std::string why;
    int count = 0;
  };
  static const Found kFound;
  why = kFound.why;
  return kFound.count;
}

class CudaAccelerator : public Accelerator {
 public:
  explicit CudaAccelerator(CudaMachine& machine) : machine_(machine) {
    machine_.enter();
    machine_.require(driver().stream_create(&stream_, 1), "make a queue");
  }
  CudaAccelerator(const CudaAccelerator&) = delete;
  CudaAccelerator& operator=(const CudaAccelerator&) = delete;
  ~CudaAccelerator() override { driver().stream_destroy(stream_); }

  [[nodiscard]] std::string name() const override { return machine_.name(); }
  [[nodiscard]] std::uint64_t free_bytes() override {
    machine_.enter();
    return machine_.free_bytes();
  }
  [[nodiscard]] std::uint64_t cache_bytes() const override { return machine_.cache_bytes(); }

  void* take(std::uint64_t bytes) override {
    machine_.enter();
    return machine_.take(bytes);
  }
  void give_back(void* memory, std::uint64_t) noexcept override {
    // Another queue may be handed it next.
    if (driver().stream_wait(stream_) == 0) machine_.give_back(memory);
  }

  void copy_in(void* to, const void* from, std::uint64_t bytes) override {
    if (bytes == 0) return;
    machine_.enter();
    machine_.require(driver().copy_in(address(to), from, bytes, stream_), "take data");
  }
  void copy_out(void* to, const void* from, std::uint64_t bytes) override {
    machine_.enter();
    if (bytes > 0)
      machine_.require(driver().copy_out(to, address(from), bytes, stream_), "give data back");
    wait();
  }
  void copy_within(void* to, const void* from, std::uint64_t bytes) override {
    if (bytes == 0) return;
    machine_.enter();
    machine_.require(driver().copy_within(address(to), address(from), bytes, stream_), "move data");
  }

  void launch(DeviceKernel kernel,
              std::uint64_t warps,
              const void* arguments,
              std::uint64_t) override {
    if (warps == 0) return;
    machine_.enter();
    const auto blocks = static_cast<unsigned>((warps * 32 + kThreads - 1) / kThreads);
    void* list[] = {const_cast<void*>(arguments)};  // NOLINT: as the driver declares it
    machine_.require(
        driver().launch(
            machine_.function(kernel), blocks, 1, 1, kThreads, 1, 1, 0, stream_, list, nullptr),
        "run a kernel");
  }
  void wait() override { machine_.require(driver().stream_wait(stream_), "finish a kernel"); }

 private:
  [[nodiscard]] const CudaDriver& driver() const noexcept { return machine_.driver(); }
  static unsigned long long address(const void* memory) {
    return reinterpret_cast<unsigned long long>(memory);
  }

  CudaMachine& machine_;
  void* stream_ = nullptr;
};

}  // namespace

std::unique_ptr<Accelerator> open_cuda_accelerator(std::string& why, std::uint32_t place) {
  const int count = count_devices(why);
  if (count == 0) return nullptr;
  CudaMachine& machine = cuda_machine(static_cast<int>(place % static_cast<std::uint32_t>(count)));
  why = machine.why();
  if (!why.empty()) return nullptr;
  cuda_is_ready = true;
  return std::make_unique<CudaAccelerator>(machine);
}

bool is_cuda_ready() noexcept { return cuda_is_ready; }

bool has_cuda_device() {
  std::string why;
  return count_devices(why) > 0;
}

bool can_have_cuda(std::string& why) {
  return count_devices(why) > 0 && cuda_compiler(why) != nullptr;
}

}  // namespace quantiplan
