// The distribution of the final wealth while it is being put together, in keys of the last time.
//
// Rows that end together are added to an array as long as levels fill it, single nodes to a hash
// table, and both are merged when all has ended.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/level_mass.hpp"

namespace quantiplan {

class FinalMass {
 public:
  struct Entry {
    std::int64_t level;
    double mass;
  };

  void add(std::int64_t level, double mass);
  // Its levels times 2^shift.
  void add(const MassRow& row, std::uint64_t met, unsigned shift);

  [[nodiscard]] std::uint64_t bytes() const;
  // Ascending levels; nothing may be added any more.
  [[nodiscard]] std::vector<Entry> entries();
  // Of the entries: the most contributions that one of them collected.
  [[nodiscard]] std::uint64_t most_additions() const noexcept { return most_additions_; }

 private:
  [[nodiscard]] bool covers(std::int64_t level) const noexcept {
    return level >= array_.first && level <= array_.last();
  }
  void add_to_array(std::int64_t level, double mass);
  // False if the array would be too empty.
  bool cover(std::int64_t first, std::int64_t last, std::uint64_t met);

  MassRow array_;
  std::vector<std::uint32_t> contributions_;  // of the array
  std::uint64_t met_ = 0;                     // levels added to the array, with repetition
  NodeMass<double> nodes_;
  std::uint64_t most_additions_ = 0;
};

}  // namespace quantiplan
