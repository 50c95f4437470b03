// Choices that lead to the same next states with the same probabilities: they share one mixture.
//
//     M(y) = sum over the row of  p * D_{t+1}(s', y),     a choice of reward R:  M(y - R)
//
// Needs one reward for all outcomes of a choice. In the data centre thousands of state-action pairs
// share a few rows, and the sum over successors is done once for all of them. The mixture adds in
// the same order as a choice by itself would, so the bits are the same. Cost: one hash of each
// choice.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "quantiplan/model.hpp"

namespace quantiplan {

class SharedRows {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  explicit SharedRows(const Model& model);
  // The row of a choice, or kNone if no other choice has it.
  [[nodiscard]] std::uint32_t row(Choice c) const noexcept { return row_[index(c)]; }
  // A choice that has the row.
  [[nodiscard]] Choice example(std::uint32_t row) const noexcept { return example_[row]; }
  [[nodiscard]] std::size_t size() const noexcept { return example_.size(); }

 private:
  std::vector<std::uint32_t> row_;
  std::vector<Choice> example_;
};

}  // namespace quantiplan
