// The best or the worst reward met.
//
//     max   w o r = max(w, r),  nothing met: -inf    y / r = anything if r >= y, else y
//     min   w o r = min(w, r),  nothing met: inf     y / r = nothing if r < y, else y
#pragma once

#include <algorithm>

#include "quantiplan/structure.hpp"

namespace quantiplan {

struct Extreme {
  using Wealth = Total;
  static constexpr bool kHasResiduals = true;
  bool is_max = true;

  [[nodiscard]] Wealth initial() const {
    return is_max ? Total::minus_infinity() : Total::plus_infinity();
  }
  [[nodiscard]] Wealth update(const Wealth& w, const Reward& r) const {
    const Total met = r.number;
    if (is_max) return w < met ? met : w;
    return met < w ? met : w;
  }
  [[nodiscard]] std::weak_ordering order(const Wealth& a, const Wealth& b) const { return a <=> b; }
  [[nodiscard]] std::string text(const Wealth& w) const { return to_text(w); }
  [[nodiscard]] Total number(const Wealth& w) const { return w; }
};

}  // namespace quantiplan
