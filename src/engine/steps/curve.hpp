// The step functions at the initial state: G*(y) = D_T(s0, y), and the mean of the policy, for every y.
//
//     G* = 1 for y <= sure;    value[i] on (upto[i-1], upto[i]] (from sure on);         0 for y > possible
//     mean of the policy that starts with target y, in keys: mean[i] on (mean_upto[i-1], mean_upto[i]]
//     (from least on); the greatest expectation where the choice is free
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace quantiplan {

template <class N>
struct Curve {
  std::int64_t least = 0;
  std::int64_t sure = 0;
  std::int64_t possible = 0;
  std::vector<std::int64_t> upto;
  std::vector<N> value;
  std::vector<std::int64_t> mean_upto;  // empty if no policy was recorded
  std::vector<N> mean;
  N greatest_mean = 0;

  [[nodiscard]] N at(std::int64_t y) const {
    if (y <= sure) return 1;
    if (y > possible) return 0;
    return value[static_cast<std::size_t>(std::ranges::lower_bound(upto, y) - upto.begin())];
  }
  [[nodiscard]] N mean_at(std::int64_t y) const {
    if (y <= least || y > possible) return greatest_mean;
    return mean[static_cast<std::size_t>(std::ranges::lower_bound(mean_upto, y) - mean_upto.begin())];
  }
};

}  // namespace quantiplan
