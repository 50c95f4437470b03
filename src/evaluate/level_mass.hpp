// Probability at one time, an array over the levels of wealth for each slot.
//
//     row of slot s:   P_t(s, first), P_t(s, first + 1), ..., P_t(s, last)      both ends positive
//
// Worth its room where levels fill their window: eight bytes a level, met or not, against about
// fifty for a node of a hash table. A level is met iff its number is positive, so products that
// underflow are kept at the least double (LevelStep).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "evaluate/infinite/mass_walk.hpp"

namespace quantiplan {

inline constexpr double kLeastMass = 0x1p-1074;

struct MassRow {
  std::int64_t first = 0;
  std::vector<double> mass;

  [[nodiscard]] bool empty() const noexcept { return mass.empty(); }
  [[nodiscard]] std::int64_t last() const noexcept {
    return first + static_cast<std::int64_t>(mass.size()) - 1;
  }
  [[nodiscard]] double* at(std::int64_t level) noexcept { return mass.data() + (level - first); }
  [[nodiscard]] const double* at(std::int64_t level) const noexcept {
    return mass.data() + (level - first);
  }
};

struct LevelMass {
  std::vector<MassRow> rows;       // by slot
  std::vector<std::uint64_t> met;  // by slot: levels with probability
  std::vector<double> least;       // by slot: the least probability of these

  explicit LevelMass(std::size_t slots) : rows(slots), met(slots), least(slots, 1.0) {}
  // Cuts what is not met off both ends of a row, and looks at what is.
  void settle(std::size_t slot);

  [[nodiscard]] std::uint64_t nodes() const;
  [[nodiscard]] std::uint64_t cells() const;
  [[nodiscard]] std::uint64_t bytes() const;
};

// Nullopt if the nodes, spread out, would take more room than in their table.
std::optional<LevelMass> spread_out(const NodeMass<double>& nodes, std::size_t slots);
NodeMass<double> collected(const LevelMass& levels);

// Cells that are worth their room where so many nodes are met, or at least their time: a cell takes
// a fiftieth of the time of a node, and a sixth of its room, which does not count for some.
[[nodiscard]] constexpr bool fills(std::uint64_t nodes, std::uint64_t cells) noexcept {
  constexpr std::uint64_t kCellsPerNode = 6;
  constexpr std::uint64_t kQuickCells = 50;
  constexpr std::uint64_t kSomeCells = 8'000'000;
  return cells / kCellsPerNode <= nodes || (cells <= kSomeCells && cells / kQuickCells <= nodes);
}

}  // namespace quantiplan
