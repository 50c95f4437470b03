// Which levels of a layer each rank computes, and which of the later layer it needs for that.
//
//     W(y)   = sum over slots of  weight * |(from, upto] below y|       work up to a level
//     cut_q  = the least y with  W(y) >= q/P of all work                rank q: (cut_q, cut_{q+1}]
//     reach  = (cut_q - rmax, cut_{q+1} - rmin]                         in levels of the later layer
//
// Windows move with time, so the cuts are made anew for each step. All ranks compute them from the
// same spans, which they all know, and so find the same without a message.
#pragma once

#include <cstdint>
#include <vector>

#include "finite/pass/span.hpp"
#include "finite/segments.hpp"

namespace quantiplan {

// The common part of two intervals; empty ones have no size.
Interval common(const Interval& a, const Interval& b) noexcept;
Interval stored(const Span<double>& span) noexcept;

// W, piece by piece: between two levels at which a span begins or ends it is a line.
class LevelProfile {
 public:
  // Before anything is asked.
  void add(const Interval& levels, double weight);
  void close();

  [[nodiscard]] double upto(std::int64_t level) const;
  [[nodiscard]] double within(const Interval& levels) const {
    return levels.empty() ? 0 : upto(levels.upto) - upto(levels.above);
  }
  [[nodiscard]] double total() const { return corners_.empty() ? 0 : corners_.back().sum; }
  // From the level below all spans to the last of them, in `parts` slabs of equal work.
  [[nodiscard]] std::vector<std::int64_t> cuts(std::uint32_t parts) const;

 private:
  struct Corner {
    std::int64_t level;
    double sum;    // up to it
    double slope;  // beyond it
  };
  std::vector<std::pair<std::int64_t, double>> turns_;
  std::vector<Corner> corners_;
};

// Slab q of the cuts.
inline Interval slab(const std::vector<std::int64_t>& cuts, std::uint32_t q) {
  return {cuts[q], cuts[q + 1]};
}
// What a slab needs of the later layer, for rewards from `least` to `most`.
Interval reach(const Interval& slab, std::int64_t least, std::int64_t most) noexcept;

}  // namespace quantiplan
