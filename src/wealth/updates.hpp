// w o r by table: a row for each wealth met, an entry for each reward of the model.
//
// Rows are filled as they are used. Where a model has many rewards, rows would be mostly empty, and
// the structure is asked each time.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "quantiplan/structure.hpp"
#include "wealth/reward_columns.hpp"

namespace quantiplan {

class Updates {
 public:
  Updates(const Model& model, Structure& structure) : structure_(structure), columns_(model) {}

  WealthId operator()(WealthId wealth, NumberId reward) {
    if (columns_.size() > kMostColumns) return structure_.update(wealth, reward);
    const std::size_t at = index(wealth) * columns_.size() + columns_[reward];
    if (at >= table_.size()) table_.resize((index(wealth) + 1) * columns_.size(), kUnknown);
    if (table_[at] == kUnknown)
      table_[at] = static_cast<std::uint32_t>(index(structure_.update(wealth, reward)));
    return WealthId{table_[at]};
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return structure_.bytes() + table_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::size_t kMostColumns = 256;

  Structure& structure_;
  RewardColumns columns_;
  std::vector<std::uint32_t> table_;
};

}  // namespace quantiplan
