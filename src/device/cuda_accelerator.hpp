// An NVIDIA GPU of this machine as an accelerator.
//
// The driver's context and the kernels are made when they are first asked for, some tenths of a second, and stay until
// the program ends. Each accelerator has a queue of its own, so that several calls may use the device at once. Freed
// memory is kept for the next pass, up to a gibibyte.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "device/accelerator.hpp"

namespace quantiplan {

// Null, and `why` says what is missing, if there is none that can be used. `place`: of this process among those of the
// machine; they take the GPUs by turns.
std::unique_ptr<Accelerator> open_cuda_accelerator(std::string& why, std::uint32_t place = 0);
// True if one was opened before: then nothing has to be made.
bool is_cuda_ready() noexcept;
// True if it is worth trying: a driver is installed and names a device. Cheap after the first time.
bool has_cuda_device();
// The same with the compiler of kernels, or `why` not; no context is made yet.
bool can_have_cuda(std::string& why);

}  // namespace quantiplan
