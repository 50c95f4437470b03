// The levels of one time, made from those of the next: r o z, sorted into classes.
//
// A table holds, for each reward of the model and each level z of the next time, the position of
// r o z among the levels of this one. Only the pairs that occur are filled.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limits.hpp"
#include "classes/ranked_pass.hpp"
#include "quantiplan/structure.hpp"
#include "wealth/reward_columns.hpp"

namespace quantiplan {

class Prepended {
 public:
  Prepended(const Model& model, Structure& structure, Limits& limits);

  // From the levels of the next time, for the states met at this one; `ends`: some of them are
  // terminal, so that nothing to come is a level, too. False if a limit of time ends it.
  bool fill(const std::vector<bool>& met, const RankedTime& next, bool ends);

  [[nodiscard]] std::vector<WealthId> levels() const { return levels_; }
  // Position of r o z, where z is at position `level` of the next time.
  [[nodiscard]] std::uint32_t at(NumberId reward, std::uint32_t level) const {
    return table_[columns_[reward] * width_ + level];
  }
  // The positions of a state's levels, ascending. `mark` is as long as levels(), all 0, and is left
  // so.
  [[nodiscard]] std::vector<std::uint32_t> positions(std::uint32_t state,
                                                     std::vector<std::uint8_t>& mark) const;

 private:
  void sort(bool ends);

  const Model& model_;
  Structure& structure_;
  Limits& limits_;
  RewardColumns columns_;
  std::size_t width_ = 0;
  std::vector<std::uint32_t> table_;  // wealth ids until they are sorted, then positions
  const RankedTime* next_ = nullptr;
  std::vector<WealthId> levels_;
  std::vector<WealthId> met_;               // not yet sorted
  std::vector<std::uint32_t> position_of_;  // by wealth id
  std::uint32_t ended_ = 0;                 // position of nothing to come
  std::uint64_t held_ = 0;
};

}  // namespace quantiplan
