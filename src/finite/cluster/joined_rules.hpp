// The runs of decisions of a layer whose functions are cut by levels: each rank's, joined at the cuts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "finite/decisions.hpp"
#include "finite/pass/dense_backup.hpp"
#include "finite/segments.hpp"

namespace quantiplan {

// This rank's runs, slot after slot, into a message.
void put_runs(const Decisions::LayerRules& own, std::vector<std::byte>& out);
// The runs of all ranks, by ascending levels; a run that a cut lies in is one again.
Decisions::LayerRules join_runs(const PassInput<double>& input,
                                std::uint64_t time,
                                const std::vector<std::span<const std::byte>>& messages);

}  // namespace quantiplan
