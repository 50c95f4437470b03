#include "sampled.hpp"

#include <algorithm>
#include <cmath>

#include "rounding_bound.hpp"

namespace quantiplan {

double simulation_band(std::uint64_t episodes, double confidence) {
  const double band =
      std::sqrt(std::log(2 / (1 - confidence)) / (2 * static_cast<double>(episodes)));
  // A few roundings, each far below this; a band that is too wide is still true.
  return std::min(1.0, band * (1 + 0x1p-40));
}

Distribution sampled_distribution(const std::vector<Episode>& episodes,
                                  std::uint64_t seed,
                                  double confidence) {
  std::vector<const Rational*> totals;
  totals.reserve(episodes.size());
  for (const Episode& episode : episodes) totals.push_back(&episode.wealth);
  std::ranges::sort(totals, [](const Rational* a, const Rational* b) { return *a < *b; });
  Distribution d;
  const auto count = static_cast<double>(episodes.size());
  for (std::size_t begin = 0; begin < totals.size();) {
    std::size_t end = begin + 1;
    while (end < totals.size() && *totals[end] == *totals[begin]) ++end;
    const double share = static_cast<double>(end - begin) / count;
    d.mean.nearest += to_nearest_double(*totals[begin]) * share;
    d.atoms.push_back({*totals[begin], {share, std::nullopt}});
    begin = end;
  }
  // A share is rounded once, and once more for each that is added to it.
  const RoundingBound bound =
      RoundingBound::after(Integer(static_cast<unsigned long>(d.atoms.size())), 0);
  d.relative_error = std::nextafter(to_nearest_double(bound.relative), 2.0);
  d.sample =
      Sample{episodes.size(), seed, confidence, simulation_band(episodes.size(), confidence)};
  return d;
}

}  // namespace quantiplan
