#include "domains/seeded.hpp"

#include <algorithm>

namespace quantiplan {

std::uint64_t Seeded::next() noexcept {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t Seeded::below(std::uint64_t bound) noexcept {
  // 2^64 mod bound: without that many values the rest is a whole number of rounds of 0 .. bound-1.
  const std::uint64_t surplus = (0 - bound) % bound;
  std::uint64_t z = next();
  while (z < surplus) z = next();
  return z % bound;
}

void Seeded::subset(std::uint64_t count, std::uint64_t bound, std::vector<std::uint64_t>& subset) {
  subset.clear();
  // Floyd's sampling: for top = bound-count .. bound-1 take a random value up to top, or top itself
  // if that value is taken already.
  for (std::uint64_t top = bound - count; top < bound; ++top) {
    const std::uint64_t drawn = below(top + 1);
    const auto place = std::ranges::lower_bound(subset, drawn);
    if (place != subset.end() && *place == drawn) {
      subset.push_back(top);  // greater than all before it
    } else {
      subset.insert(place, drawn);
    }
  }
}

}  // namespace quantiplan
