#include "finite/mean_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quantiplan {

double error_of_means(const Stages& stages) {
  const WealthScale& scale = stages.scale();
  double sum = 0;
  double largest_total = 0;
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
    double largest = 0;
    for (const NumberId reward : stages.rewards().distinct)
      largest = std::max(largest, std::abs(scale.in_steps(t, reward)));
    largest = std::ldexp(largest, -static_cast<int>(scale.shift_until(t)));
    sum += static_cast<double>(t + 1) * largest;
    largest_total += largest;
  }
  if (stages.starts() > 1) sum += largest_total;
  const double error = 4 * (static_cast<double>(stages.most_terms()) + 6) * 0x1p-53 * sum;
  return std::min(error, std::numeric_limits<double>::max());
}

}  // namespace quantiplan
