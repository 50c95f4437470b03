// Maximal end components: sets of nodes in which one can stay for ever, and go anywhere, at will.
//
//     (C, A): every choice of A leads into C only, and C is strongly connected by the choices of A
//
// Of a sub-model: only the choices that are allowed count, so that the components of zero-reward
// moves are found themselves, and not filtered from those of the whole model, which would miss
// nested ones. Source: [dA], algorithm 3.1. Cost: O(arcs) for each round; a round removes at least
// one choice and all that falls with it, and in practice there are few.
#pragma once

#include <cstdint>
#include <vector>

#include "model/move_graph.hpp"

namespace quantiplan {

struct EndComponents {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> of_node;  // kNone if it is in none
  std::vector<bool> is_inner;          // by choice: stays within its node's component
  std::uint32_t count = 0;
};

// allowed: by choice.
EndComponents end_components(const MoveGraph& graph, const std::vector<bool>& allowed);

}  // namespace quantiplan
