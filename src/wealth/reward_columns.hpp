// The numbers of a model that are rewards, numbered from 0: the columns of a table by reward.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "quantiplan/model.hpp"

namespace quantiplan {

class RewardColumns {
 public:
  explicit RewardColumns(const Model& model) : column_(model.rewards().size(), kNone) {
    for (std::uint32_t i = 0; i < model.state_count(); ++i) {
      for (const Choice c : model.choices(State{i})) {
        for (const Outcome& o : model.outcomes(c)) {
          std::uint32_t& column = column_[index(o.reward)];
          if (column == kNone) column = count_++;
        }
      }
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::size_t operator[](NumberId reward) const { return column_[index(reward)]; }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> column_;
  std::uint32_t count_ = 0;
};

}  // namespace quantiplan
