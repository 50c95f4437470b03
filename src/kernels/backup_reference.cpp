#include "backup_reference.hpp"

#include <algorithm>

namespace quantiplan {

void mix_reference(std::span<const MixTerm> terms,
                   std::int64_t first,
                   std::span<double> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    double sum = 0;
    for (const MixTerm& term : terms) {
      const std::int64_t j = first + static_cast<std::int64_t>(i) + term.shift;
      const double value = j < 0 ? term.below : j < term.width ? term.values[j] : term.above;
      sum += term.probability * value;
    }
    out[i] = sum;
  }
}

void improve_reference(std::span<const double> candidate,
                       double mark,
                       std::span<double> best,
                       std::span<double> second,
                       std::span<double> chosen) noexcept {
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    const bool better = candidate[i] > best[i];
    second[i] = std::max(second[i], better ? best[i] : candidate[i]);
    best[i] = better ? candidate[i] : best[i];
    chosen[i] = better ? mark : chosen[i];
  }
}

void add_scaled_reference(double factor,
                          std::span<const double> values,
                          std::span<double> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += factor * values[i];
}

}  // namespace quantiplan
