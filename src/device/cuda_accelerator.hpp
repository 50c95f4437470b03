// The first NVIDIA GPU of this machine as an accelerator.
//
// The driver's context and the kernels are made when they are first asked for, some tenths of a second, and stay until
// the program ends. Each accelerator has a queue of its own, so that several calls may use the device at once. Freed
// memory is kept for the next pass, up to a gibibyte.
#pragma once

#include <memory>
#include <string>

#include "device/accelerator.hpp"

namespace quantiplan {

// Null, and `why` says what is missing, if there is none that can be used.
std::unique_ptr<Accelerator> open_cuda_accelerator(std::string& why);
// True if one was opened before: then nothing has to be made.
bool is_cuda_ready() noexcept;
// True if it is worth trying: a driver is installed and names a device. Cheap after the first time.
bool has_cuda_device() noexcept;

}  // namespace quantiplan
