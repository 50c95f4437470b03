// The grid on which attitudes are decided where exact levels are too many.
//
//     H_t = H_0 / 2^e_t,   e_t = floor(t log2(1/gamma)):   H_0 gamma^t <= H_t < 2 H_0 gamma^t
//
// Every self has a say here, so each sees its own future in steps of about one size in its own
// units; a grid for the first self alone would be coarser and coarser for later ones. H_0 is as fine
// as epsilon asks for, or as a pass of moderate length allows.
#pragma once

#include <memory>
#include <optional>

#include "finite/grid.hpp"
#include "finite/solve/finite_layout.hpp"

namespace quantiplan {

// Nullopt if the limits ended it.
std::optional<Grid> attitude_grid(const std::shared_ptr<FiniteLayout>& layout);

}  // namespace quantiplan
