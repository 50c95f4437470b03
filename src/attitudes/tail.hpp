// The tail of a law, or of the best of several: y -> P(at least y is still collected).
//
//     1 up to `sure`,   value[i] on (upto[i-1], upto[i]] from there on,   0 beyond the last
//
// Non-increasing also as it is rounded: sums and maxima of doubles keep the order of their terms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace quantiplan {

struct Tail {
  std::int64_t sure = 0;
  std::vector<std::int64_t> upto;
  std::vector<double> value;

  [[nodiscard]] std::int64_t possible() const { return upto.empty() ? sure : upto.back(); }
  [[nodiscard]] double at(std::int64_t y) const {
    if (y <= sure) return 1;
    const auto step = std::ranges::lower_bound(upto, y);
    return step == upto.end() ? 0 : value[static_cast<std::size_t>(step - upto.begin())];
  }
  // Equal neighbours are one step.
  void append(std::int64_t y, double v) {
    if (!value.empty() && value.back() == v) {
      upto.back() = y;
    } else {
      upto.push_back(y);
      value.push_back(v);
    }
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return sizeof(Tail) + 8 * (upto.capacity() + value.capacity());
  }
};

// Where a tail is neither 1 nor 0: y in (sure, possible]. Exact, for it follows from rewards alone.
struct TailWindow {
  std::int64_t sure = 0;
  std::int64_t possible = 0;
};

}  // namespace quantiplan
