// Sums of numbers: of the rewards themselves, or of the weights of labels.
//
//     w o r = w + r,   y / r = y - r
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "quantiplan/structure.hpp"

namespace quantiplan {

inline std::weak_ordering compared(const Rational& a, const Rational& b) {
  const int sign = cmp(a, b);
  return sign < 0   ? std::weak_ordering::less
         : sign > 0 ? std::weak_ordering::greater
                    : std::weak_ordering::equivalent;
}

struct Summed {
  using Wealth = Rational;
  static constexpr bool kHasResiduals = true;
  std::vector<Rational> weights = {};  // of labels; empty: rewards are numbers

  [[nodiscard]] Wealth initial() const { return 0; }
  [[nodiscard]] Wealth update(const Wealth& w, const Reward& r) const {
    if (weights.empty()) return w + r.number;
    if (r.number < 0) return w;
    return w + weights[r.number.get_num().get_ui()];
  }
  [[nodiscard]] std::weak_ordering order(const Wealth& a, const Wealth& b) const {
    return compared(a, b);
  }
  [[nodiscard]] std::string text(const Wealth& w) const { return to_text(w); }
  [[nodiscard]] Total number(const Wealth& w) const { return w; }
};

}  // namespace quantiplan
