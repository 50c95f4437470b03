// Wealths sorted into classes, from worst to best.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "quantiplan/structure.hpp"

namespace quantiplan {

struct Ranking {
  std::vector<WealthId> representative;  // of each class, ascending
  // Class of each wealth by its id; kAbsent where it was not among those sorted.
  std::vector<std::uint32_t> class_of;
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  // `wealths` are distinct.
  static Ranking of(const Structure& structure, std::vector<WealthId> wealths) {
    std::ranges::sort(wealths, [&](WealthId a, WealthId b) {
      const auto order = structure.order(a, b);
      return order != 0 ? order < 0 : a < b;
    });
    Ranking out;
    out.class_of.assign(structure.size(), kAbsent);
    for (const WealthId w : wealths) {
      if (out.representative.empty() || structure.order(out.representative.back(), w) != 0)
        out.representative.push_back(w);
      out.class_of[index(w)] = static_cast<std::uint32_t>(out.representative.size() - 1);
    }
    return out;
  }
};

}  // namespace quantiplan
