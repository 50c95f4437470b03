// Layers of the host as arrays of a device, and the model beside them: what every use of a device begins with.
#pragma once

#include "base/limits.hpp"
#include "finite/device/device_arrays.hpp"
#include "finite/device/device_plan.hpp"
#include "finite/pass/dense_layer.hpp"
#include "finite/stages.hpp"

namespace quantiplan {

// Unless they are there, the model's arrays; whose slots lie there is forgotten. Throws DeviceFull.
void prepare_model(DeviceArrays& arrays, const Stages& stages, const Limits& limits);
// Throws DeviceFull if a function has more levels than a device counts.
void require_narrow(const DeviceLayout& layout);
// Copies the rows of a layer, laid out so, into arrays.later, which has room for them.
void put_rows(DeviceArrays& arrays, const DenseLayer& layer, const DeviceLayout& layout);

}  // namespace quantiplan
