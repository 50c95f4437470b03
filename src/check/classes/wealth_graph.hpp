// Pairs (state, wealth) at an infinite horizon: the chain of a policy, and what any policy can come to.
//
//     rises     no move lowers the class: {W > level} is to be reached, and then it stays
//     falls     no move raises it: {W > level} is to be kept; the greatest set of pairs in which
//               that can be done for ever is worth 1
//     neither   a policy may still settle; what the best does is not rechecked
//
// So both are reach graphs (reach_graph.hpp) on pairs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/classes/wealth_level.hpp"
#include "check/classes/wealth_rule_book.hpp"
#include "check/common/check_limits.hpp"
#include "check/common/counted_claim.hpp"
#include "check/common/demand.hpp"
#include "check/infinite/reach_graph.hpp"
#include "check/infinite/stationary_walk.hpp"
#include "check/infinite/wealth_places.hpp"

namespace quantiplan::checking {

struct WealthGraph {
  WealthGraph(const Model& model, CheckLimits& limits) : graph(model, limits) {}
  ReachGraph graph;  // without worths yet
  WealthPlaces places;
  bool rises = true;
  bool falls = true;
  std::optional<std::string> fault = std::nullopt;  // the policy has no rule where it needs one
  // Out of time, or of room: nothing else here counts.
  bool ended = false;
  bool too_large = false;

  [[nodiscard]] bool is_complete() const { return !fault && !ended && !too_large; }
  [[nodiscard]] WealthId wealth(std::uint32_t node) const {
    return WealthId{static_cast<std::uint32_t>(places[node].wealth)};
  }
};

// Of one policy, at most a million pairs.
WealthGraph chain_of_policy(const Model& model,
                            Structure& structure,
                            const Policy& policy,
                            CheckLimits& limits);
// Of all policies, at most 300 000.
WealthGraph graph_of_all(const Model& model,
                         Structure& structure,
                         const ResolvedSetting& setting,
                         CheckLimits& limits);

// What the policy comes to whose chain this is: P(W >= level). Not followed where it comes to pairs
// that it never leaves, on both sides of the level.
StationaryWalk walk_by_class(const Model& model,
                             WealthGraph chain,
                             const WealthLevel& level,
                             CheckLimits& limits);

// Bounds of the greatest P(W > level), of a threshold P(W >= level), sharp enough to settle the demand if possible. Needs a graph
// that rises or falls. Nullopt if it takes too much, or time is up.
std::optional<Bounds> greatest_limit_chance(const Model& model,
                                            const InitialStates& initial,
                                            WealthGraph all,
                                            const WealthLevel& level,
                                            const CountedClaim& claim,
                                            CheckLimits& limits);

}  // namespace quantiplan::checking
