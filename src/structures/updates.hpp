// w o r by table: a row for each wealth met, an entry for each reward of the model.
//
// Rows are filled as they are used. Where a model has many rewards, rows would be mostly empty, and
// the structure is asked each time.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "quantiplan/structure.hpp"

namespace quantiplan {

class Updates {
 public:
  Updates(const Model& model, Structure& structure) : structure_(structure) {
    column_.assign(model.numbers().size(), kUnknown);
    for (std::uint32_t i = 0; i < model.state_count(); ++i) {
      for (const Choice c : model.choices(State{i})) {
        for (const Outcome& o : model.outcomes(c)) {
          std::uint32_t& column = column_[index(o.reward)];
          if (column == kUnknown) column = columns_++;
        }
      }
    }
    by_table_ = columns_ <= kMostColumns;
  }

  WealthId operator()(WealthId wealth, NumberId reward) {
    if (!by_table_) return structure_.update(wealth, reward);
    const std::size_t at = index(wealth) * columns_ + column_[index(reward)];
    if (at >= table_.size()) table_.resize((index(wealth) + 1) * columns_, kUnknown);
    if (table_[at] == kUnknown)
      table_[at] = static_cast<std::uint32_t>(index(structure_.update(wealth, reward)));
    return WealthId{table_[at]};
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return structure_.bytes() + table_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kMostColumns = 256;

  Structure& structure_;
  std::vector<std::uint32_t> column_;  // of each number of the model that is a reward
  std::uint32_t columns_ = 0;
  bool by_table_ = true;
  std::vector<std::uint32_t> table_;
};

}  // namespace quantiplan
