// Runs a strategy forward: the exact set of (time, state, wealth) it meets, and their
// probabilities.
//
//     P_0(s0, 0) = 1,   P_{t+1}(s', w + R) += p * P_t(s, w)   for the outcomes of the choice at (t,
//     s, w)
//
// Gives the distribution of the final wealth, in double or Rational (MassWalk).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "base/node_table.hpp"
#include "finite/expectation.hpp"
#include "finite/stages.hpp"
#include "finite/strategy.hpp"
#include "quantiplan/distribution.hpp"

namespace quantiplan {

// Called once for each node at which a choice is made.
using Visit =
    std::function<void(std::uint64_t time, std::size_t slot, WealthKey wealth, Choice choice)>;

// Nullopt if the limits ended it. Throws Error(refused) if the nodes do not fit the memory limit.
template <class N>
std::optional<Distribution> run_forward(const Stages& stages,
                                        const Strategy& strategy,
                                        Limits& limits,
                                        const Visit& visit = {});

// Exact if that is affordable or asked for, else in doubles. Nullopt if the limits ended it, or if
// stages rounded to a grid have more nodes than anybody waits for: then *too_many is set, if given.
std::optional<Distribution> distribution_of(const Stages& stages,
                                            const Strategy& strategy,
                                            Arithmetic arithmetic,
                                            Limits& limits,
                                            bool* too_many = nullptr);

}  // namespace quantiplan
