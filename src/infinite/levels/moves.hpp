// The part of a model that episodes can reach from s0, laid out for the passes: slots, choices,
// arcs.
//
// Goal states end episodes, so nothing is kept of their choices. Rewards are counted: times `sign`,
// -1 for costs and for an adversary (and 1 for both).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "model/move_graph.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

enum class End : std::uint8_t { none, goal, other };

struct Moves {
  // Of nothing yet.
  explicit Moves(const Model& model_in) : model(model_in) {}
  // Nullopt if the limits ended it. Throws Error(refused) if it does not fit the memory limit.
  static std::optional<Moves> lay_out(const Model& model,
                                      const ResolvedSetting& setting,
                                      Limits& limits);

  Model model;
  int sign = 1;
  std::vector<State> state;            // by slot; the first are the initial ones
  std::size_t starts = 1;              // initial slots
  std::vector<std::uint32_t> slot_of;  // by state; kNoSlot if it cannot be met
  std::vector<End> end;                // by slot
  MoveGraph graph;                     // nodes are slots
  std::vector<Choice> choice;          // by choice of the graph
  std::vector<NumberId> probability;   // by arc
  std::vector<NumberId> reward;        // by arc
  std::size_t most_arcs = 0;           // of one choice

  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
  [[nodiscard]] std::size_t slots() const noexcept { return state.size(); }
  // The counted reward of an arc.
  [[nodiscard]] Rational counted(std::uint64_t arc) const;
  [[nodiscard]] std::uint64_t bytes() const noexcept;
};

// The signs of the counted rewards that can be met: a choice that has one, or none.
struct Signs {
  struct Where {
    std::uint32_t slot;
    std::uint32_t choice;
  };
  std::optional<Where> gain;
  std::optional<Where> loss;
};
Signs signs_of(const Moves& moves);

// The greatest number of steps of an episode; nullopt if there is a cycle.
std::optional<std::uint64_t> longest_episode(const Moves& moves);

}  // namespace quantiplan
