// A function of needs at one (time, state), on its hull: an array, or steps where these are few.
//
//     array:   values[k] at the need above + 1 + k
//     steps:   values[k] on (ends[k-1], ends[k]], the first from `above` on, the last to `upto`
//
// Where a grid is refined all at once, as passes do near the horizon to lose nothing in the last
// rewards, a hull may hold 10^15 needs and ten steps.
#pragma once

#include <cstdint>
#include <vector>

#include "check/finite/index_windows.hpp"

namespace quantiplan::checking {

template <class Value>
struct NeedFunction {
  NeedRange hull;
  bool is_array = true;
  std::vector<std::int64_t> ends;
  std::vector<Value> values;

  void clear(const NeedRange& range) {
    hull = range;
    is_array = true;
    ends.clear();
    values.clear();
  }
  [[nodiscard]] std::size_t size() const { return values.size(); }
  [[nodiscard]] std::int64_t end(std::size_t k) const {
    return is_array ? hull.above + 1 + static_cast<std::int64_t>(k) : ends[k];
  }
  // The step that holds a need, looked for from step `from` on.
  [[nodiscard]] std::size_t find(std::int64_t need, std::size_t from) const {
    if (is_array) return static_cast<std::size_t>(need - hull.above - 1);
    while (ends[from] < need) ++from;
    return from;
  }

  // Neighbours of equal value become one.
  void join() {
    if (is_array) return;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (k + 1 < values.size() && values[k] == values[k + 1]) continue;
      ends[kept] = ends[k];
      if (kept != k) values[kept] = std::move(values[k]);
      ++kept;
    }
    ends.resize(kept);
    values.resize(kept);
  }
};

}  // namespace quantiplan::checking
