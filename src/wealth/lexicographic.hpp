// Vectors that add up, compared by the first component that differs: w o r = w + r, y / r = y - r.
//
// The order is that of a sum: adding the same vector to two others changes nothing between them.
#pragma once

#include <string>
#include <vector>

#include "wealth/summed.hpp"

namespace quantiplan {

struct Lexicographic {
  using Wealth = std::vector<Rational>;
  static constexpr bool kHasResiduals = true;
  std::vector<WealthComponent> components;

  [[nodiscard]] Wealth initial() const { return Wealth(components.size()); }
  [[nodiscard]] Wealth update(const Wealth& w, const Reward& r) const {
    Wealth sum = w;
    for (std::size_t i = 0; i < r.vector.size(); ++i) sum[i] += r.vector[i];
    return sum;
  }
  [[nodiscard]] std::weak_ordering order(const Wealth& a, const Wealth& b) const {
    for (std::size_t i = 0; i < components.size(); ++i) {
      const auto here = components[i].less_is_better ? compared(b[i], a[i]) : compared(a[i], b[i]);
      if (here != 0) return here;
    }
    return std::weak_ordering::equivalent;
  }
  // "(0 late, 35)".
  [[nodiscard]] std::string text(const Wealth& w) const {
    std::string out = "(";
    for (std::size_t i = 0; i < components.size(); ++i) {
      if (i > 0) out += ", ";
      out += to_text(w[i]);
      if (!components[i].name.empty()) out += " " + components[i].name;
    }
    return out + ")";
  }
};

}  // namespace quantiplan
