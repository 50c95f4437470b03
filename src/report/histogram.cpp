#include "histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "figures.hpp"
#include "text_table.hpp"

namespace quantiplan {
namespace {

constexpr double kIntervals = 14;  // at most, plus the outer two
constexpr double kTail = 0.002;
constexpr std::size_t kLineWidth = 78;  // 80 with the indentation of a result
constexpr std::size_t kProbabilityWidth = 11;

struct Bin {
  std::string label;
  std::vector<Value> masses;  // one per column
};

// The distinct wealth levels; not all of them once there are more than kMostLevels.
std::set<Rational> levels(const std::vector<NamedDistribution>& columns) {
  std::set<Rational> all;
  for (const auto& column : columns) {
    for (const Atom& atom : column.distribution->atoms) {
      all.insert(atom.wealth);
      if (all.size() > kMostLevels) return all;
    }
  }
  return all;
}

std::vector<Bin> bins_by_level(const std::vector<NamedDistribution>& columns,
                               const std::set<Rational>& all) {
  std::vector<Bin> bins;
  for (const Rational& level : all) {
    Bin bin{wealth_figure(level), {}};
    for (const auto& column : columns) {
      const auto& atoms = column.distribution->atoms;
      const auto atom = std::ranges::find(atoms, level, &Atom::wealth);
      bin.masses.push_back(atom == atoms.end() ? Value{0, Rational(0)} : atom->probability);
    }
    bins.push_back(std::move(bin));
  }
  return bins;
}

struct Range {
  double least;
  double greatest;
};

// Where the distribution is but for a share of kTail on either side: rare extremes would leave no
// room for the rest.
Range bulk(const Distribution& distribution) {
  const auto& atoms = distribution.atoms;
  std::size_t first = 0;
  std::size_t last = atoms.size() - 1;
  for (double mass = nearest(atoms[first].probability); mass < kTail && first < last;)
    mass += nearest(atoms[++first].probability);
  for (double mass = nearest(atoms[last].probability); mass < kTail && last > first;)
    mass += nearest(atoms[--last].probability);
  return {to_nearest_double(atoms[first].wealth), to_nearest_double(atoms[last].wealth)};
}

// The least 1, 2 or 5 times a power of ten that is at least x.
double round_step(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= x) return factor * power;
  return 10 * power;
}

// Intervals [a, b) with round edges over the bulk of all columns; the first and the last row take
// what lies outside. The edges are a matter of drawing: doubles suffice.
std::vector<Bin> bins_by_interval(const std::vector<NamedDistribution>& columns) {
  Range range = bulk(*columns.front().distribution);
  for (const auto& column : columns) {
    const Range other = bulk(*column.distribution);
    range.least = std::min(range.least, other.least);
    range.greatest = std::max(range.greatest, other.greatest);
  }
  const double spread = range.greatest - range.least;
  if (!std::isfinite(spread)) return {};
  // Where nearly all mass is on one level, that still gets an interval of its own.
  const double step = round_step(spread > 0 ? spread / kIntervals : 1);
  const double first = std::floor(range.least / step);
  const double count = std::floor(range.greatest / step) - first + 1;
  const auto edge = [&](double i) { return fmt::format("{:.6g}", (first + i) * step); };
  std::vector<Bin> bins;
  bins.push_back({"below " + edge(0), std::vector<Value>(columns.size())});
  for (double i = 0; i < count; ++i)
    bins.push_back({fmt::format("[{}, {})", edge(i), edge(i + 1)), bins[0].masses});
  bins.push_back({"from " + edge(count), bins[0].masses});
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const Atom& atom : columns[c].distribution->atoms) {
      const double place = std::floor(to_nearest_double(atom.wealth) / step) - first;
      const auto i = static_cast<std::size_t>(std::clamp(place, -1.0, count) + 1);
      bins[i].masses[c].nearest += nearest(atom.probability);
    }
  }
  std::erase_if(bins, [](const Bin& bin) {
    return std::ranges::all_of(bin.masses, [](const Value& mass) { return mass.nearest == 0; });
  });
  return bins;
}

