#include "histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "figures.hpp"
#include "text_table.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kIntervals = 12;
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

// Equal intervals [a, b), the last one closed. The edges are a matter of drawing: doubles suffice.
std::vector<Bin> bins_by_interval(const std::vector<NamedDistribution>& columns,
                                  double least,
                                  double greatest) {
  const double step = (greatest - least) / kIntervals;
  std::vector<Bin> bins;
  for (std::size_t i = 0; i < kIntervals; ++i) {
    const double from = least + step * static_cast<double>(i);
    const bool last = i + 1 == kIntervals;
    bins.push_back(
        {fmt::format("[{:.5g}, {:.5g}{}", from, last ? greatest : from + step, last ? ']' : ')'),
         std::vector<Value>(columns.size())});
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const Atom& atom : columns[c].distribution->atoms) {
      const double place = (to_nearest_double(atom.wealth) - least) / step;
      const auto i = static_cast<std::size_t>(std::clamp(std::floor(place), 0.0, kIntervals - 1.0));
      bins[i].masses[c].nearest += nearest(atom.probability);
    }
  }
  return bins;
}

std::vector<Bin> make_bins(const std::vector<NamedDistribution>& columns) {
  const std::set<Rational> all = levels(columns);
  if (all.size() <= kMostLevels) return bins_by_level(columns, all);
  double least = std::numeric_limits<double>::infinity();
  double greatest = -least;
  for (const auto& column : columns) {
    const auto& atoms = column.distribution->atoms;
    least = std::min(least, to_nearest_double(atoms.front().wealth));
    greatest = std::max(greatest, to_nearest_double(atoms.back().wealth));
  }
  // Levels that doubles cannot tell apart have no histogram.
  if (!(greatest > least)) return {};
  return bins_by_interval(columns, least, greatest);
}

std::string quantile_cell(const Distribution& distribution, const Rational& level, Side side) {
  const QuantileOfDistribution quantile = distribution.quantile(level, side);
  return bracket_figure(quantile.lower, quantile.upper);
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
  add("least", [](const Distribution& d) { return wealth_figure(d.atoms.front().wealth); });
  for (const Rational& level : all)
    add(to_text(level), [&](const Distribution& d) { return quantile_cell(d, level, side); });
  add("greatest", [](const Distribution& d) { return wealth_figure(d.atoms.back().wealth); });
  add("mean", [](const Distribution& d) { return mean_figure(d.mean); });
  return table.text();
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
