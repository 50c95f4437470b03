// The reachable (time, state, wealth), expanded once.
//
//     layer 0: (s_0, w_0)      layer t+1: every (s', w o r) of every choice at a node of layer t
//
// A node at the horizon, or in a terminal state, is final: its wealth is that of the episode. Nodes
// are numbered in the order they are met, layer by layer, so everything computed from them is the
// same on every run. A node takes 12 bytes, and each of its outcomes 4.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "quantiplan/structure.hpp"
#include "wealth/ranking.hpp"

namespace quantiplan {

struct Expansion {
  struct Layer {
    std::vector<State> state;
    std::vector<WealthId> wealth;
    std::vector<std::uint32_t> begin;  // of a node's arcs; one more than there are nodes
    // Node of the next layer, for each outcome of each choice of a node's state, in their order.
    std::vector<std::uint32_t> next;
    [[nodiscard]] std::size_t size() const noexcept { return state.size(); }
  };

  Model model;
  InitialStates initial;  // the nodes of layer 0
  std::shared_ptr<Structure> structure;
  std::vector<Layer> layers;
  Ranking final_classes;
  std::uint64_t nodes = 0;
  std::uint64_t arcs = 0;
  std::uint64_t bytes = 0;

  [[nodiscard]] bool is_final(std::size_t time, std::uint32_t node) const {
    return time + 1 == layers.size() || model.is_terminal(layers[time].state[node]);
  }
  [[nodiscard]] std::uint32_t class_of(std::size_t time, std::uint32_t node) const {
    return final_classes.class_of[index(layers[time].wealth[node])];
  }
};

// Nullopt if a limit of time ends it, or there are more arcs than asked for. Throws Error(refused)
// over the memory limit.
std::optional<Expansion> expand(const Model& model,
                                const ResolvedSetting& setting,
                                std::shared_ptr<Structure> structure,
                                Limits& limits,
                                std::uint64_t most_arcs = ~std::uint64_t{0});

}  // namespace quantiplan
