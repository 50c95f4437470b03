// The mean of the policy for several starting targets, or its chance of one, node by node.
//
//     M_t(s, y) = sum over outcomes of  p * ( R + M_{t+1}(s', y - R) )    for the policy's choice
//     M_t(s, y) = E_t(s), the greatest expectation,    where the choice is free or the episode over
//     P_t(s, y) = sum over outcomes of  p * P_{t+1}(s', y - R);    1 for y <= least, 0 for y > possible
//
// Forward: the (time, slot, residual) that can be met from the targets; backward: M or P on them. Cost:
// two hash look-ups for each outcome of each node, so it pays where few nodes are met (short
// horizons, few targets, levels far apart); otherwise mean_sweep.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "base/node_table.hpp"
#include "finite/expectation.hpp"
#include "finite/strategy.hpp"

namespace quantiplan {

// Means in keys, one for each target. Nullopt if more than `most_nodes` are met, memory is short or
// the limits ended it.
template <class N>
std::optional<std::vector<N>> node_means(const Groundwork& ground,
                                         const Expectation<N>& expectation,
                                         const ResidualRule& rule,
                                         const std::vector<std::int64_t>& targets,
                                         std::uint64_t most_nodes,
                                         const Limits& limits);

// P(W >= target) in rationals, which tell whether a policy keeps a promise where doubles cannot.
std::optional<Rational> node_chance(const Groundwork& ground,
                                    const ResidualRule& rule,
                                    std::int64_t target,
                                    std::uint64_t most_nodes,
                                    const Limits& limits);

extern template std::optional<std::vector<double>> node_means(const Groundwork&,
                                                              const Expectation<double>&,
                                                              const ResidualRule&,
                                                              const std::vector<std::int64_t>&,
                                                              std::uint64_t,
                                                              const Limits&);
extern template std::optional<std::vector<Rational>> node_means(const Groundwork&,
                                                                const Expectation<Rational>&,
                                                                const ResidualRule&,
                                                                const std::vector<std::int64_t>&,
                                                                std::uint64_t,
                                                                const Limits&);

}  // namespace quantiplan
