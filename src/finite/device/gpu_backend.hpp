// Which backend a pass gets: the GPU of this machine, or its host.
//
//     auto: the GPU where one is there, the pass is large enough to be worth it, and fits; silently the host otherwise
//
// Below several processes each takes a GPU of its machine, by turns, for its part of the layers.
#pragma once

#include "finite/pass/pass.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan {

// For PassInput::make_backend; null: the host.
MakeBackend backend_maker(Backend backend);

}  // namespace quantiplan
