// Products of numbers above 0: w o r = w r, y / r is the quotient.
#pragma once

#include "wealth/summed.hpp"

namespace quantiplan {

struct Multiplied {
  using Wealth = Rational;
  static constexpr bool kHasResiduals = true;

  [[nodiscard]] Wealth initial() const { return 1; }
  [[nodiscard]] Wealth update(const Wealth& w, const Reward& r) const { return w * r.number; }
  [[nodiscard]] std::weak_ordering order(const Wealth& a, const Wealth& b) const {
    return compared(a, b);
  }
  [[nodiscard]] std::string text(const Wealth& w) const { return to_text(w); }
  [[nodiscard]] Total number(const Wealth& w) const { return w; }
};

}  // namespace quantiplan
