#include "sampled.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rounding_bound.hpp"

namespace quantiplan {

namespace {

// A miss has no place on the line: it leaves a mean undefined.
double as_double(const Total& total) {
  switch (total.kind()) {
    case Total::Kind::miss:
      return std::numeric_limits<double>::quiet_NaN();
    case Total::Kind::minus_infinity:
      return -std::numeric_limits<double>::infinity();
    case Total::Kind::plus_infinity:
      return std::numeric_limits<double>::infinity();
    case Total::Kind::finite:
      break;
  }
  return to_nearest_double(total.value());
}

}  // namespace

double simulation_band(std::uint64_t episodes, double confidence) {
  const double band =
      std::sqrt(std::log(2 / (1 - confidence)) / (2 * static_cast<double>(episodes)));
  // A few roundings, each far below this; a band that is too wide is still true.
  return std::min(1.0, band * (1 + 0x1p-40));
}

Distribution sampled_distribution(const std::vector<Episode>& episodes,
                                  std::uint64_t seed,
                                  double confidence) {
  // Rest of an episode that was cut short: [wealth - slack, wealth + slack], as one slack for all.
  Rational slack = 0;
  std::vector<const Total*> totals;
  totals.reserve(episodes.size());
  for (const Episode& episode : episodes) {
    totals.push_back(&episode.wealth);
    if (episode.slack > slack) slack = episode.slack;
  }
  std::ranges::sort(totals, [](const Total* a, const Total* b) { return *a < *b; });
  Distribution d;
  d.slack = 2 * slack;
  const auto count = static_cast<double>(episodes.size());
  for (std::size_t begin = 0; begin < totals.size();) {
    const Total& total = *totals[begin];
    std::size_t end = begin + 1;
    while (end < totals.size() && *totals[end] == total) ++end;
    const double share = static_cast<double>(end - begin) / count;
    d.mean.nearest += as_double(total) * share;
    d.atoms.push_back({total.is_finite() ? Total(Rational(total.value() - slack)) : total,
                       {share, std::nullopt}});
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
