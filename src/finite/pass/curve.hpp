// The step function at the initial state: G*(y) = D_0(s0, y) for every level y at once.
//
//     G* = 1 for y <= sure;   value[i] on (upto[i-1], upto[i]], from sure on;   0 for y > possible
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace quantiplan {

template <class N>
struct Curve {
  std::int64_t sure = 0;
  std::int64_t possible = 0;
  std::vector<std::int64_t> upto;
  std::vector<N> value;

  // Up to y the value is v; equal neighbours are one step.
  void append(std::int64_t y, const N& v) {
    if (!value.empty() && value.back() == v) {
      upto.back() = y;
    } else {
      upto.push_back(y);
      value.push_back(v);
    }
  }
  [[nodiscard]] N at(std::int64_t y) const {
    if (y <= sure) return 1;
    if (y > possible) return 0;
    return value[static_cast<std::size_t>(std::ranges::lower_bound(upto, y) - upto.begin())];
  }
};

}  // namespace quantiplan
