// The levels that matter: sums of weights, in ascending order, one at a time.
//
//     sigma_0 = 0,  sigma_{k+1} = the least sigma_j + w above sigma_k           (w a weight > 0)
//
// A total is such a sum, so nothing changes between two of them, and sparse rewards leave most
// levels out. For each weight two positions move along the ladder and never back: where the next
// sum with it starts, and the level that a move with it refers to:
//
//     gains:   the least   sigma_j >= sigma_k - w, or the base if that is <= 0
//     losses:  the greatest sigma_j <= sigma_k - w, or the base if that is < 0
//
// Source: the merging of sequences as for Hamming's numbers [Dijkstra]. Cost: O(weights) a level.
#pragma once

#include <cstdint>
#include <vector>

namespace quantiplan {

class Ladder {
 public:
  static constexpr std::uint64_t kBase = ~std::uint64_t{0};

  // Ascending, the first is 0; they must outlive the ladder. Stands at sigma_0.
  Ladder(const std::vector<std::uint64_t>& weights, bool gains);

  [[nodiscard]] std::uint64_t level() const noexcept { return sigma_.size() - 1; }
  [[nodiscard]] std::uint64_t sigma(std::uint64_t level) const noexcept { return sigma_[level]; }
  // Goes to the next level; false if there is none, or it would not fit 62 bits.
  bool climb();
  // The level that a move with weight number i refers to from here, or kBase.
  [[nodiscard]] std::uint64_t referred(std::size_t i) const noexcept { return referred_[i]; }
  // No level below this will be referred to, from here on.
  [[nodiscard]] std::uint64_t least_referred() const noexcept;

 private:
  void refer();

  const std::vector<std::uint64_t>& weights_;
  bool gains_;
  std::vector<std::uint64_t> sigma_{0};
  std::vector<std::uint64_t> source_;    // by weight: least j with sigma_j + w above the last
  std::vector<std::uint64_t> referred_;  // by weight
};

}  // namespace quantiplan
