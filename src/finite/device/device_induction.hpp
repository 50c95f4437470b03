// Windows and expected rewards by a device: what a pass needs first, and what is left for the host takes longer than
// the pass itself.
//
// The results are those of windows.hpp and expectation.hpp, bit for bit. Null where the host had better do it: there is
// no device at hand, the layers are narrow, choices share rows, or memory is short.
#pragma once

#include <memory>

#include "finite/device/device_arrays.hpp"
#include "finite/expectation.hpp"
#include "finite/pass/pass.hpp"
#include "finite/windows.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan {

// `scratch`: the pass that follows finds the model there.
std::shared_ptr<const Windows> windows_by_device(const Stages& stages,
                                                 Backend backend,
                                                 PassScratch& scratch,
                                                 const Limits& limits);
std::shared_ptr<const Expectation<double>> expectation_by_device(const Stages& stages,
                                                                 Backend backend,
                                                                 PassScratch& scratch,
                                                                 const Limits& limits);

// The same on a device that is given, whatever the size; no choice may share a row. Throw DeviceFull. Null if the
// limits ended it.
std::shared_ptr<const Windows> windows_on(DeviceArrays& arrays,
                                          const Stages& stages,
                                          const Limits& limits);
std::shared_ptr<const Expectation<double>> expectation_on(DeviceArrays& arrays,
                                                          const Stages& stages,
                                                          const Limits& limits);

}  // namespace quantiplan
