#include "finite/promise/optimum_error.hpp"

#include <algorithm>
#include <cmath>

namespace quantiplan {

OptimumError::OptimumError(const Stages& stages,
                           const Expectation<double>& expectation,
                           const OutcomeGain& gain)
    : sums_(static_cast<double>(stages.sums())), terms_(static_cast<double>(stages.most_terms())) {
  const Model& model = stages.model();
  double gains = 0;
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
    double most = 0;
    double later = 0;
    for (const State s : stages.layer(t).states())
      for (const Choice c : model.choices(s))
        for (const Outcome& o : model.outcomes(c)) most = std::max(most, gain.size(t, o));
    for (std::size_t slot = 0; slot < stages.layer(t + 1).size(); ++slot)
      later = std::max(later, std::abs(expectation.value(t + 1, slot)));
    most = std::ldexp(most, -static_cast<int>(stages.scale().shift_until(t)));
    magnitude_ += most + std::ldexp(later, -static_cast<int>(stages.scale().shift_until(t + 1)));
    gains += most;
    totals_ += static_cast<double>(t + 1) * most;
  }
  if (stages.starts() == 1) return;
  double start = 0;
  for (std::size_t slot = 0; slot < stages.starts(); ++slot)
    start = std::max(start, std::abs(expectation.value(0, slot)));
  magnitude_ += start;
  totals_ += gains;
}

// Twice once more, for the rounding of this very sum.
double OptimumError::of(double weight) const {
  return 4 * (terms_ + 6) * 0x1p-53 * (magnitude_ + sums_ * weight);
}

double OptimumError::of_policy(bool chance) const {
  return 4 * (terms_ + 6) * 0x1p-53 * (totals_ + (chance ? sums_ + 1 : 0));
}

}  // namespace quantiplan
