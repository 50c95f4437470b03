// Seeded episodes of a policy that goes by wealth: the same seed gives the same episodes on every
// platform.
//
//     finite horizon      until it is over, or a terminal state
//     infinite horizon    until the class of the wealth is decided (WealthChain), which it is almost
//                         surely; refused where it is not
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "quantiplan/solve.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

// Episode::level is the wealth at the end. Fewer than asked for if a limit is met. Throws as
// evaluate_wealth does.
std::vector<Episode> simulate_wealth(const Model& model,
                                     const std::shared_ptr<Structure>& structure,
                                     const Policy& policy,
                                     std::uint64_t episodes,
                                     std::uint64_t seed,
                                     bool keep_steps,
                                     const Options& options);
// The same, counted as they are played.
EpisodeTally tally_wealth(const Model& model,
                          const std::shared_ptr<Structure>& structure,
                          const Policy& policy,
                          std::uint64_t episodes,
                          std::uint64_t seed,
                          KeepEpisodes keep,
                          const Options& options);

}  // namespace quantiplan
