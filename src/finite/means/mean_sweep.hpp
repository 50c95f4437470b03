// The mean of the policy for many starting targets at once, on contiguous arrays.
//
//     reach:  from the targets [lo, hi] at s0 forward, the interval of residuals met at (t, s)
//     sweep:  M_t(s, y) backward on these intervals, run by run (stretches with one choice)
//
// The recursion is that of node_means.hpp. Cost: one multiply-add for each outcome of the chosen
// action and each residual of the interval, a small part of the pass that made the decisions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "finite/decisions.hpp"
#include "finite/expectation.hpp"
#include "finite/strategy.hpp"
#include "kernels/backup.hpp"

namespace quantiplan {

// Means in keys, one for each target. Nullopt if the arrays do not fit `most_entries` or the memory
// limit, or the limits ended it.
std::optional<std::vector<double>> sweep_means(const Groundwork& ground,
                                               const Expectation<double>& expectation,
                                               const Decisions& decisions,
                                               const std::vector<std::int64_t>& targets,
                                               double most_entries,
                                               const Kernel& kernel,
                                               const Limits& limits);

}  // namespace quantiplan
