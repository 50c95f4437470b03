// Expected visits by iteration, for blocks too large to be eliminated; and how far any are off.
//
//     v_j d_j = m_j + sum_{i != j} v_i Q_ij       d_j = leak_j + sum_{i != j} Q_ji
//
// Whatever v is, it is the exact solution for masses m_j + rho_j, rho_j the residual of the
// equation: as if rho_j had been put in at j, which changes no probability by more than |rho_j|. So
// the sum of all |rho_j|, and of what rounding can hide of them, bounds the error; no condition
// number enters.
#pragma once

#include <vector>

#include "base/limits.hpp"
#include "evaluate/infinite/transient_block.hpp"

namespace quantiplan {

// An upper bound of sum_j |rho_j|.
double visits_error(const BlockMoves<double>& moves,
                    const std::vector<double>& enters,
                    const std::vector<double>& visits);

// Gauss-Seidel, until the residual is as small as rounding lets it, or hardly shrinks any more.
// False if the limits ended it. On entry the mass that enters, on return the visits.
bool iterate_visits(const BlockMoves<double>& moves,
                    const Limits& limits,
                    std::vector<double>& mass);

}  // namespace quantiplan
