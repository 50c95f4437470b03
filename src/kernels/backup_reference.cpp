#include "kernels/backup_reference.hpp"

#include <algorithm>
#include <limits>

namespace quantiplan {

namespace {

double mixture(double sum, std::span<const MixTerm> terms, std::int64_t at) noexcept {
  for (const MixTerm& term : terms) {
    const std::int64_t j = at + term.shift;
    sum += term.probability * (j < 0            ? term.below_at(j)
                               : j < term.width ? term.values[j]
                                                : term.above_at(j));
  }
  return sum;
}

}  // namespace

void mix_reference(std::span<const MixTerm> terms,
                   std::int64_t first,
                   std::span<double> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = mixture(0, terms, first + static_cast<std::int64_t>(i));
}

void back_up_reference(std::span<const MixTerm> terms,
                       std::span<const ChoiceTerms> choices,
                       std::int64_t first,
                       const Best& out) noexcept {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < out.size; ++i) {
    double best = kNone;
    double second = kNone;
    double chosen = 0;
    std::size_t begin = 0;
    for (const ChoiceTerms& choice : choices) {
      const auto own = terms.subspan(begin, choice.end - begin);
      const double value = mixture(choice.gain, own, first + static_cast<std::int64_t>(i));
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
