// Distributions side by side for a terminal: quantiles at several levels, and bars.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "quantiplan/distribution.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/report.hpp"
#include "report/counting.hpp"
#include "report/figures.hpp"
#include "report/heading.hpp"
#include "report/text_table.hpp"

namespace quantiplan {

// More wealth levels than this are put in intervals.
inline constexpr std::size_t kMostLevels = 16;

struct NamedDistribution {
  std::string name;
  const Distribution* distribution = nullptr;
};

// One row per level, with the mean: "0.05  -55  -70". Levels are those usual for risk, and `extra`
// where it is given and not among them; of costs the levels are 1 - tau, so that costs ascend.
std::string quantile_rows(const std::vector<NamedDistribution>& columns,
                          Side side,
                          const Counting& counting,
                          const std::vector<Rational>& extra = {});

// The mean, or a bracket of it where totals are rounded.
std::string mean_of(const Distribution& distribution, const Counting& counting);

// What totals that are rounded, sampled or not followed to their end leave open, a line each; empty
// if nothing is open.
std::string distribution_notes(const Distribution& distribution, const Counting& counting);

// One row per atom or step, with a bar; of the steps of a curve over classes, their ranks as well.
template <class Entry>
std::string level_rows(const std::vector<Entry>& entries,
                       const std::string& heading,
                       const Counting& counting,
                       const ReportOptions& options) {
  constexpr std::size_t kBarWidth = 40;
  const bool has_ranks = counting.by_class() && std::is_same_v<Entry, FrontierStep>;
  std::vector<Column> columns{{counting.heading()}};
  if (has_ranks) columns.push_back({"rank"});
  columns.push_back({heading});
  columns.push_back({"", Align::left});
  TextTable table(columns);
  for (const Entry& entry : counting.entries(entries)) {
    std::vector<std::string> cells{counting.figure(entry.wealth)};
    if (has_ranks) cells.push_back(counting.rank_figure(entry.wealth));
    cells.push_back(counting.by_class() ? known_figure(entry.probability)
                                        : probability_figure(entry.probability));
    cells.push_back(bar(nearest(entry.probability), kBarWidth, options.unicode));
    table.add(std::move(cells));
  }
  return table.text(options.most_rows, kMoreHint);
}

// One row per level, or per interval where there are many levels; what is no number has rows of its
// own. Fits 80 columns.
std::string histogram_rows(const std::vector<NamedDistribution>& columns,
                           const Counting& counting,
                           bool unicode);

}  // namespace quantiplan