std::vector<Bin> make_bins(const std::vector<NamedDistribution>& columns) {
  const std::set<Rational> all = levels(columns);
  return all.size() <= kMostLevels ? bins_by_level(columns, all) : bins_by_interval(columns);
}

std::string quantile_cell(const Distribution& distribution, const Rational& level, Side side) {
  return quantile_figure(distribution.quantile(level, side));
}

// The least or greatest total: a sample knows only how far it surely extends.
std::string extreme_cell(const Distribution& distribution, bool greatest) {
  const Rational& wealth =
      greatest ? distribution.atoms.back().wealth : distribution.atoms.front().wealth;
  const bool open = distribution.sample.has_value();
  return quantile_figure(
      {0, Side::lower, wealth, wealth + distribution.slack, open && !greatest, open && greatest});
}

}  // namespace

std::string quantile_rows(const std::vector<NamedDistribution>& columns,
                          Side side,
                          const std::vector<Rational>& extra) {
  std::set<Rational> all(extra.begin(), extra.end());
  for (const char* level : {"1/20", "1/4", "1/2", "3/4", "19/20"}) all.insert(Rational(level));
  all.erase(Rational(0));
  all.erase(Rational(1));
  std::vector<Column> headings{{fmt::format("{} quantile", to_text(side)), Align::left}};
  for (const auto& column : columns) headings.push_back({column.name, Align::right});
  TextTable table(headings);
  const auto add = [&](std::string label, auto&& cell) {
    std::vector<std::string> cells{std::move(label)};
    for (const auto& column : columns) cells.push_back(cell(*column.distribution));
    table.add(std::move(cells));
  };
  add("least", [](const Distribution& d) { return extreme_cell(d, false); });
  for (const Rational& level : all)
    add(to_text(level), [&](const Distribution& d) { return quantile_cell(d, level, side); });
  add("greatest", [](const Distribution& d) { return extreme_cell(d, true); });
  add("mean", mean_of);
  return table.text();
}

std::string mean_of(const Distribution& distribution) {
  if (distribution.slack == 0) return mean_figure(distribution.mean);
  const Rational least =
      distribution.mean.exact ? *distribution.mean.exact : Rational(distribution.mean.nearest);
  return bracket_figure(least, least + distribution.slack);
}

std::string distribution_notes(const Distribution& distribution) {
  std::string notes;
  if (const auto& sample = distribution.sample) {
    notes += fmt::format(
        "Simulated, not computed: {}, seed {}. With confidence {}, every probability of\n"
        "reaching a total is within {} of the share shown.\n",
        count_figure(sample->episodes, "episode", "episodes"),
        sample->seed,
        sample->confidence,
        size_figure(Rational(sample->band)));
  }
  if (distribution.slack > 0) {
    notes += fmt::format("Totals are rounded down: each stands for totals up to {} above it.\n",
                         size_figure(distribution.slack));
  }
  return notes;
}

std::string histogram_rows(const std::vector<NamedDistribution>& columns, bool unicode) {
  const std::vector<Bin> bins = make_bins(columns);
  double tallest = 0;
  std::size_t label_width = 5;
  for (const Bin& bin : bins) {
    label_width = std::max(label_width, display_width(bin.label));
    for (const Value& mass : bin.masses) tallest = std::max(tallest, nearest(mass));
  }
  if (bins.empty() || tallest == 0) return {};
  // Each distribution takes "  probability  bar".
  const std::size_t taken = label_width + columns.size() * (kProbabilityWidth + 4);
  const std::size_t room = kLineWidth > taken ? kLineWidth - taken : 0;
  const std::size_t width = std::clamp<std::size_t>(room / columns.size(), 4, 40);
  std::vector<Column> headings{{"total", Align::right}};
  for (const auto& column : columns) {
    headings.push_back({"probability", Align::right});
    headings.push_back({column.name, Align::left});
  }
  TextTable table(headings);
  for (const Bin& bin : bins) {
    std::vector<std::string> cells{bin.label};
    for (const Value& mass : bin.masses) {
      cells.push_back(nearest(mass) == 0 ? "" : probability_figure(mass));
      cells.push_back(bar(nearest(mass) / tallest, width, unicode));
    }
    table.add(std::move(cells));
  }
  return table.text();
}

}  // namespace quantiplan
