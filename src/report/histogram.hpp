// Distributions side by side for a terminal: quantiles at several levels, and bars.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "quantiplan/distribution.hpp"
#include "quantiplan/query.hpp"
#include "report/counting.hpp"

namespace quantiplan {

// More wealth levels than this are put in intervals.
inline constexpr std::size_t kMostLevels = 16;

struct NamedDistribution {
  std::string name;
  const Distribution* distribution = nullptr;
};

// One row per level, with the mean: "0.05  -55  -70". Levels are those usual for risk, and `extra`
// where it is given and not among them.
std::string quantile_rows(const std::vector<NamedDistribution>& columns,
                          Side side,
                          const Counting& counting,
                          const std::vector<Rational>& extra = {});

// The mean, or a bracket of it where totals are rounded.
std::string mean_of(const Distribution& distribution, const Counting& counting);

// What totals that are rounded, sampled or not followed to their end leave open, a line each; empty
// if nothing is open.
std::string distribution_notes(const Distribution& distribution, const Counting& counting);

// One row per level, or per interval where there are many levels; what is no number has rows of its
// own. Fits 80 columns.
std::string histogram_rows(const std::vector<NamedDistribution>& columns,
                           const Counting& counting,
                           bool unicode);

}  // namespace quantiplan
