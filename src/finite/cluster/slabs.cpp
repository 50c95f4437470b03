#include "finite/cluster/slabs.hpp"

#include <algorithm>

namespace quantiplan {

Interval common(const Interval& a, const Interval& b) noexcept {
  return {std::max(a.above, b.above), std::min(a.upto, b.upto)};
}

Interval stored(const Span<double>& span) noexcept { return {span.from, span.upto}; }

void LevelProfile::add(const Interval& levels, double weight) {
  if (levels.empty() || weight <= 0) return;
  turns_.emplace_back(levels.above, weight);
  turns_.emplace_back(levels.upto, -weight);
}

void LevelProfile::close() {
  corners_.clear();
  std::ranges::sort(turns_, {}, [](const auto& turn) { return turn.first; });
  double sum = 0;
  double slope = 0;
  for (std::size_t i = 0; i < turns_.size();) {
    const std::int64_t level = turns_[i].first;
    if (!corners_.empty()) sum += slope * static_cast<double>(level - corners_.back().level);
    // Weights are whole numbers: sums of them are exact in any order.
    for (; i < turns_.size() && turns_[i].first == level; ++i) slope += turns_[i].second;
    corners_.push_back({level, sum, slope});
  }
  turns_.clear();
  turns_.shrink_to_fit();
}

double LevelProfile::upto(std::int64_t level) const {
  const auto next =
      std::ranges::upper_bound(corners_, level, {}, [](const Corner& c) { return c.level; });
  if (next == corners_.begin()) return 0;
  const Corner& corner = *(next - 1);
  return corner.sum + corner.slope * static_cast<double>(level - corner.level);
}

std::vector<std::int64_t> LevelProfile::cuts(std::uint32_t parts) const {
  std::vector<std::int64_t> out(parts + 1, 0);
  if (corners_.empty()) return out;
  const std::int64_t first = corners_.front().level;
  const std::int64_t last = corners_.back().level;
  out.front() = first;
  out.back() = last;
  for (std::uint32_t q = 1; q < parts; ++q) {
    const double share = total() * (static_cast<double>(q) / parts);
    std::int64_t low = out[q - 1];
    std::int64_t high = last;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (upto(middle) >= share) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    out[q] = high;
  }
  return out;
}

Interval reach(const Interval& slab, std::int64_t least, std::int64_t most) noexcept {
  if (slab.empty()) return {0, 0};
  return {slab.above - most, slab.upto - least};
}

}  // namespace quantiplan
