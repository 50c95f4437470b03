#include "infinite/levels/ladder.hpp"

#include <algorithm>

namespace quantiplan {

Ladder::Ladder(const std::vector<std::uint64_t>& weights, bool gains)
    : weights_(weights),
      gains_(gains),
      source_(weights.size(), 0),
      referred_(weights.size(), kBase) {}

bool Ladder::climb() {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
  std::uint64_t next = kMost;
  for (std::size_t i = 1; i < weights_.size(); ++i) {
    while (sigma_[source_[i]] + weights_[i] <= sigma_.back()) ++source_[i];
    next = std::min(next, sigma_[source_[i]] + weights_[i]);
  }
  if (next >= kMost) return false;
  sigma_.push_back(next);
  refer();
  return true;
}

void Ladder::refer() {
  const std::uint64_t here = sigma_.back();
  for (std::size_t i = 1; i < weights_.size(); ++i) {
    const std::uint64_t w = weights_[i];
    if (gains_ ? here <= w : here < w) continue;
    std::uint64_t& at = referred_[i];
    if (at == kBase) at = 0;
    if (gains_) {
      while (sigma_[at] < here - w) ++at;
    } else {
      while (sigma_[at + 1] <= here - w) ++at;
    }
  }
}

std::uint64_t Ladder::least_referred() const noexcept {
  // The greatest weight refers farthest back; before it leaves the base it will begin at the first.
  return weights_.size() < 2 || referred_.back() == kBase ? 0 : referred_.back();
}

}  // namespace quantiplan
