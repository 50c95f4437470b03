#include "evaluate/sampled.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluate/infinite/mass_error.hpp"

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

Distribution sampled_distribution(const EpisodeTally& episodes,
                                  std::uint64_t seed,
                                  double confidence) {
  // Rest of an episode that was cut short: [wealth - slack, wealth + slack], as one slack for all.
  Distribution d;
  d.slack = 2 * episodes.slack;
  const auto count = static_cast<double>(episodes.episodes);
  for (const EpisodeTally::Entry& entry : episodes.totals) {
    const Total& total = entry.wealth;
    const double share = static_cast<double>(entry.count) / count;
    d.mean.nearest += as_double(total) * share;
    d.atoms.push_back({total.is_finite() ? Total(Rational(total.value() - episodes.slack)) : total,
                       {share, std::nullopt}});
  }
  // A share is rounded once, and once more for each that is added to it.
  d.relative_error = relative_after(Integer(d.atoms.size()));
  d.sample =
      Sample{episodes.episodes, seed, confidence, simulation_band(episodes.episodes, confidence)};
  return d;
}

}  // namespace quantiplan
