// How often each label was met, from worst to best; compared
//
//     worst first   fewer of the worst, then fewer of the next, ... up to the best but one; the
//                   best comes last, and more of it is better
//     best first    more of the best, then more of the next, ... down to the worst but one; the
//                   worst comes last, and fewer of it is better
//
// w o r adds a unit vector, so y / r takes one away.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quantiplan/structure.hpp"

namespace quantiplan {

struct CountedLabels {
  using Wealth = std::vector<std::uint32_t>;
  static constexpr bool kHasResiduals = true;
  std::vector<std::string> labels;
  bool best_first = false;

  [[nodiscard]] Wealth initial() const { return Wealth(labels.size(), 0); }
  [[nodiscard]] Wealth update(const Wealth& w, const Reward& r) const {
    Wealth sum = w;
    if (r.number >= 0) ++sum[r.number.get_num().get_ui()];
    return sum;
  }
  [[nodiscard]] std::weak_ordering order(const Wealth& a, const Wealth& b) const {
    const std::size_t n = labels.size();
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = best_first ? n - 1 - k : k;
      const bool is_last = k + 1 == n;
      const bool more_is_better = best_first != is_last;
      const auto here = more_is_better ? a[i] <=> b[i] : b[i] <=> a[i];
      if (here != 0) return here;
    }
    return std::weak_ordering::equivalent;
  }
  // "2 gold, 1 bronze", the best first; "nothing" where none was met.
  [[nodiscard]] std::string text(const Wealth& w) const {
    std::string out;
    for (std::size_t i = labels.size(); i-- > 0;) {
      if (w[i] == 0) continue;
      if (!out.empty()) out += ", ";
      out += std::to_string(w[i]) + " " + labels[i];
    }
    return out.empty() ? "nothing" : out;
  }
};

}  // namespace quantiplan
