// One process's slab of a layer, computed by its GPU (cluster/slabs.hpp): one process, one device.
//
//     what the slab reaches of t + 1 -> device -> its rows of t and their decisions -> host
//
// Between steps rows live on the host, where messages and checkpoints are made of them: 8 bytes go over the bus for each
// entry that is reached and for each that is computed. The bits are the host's. The limits know of the rows from the
// process's own count (rank_backend.cpp). Where the device is full, the threads of the host take over, unless the device
// was insisted on.
#pragma once

#include <memory>

#include "finite/device/device_backend.hpp"
#include "finite/pass/dense_backend.hpp"

namespace quantiplan {

// Throws DeviceFull if the model does not fit.
std::unique_ptr<SlabWorker> make_device_slab(const BackendInput& input,
                                             std::shared_ptr<DeviceArrays> arrays,
                                             Otherwise otherwise);

}  // namespace quantiplan
