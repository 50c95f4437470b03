#include "kernels/backup_reference.hpp"

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

void back_up_reference(std::span<const MixTerm> terms,
                       std::span<const ChoiceTerms> choices,
                       std::int64_t first,
                       const Best& out) noexcept {
  for (std::size_t i = 0; i < out.size; ++i) {
    double best = -1;
    double second = -1;
    double chosen = 0;
    std::size_t begin = 0;
    for (const ChoiceTerms& choice : choices) {
      double value = 0;
      const auto own = terms.subspan(begin, choice.end - begin);
      mix_reference(own, first + static_cast<std::int64_t>(i), {&value, 1});
      const bool better = value > best;
      second = std::max(second, better ? best : value);
      best = better ? value : best;
      chosen = better ? choice.mark : chosen;
      begin = choice.end;
    }
    out.value[i] = best;
    if (out.second != nullptr) out.second[i] = second;
    if (out.chosen != nullptr) out.chosen[i] = chosen;
  }
}

void add_scaled_reference(double factor,
                          std::span<const double> values,
                          std::span<double> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += factor * values[i];
}

}  // namespace quantiplan
