// Dense layers in the memory of a device (dense_backend.hpp): they stay there from step to step.
//
// The host plans a step (spans, rows, where arrays lie) and gets back the runs of decisions; functions come back only
// where a layer is kept, turns sparse, or is the first. The limits are told of the layers as if they lay on the host,
// so that the same limit leads to the same answer. Where the memory of the device is used up on the way, the layer moves
// to the host and the pass goes on there, unless the device was insisted on.
#pragma once

#include <memory>

#include "device/accelerator.hpp"
#include "finite/pass/dense_backend.hpp"

namespace quantiplan {

struct DeviceArrays;

// Whether the host may take over.
enum class Otherwise { host, refuse };

// Throws DeviceFull if it is foreseen that the device cannot hold it. `arrays`: of an earlier pass of the solve, or new.
std::unique_ptr<DenseBackend> make_device_backend(const BackendInput& input,
                                                  std::shared_ptr<DeviceArrays> arrays,
                                                  Otherwise otherwise);
std::shared_ptr<DeviceArrays> make_device_arrays(std::unique_ptr<Accelerator> machine);

}  // namespace quantiplan
