#include "device/cuda_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstddef>
#include <initializer_list>
#include <optional>

namespace quantiplan {
namespace {

// The first of these that there is; null if none.
void* opened(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

// The functions of a library, each once; the first that is missing is remembered.
class Functions {
 public:
  explicit Functions(void* library) : library_(library) {}
  template <class F>
  Functions& find(const char* name, F& function) {
    void* found = dlsym(library_, name);
    if (found == nullptr && missing_.empty()) missing_ = name;
    function = reinterpret_cast<F>(found);
    return *this;
  }
  [[nodiscard]] const std::string& missing() const noexcept { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

template <class Library>
struct Opened {
  std::optional<Library> library;
  std::string why;
};

Opened<CudaDriver> open_driver() {
  void* library = opened({"libcuda.so.1", "libcuda.so"});
  if (library == nullptr)
    return {std::nullopt, "the NVIDIA driver (libcuda.so.1) is not installed"};
  CudaDriver d{};
  Functions functions(library);
  functions.find("cuInit", d.init)
      .find("cuDriverGetVersion", d.driver_version)
      .find("cuGetErrorString", d.error_text)
      .find("cuDeviceGetCount", d.device_count)
      .find("cuDeviceGet", d.device_get)
      .find("cuDeviceGetName", d.device_name)
      .find("cuDeviceGetAttribute", d.device_attribute)
      .find("cuDevicePrimaryCtxRetain", d.context_retain)
      .find("cuCtxSetCurrent", d.context_use)
      .find("cuMemGetInfo_v2", d.memory_info)
      .find("cuMemAlloc_v2", d.memory_take)
      .find("cuMemFree_v2", d.memory_give_back)
      .find("cuMemcpyHtoDAsync_v2", d.copy_in)
      .find("cuMemcpyDtoHAsync_v2", d.copy_out)
      .find("cuMemcpyDtoDAsync_v2", d.copy_within)
      .find("cuMemHostAlloc", d.pinned_take)
      .find("cuMemFreeHost", d.pinned_give_back)
      .find("cuStreamCreate", d.stream_create)
      .find("cuStreamDestroy_v2", d.stream_destroy)
      .find("cuStreamSynchronize", d.stream_wait)
      .find("cuModuleLoadData", d.module_load)
      .find("cuModuleGetFunction", d.module_function)
      .find("cuLaunchKernel", d.launch);
  if (functions.missing().empty()) return {d, {}};
  return {std::nullopt,
          fmt::format("the NVIDIA driver is too old: it has no {}", functions.missing())};
}

Opened<CudaCompiler> open_compiler() {
  void* library = opened({"libnvrtc.so.13",
                          "libnvrtc.so.12",
                          "libnvrtc.so.11.2",
                          "libnvrtc.so",
                          "/usr/local/cuda/lib64/libnvrtc.so"});
  if (library == nullptr)
    return {std::nullopt, "CUDA's run-time compiler (libnvrtc.so.13 or .12) is not installed"};
  CudaCompiler c{};
  Functions functions(library);
  functions.find("nvrtcVersion", c.version)
      .find("nvrtcGetErrorString", c.error_text)
      .find("nvrtcCreateProgram", c.create)
      .find("nvrtcDestroyProgram", c.destroy)
      .find("nvrtcCompileProgram", c.compile)
      .find("nvrtcGetProgramLogSize", c.log_size)
      .find("nvrtcGetProgramLog", c.log)
      .find("nvrtcGetCUBINSize", c.code_size)
      .find("nvrtcGetCUBIN", c.code);
  if (functions.missing().empty()) return {c, {}};
  return {std::nullopt, fmt::format("libnvrtc is too old: it has no {}", functions.missing())};
}

template <class Library>
const Library* found_or_why(const Opened<Library>& opened_library, std::string& why) {
  if (opened_library.library) return &*opened_library.library;
  why = opened_library.why;
  return nullptr;
}

}  // namespace

const CudaDriver* cuda_driver(std::string& why) {
  static const Opened<CudaDriver> kDriver = open_driver();
  return found_or_why(kDriver, why);
}

const CudaCompiler* cuda_compiler(std::string& why) {
  static const Opened<CudaCompiler> kCompiler = open_compiler();
  return found_or_why(kCompiler, why);
}

}  // namespace quantiplan
