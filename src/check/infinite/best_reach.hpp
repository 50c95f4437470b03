// The greatest values of a reach graph: policy iteration in doubles finds a selection, proofs
// follow.
//
//     at most     upper_bounds (reach_bounds.hpp), which no selection exceeds
//     at least    what the selection itself is proved to reach
//     exactly     policy iteration in rationals from that selection: once no choice is better than
//                 the selected one, its values are their own upper bound
//
// A choice is changed only for a better one, never for an equal one: so it is never given up for
// one that stays where it is.
#pragma once

#include <optional>
#include <vector>

#include "check/infinite/reach_bounds.hpp"

namespace quantiplan::checking {

class BestReach {
 public:
  BestReach(const ReachGraph& graph, CheckLimits& limits)
      : graph_(graph), limits_(limits), selection_(first_selection(graph)) {}

  // Nullopt if time is up, or a proof takes too much.
  std::optional<UpperBounds> at_most();
  std::optional<ChainBounds> at_least();
  std::optional<std::vector<Rational>> exactly();

  // Bounds of a draw that settle a demand if possible. The first nodes are those of the initial
  // states, in their order.
  std::optional<Bounds> bounds(const InitialStates& initial, const Demand& demand) {
    const auto found =
        bounds(static_cast<std::uint32_t>(initial.size()), [&](const std::vector<Bounds>& first) {
          return demand.is_settled_by(drawn(initial, first));
        });
    return found ? std::optional<Bounds>(drawn(initial, *found)) : std::nullopt;
  }
  // Bounds of the first nodes: exact if `is_settled` says that proved ones do not do, and it is
  // affordable.
  template <class IsSettled>
  std::optional<std::vector<Bounds>> bounds(std::uint32_t nodes, const IsSettled& is_settled) {
    const auto high = at_most();
    const auto low = high ? at_least() : std::nullopt;
    std::optional<std::vector<Bounds>> both;
    if (low) {
      both.emplace();
      for (std::uint32_t v = 0; v < nodes; ++v) both->push_back({low->at(v).low, high->at(v)});
      if (is_settled(*both)) return both;
    }
    const auto exact = exactly();
    if (!exact) return both;
    both.emplace();
    for (std::uint32_t v = 0; v < nodes; ++v) both->push_back(Bounds::of((*exact)[v]));
    return both;
  }

 private:
  bool find_selection();

  const ReachGraph& graph_;
  CheckLimits& limits_;
  Selection selection_;
  std::optional<RoughValues> rough_;
};

}  // namespace quantiplan::checking
