#include "report/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "report/figures.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

constexpr double kIntervals = 14;  // at most, plus the outer two
constexpr double kTail = 0.002;
constexpr std::size_t kHistogramWidth = 78;  // 80 with the indentation of a result
constexpr std::size_t kProbabilityWidth = 11;

struct Bin {
  std::string label;
  std::vector<Value> masses;  // one per column
};

// The distinct wealth levels; not all of them once there are more than kMostLevels.
std::set<Level> levels(const std::vector<NamedDistribution>& columns) {
  std::set<Level> all;
  for (const auto& column : columns) {
    for (const Atom& atom : column.distribution->atoms) {
      all.insert(atom.wealth);
      if (all.size() > kMostLevels) return all;
    }
  }
  return all;
}

// The masses at one level, a row of its own.
Bin bin_of(const std::vector<NamedDistribution>& columns,
           const Level& level,
           const Counting& counting) {
  Bin bin{wealth_figure(counting.shown(level)), {}};
  for (const auto& column : columns) {
    const auto& atoms = column.distribution->atoms;
    const auto atom = std::ranges::find(atoms, level, &Atom::wealth);
    bin.masses.push_back(atom == atoms.end() ? Value::exactly(0) : atom->probability);
  }
  return bin;
}

bool is_empty(const Bin& bin) {
  return std::ranges::all_of(bin.masses, [](const Value& mass) { return nearest(mass) == 0; });
}

struct Range {
  double least;
  double greatest;
};

// Where the numbers of a distribution are but for a share of kTail on either side: rare extremes
// would leave no room for the rest. In wealth; nullopt if there is no number.
std::optional<Range> bulk(const Distribution& distribution) {
  std::vector<const Atom*> atoms;
  for (const Atom& atom : distribution.atoms)
    if (atom.wealth.is_finite()) atoms.push_back(&atom);
  if (atoms.empty()) return std::nullopt;
  std::size_t first = 0;
  std::size_t last = atoms.size() - 1;
  for (double mass = nearest(atoms[first]->probability); mass < kTail && first < last;)
    mass += nearest(atoms[++first]->probability);
  for (double mass = nearest(atoms[last]->probability); mass < kTail && last > first;)
    mass += nearest(atoms[--last]->probability);
  return Range{to_nearest_double(atoms[first]->wealth.value()),
               to_nearest_double(atoms[last]->wealth.value())};
}

// The same of all columns, as it is shown.
std::optional<Range> bulk(const std::vector<NamedDistribution>& columns, const Counting& counting) {
  std::optional<Range> range;
  for (const auto& column : columns) {
    const std::optional<Range> other = bulk(*column.distribution);
    if (!other) continue;
    if (!range) range = other;
    range->least = std::min(range->least, other->least);
    range->greatest = std::max(range->greatest, other->greatest);
  }
  if (range && counting.is_cost()) return Range{-range->greatest, -range->least};
  return range;
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
std::vector<Bin> bins_by_interval(const std::vector<NamedDistribution>& columns,
                                  const Counting& counting) {
  const std::optional<Range> range = bulk(columns, counting);
  const double spread = range ? range->greatest - range->least : HUGE_VAL;
  if (!std::isfinite(spread)) return {};
  // Where nearly all mass is on one level, that still gets an interval of its own.
  const double step = round_step(spread > 0 ? spread / kIntervals : 1);
  const double first = std::floor(range->least / step);
  const double count = std::floor(range->greatest / step) - first + 1;
  const auto edge = [&](double i) { return fmt::format("{:.6g}", (first + i) * step); };
  std::vector<Bin> bins;
  bins.push_back({"below " + edge(0), std::vector<Value>(columns.size())});
  for (double i = 0; i < count; ++i)
    bins.push_back({fmt::format("[{}, {})", edge(i), edge(i + 1)), bins[0].masses});
  bins.push_back({"from " + edge(count), bins[0].masses});
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const Atom& atom : columns[c].distribution->atoms) {
      if (!atom.wealth.is_finite()) continue;
      const double shown = to_nearest_double(counting.shown(atom.wealth).value());
      const double place = std::floor(shown / step) - first;
      const auto i = static_cast<std::size_t>(std::clamp(place, -1.0, count) + 1);
      bins[i].masses[c].nearest += nearest(atom.probability);
    }
  }
  return bins;
}

std::vector<Bin> bins_by_level(const std::vector<NamedDistribution>& columns,
                               const std::set<Level>& all,
                               const Counting& counting) {
  std::vector<Bin> bins;
  bins.reserve(all.size());
  for (const Level& level : all) bins.push_back(bin_of(columns, level, counting));
  if (counting.is_cost()) std::ranges::reverse(bins);
  return bins;
}

std::vector<Bin> make_bins(const std::vector<NamedDistribution>& columns,
                           const Counting& counting) {
  const std::set<Level> all = levels(columns);
  if (all.size() <= kMostLevels) return bins_by_level(columns, all, counting);
  // What is no number stands before and after the intervals.
  std::vector<Bin> worst{bin_of(columns, Total::miss(), counting),
                         bin_of(columns, Total::minus_infinity(), counting)};
  std::vector<Bin> best{bin_of(columns, Total::plus_infinity(), counting)};
  if (counting.is_cost()) {
    std::ranges::reverse(worst);
    std::swap(worst, best);
  }
  std::vector<Bin> bins = std::move(worst);
  for (Bin& bin : bins_by_interval(columns, counting)) bins.push_back(std::move(bin));
  for (Bin& bin : best) bins.push_back(std::move(bin));
  std::erase_if(bins, is_empty);
  return bins;
}

std::string quantile_cell(const Distribution& distribution,
                          const Rational& level,
                          Side side,
                          const Counting& counting) {
  return Counting::figure(counting.quantile(distribution.quantile(level, side)));
}

// The best or the worst total: a sample knows only how far it surely extends.
std::string extreme_cell(const Distribution& distribution, bool best, const Counting& counting) {
  const Level& wealth = best ? distribution.atoms.back().wealth : distribution.atoms.front().wealth;
  QuantileOfDistribution extreme{0, Side::lower, wealth, wealth};
  if (!wealth.is_class() && wealth.is_finite())
    extreme.upper = Rational(wealth.value() + distribution.slack);
  extreme.open_below = distribution.sample && !best;
  extreme.open_above = distribution.sample && best;
  if (const auto& rest = distribution.rest) {
    if (best && rest->to > extreme.upper) extreme.upper = rest->to;
    if (!best && rest->from < extreme.lower) extreme.lower = rest->from;
  }
  return Counting::figure(counting.quantile(extreme));
}

}  // namespace

std::string quantile_rows(const std::vector<NamedDistribution>& columns,
                          Side side,
                          const Counting& counting,
                          const std::vector<Rational>& extra) {
  std::set<Rational> all(extra.begin(), extra.end());
  for (const char* level : {"1/20", "1/4", "1/2", "3/4", "19/20"}) all.insert(Rational(level));
  all.erase(Rational(0));
  all.erase(Rational(1));
  // The lower tau-quantile of wealth is, as a cost, the upper (1 - tau)-quantile of costs.
  const bool is_cost = counting.is_cost();
  const Side shown_side = !is_cost ? side : side == Side::lower ? Side::upper : Side::lower;
  std::vector<Column> headings{
      {fmt::format("{} quantile{}", to_text(shown_side), is_cost ? " of costs" : ""), Align::left}};
  for (const auto& column : columns) headings.push_back({column.name, Align::right});
  TextTable table(headings);
  const auto add = [&](std::string label, auto&& cell) {
    std::vector<std::string> cells{std::move(label)};
    for (const auto& column : columns) cells.push_back(cell(*column.distribution));
    table.add(std::move(cells));
  };
  add("least", [&](const Distribution& d) { return extreme_cell(d, is_cost, counting); });
  std::vector<Rational> taus(all.begin(), all.end());
  if (is_cost) std::ranges::reverse(taus);
  for (const Rational& tau : taus) {
    add(to_text(is_cost ? Rational(1 - tau) : tau),
        [&](const Distribution& d) { return quantile_cell(d, tau, side, counting); });
  }
  add("greatest", [&](const Distribution& d) { return extreme_cell(d, !is_cost, counting); });
  add("mean", [&](const Distribution& d) { return mean_of(d, counting); });
  return table.text();
}

std::string mean_of(const Distribution& distribution, const Counting& counting) {
  const Value& mean = distribution.mean;
  // That of a distribution is of the totals as they are.
  if (distribution.slack == 0 || !distribution.sample || !std::isfinite(nearest(mean)))
    return mean_figure(counting.mean(mean));
  const Rational least = mean.exact ? *mean.exact : Rational(mean.nearest);
  const ShownEnds ends = counting.ends(least, Rational(least + distribution.slack));
  return bracket_figure(ends.lower, ends.upper);
}

std::string distribution_notes(const Distribution& distribution, const Counting& counting) {
  const bool is_cost = counting.is_cost();
  std::string notes;
  if (const auto& sample = distribution.sample) {
    notes += fmt::format(
        "Simulated, not computed: {}, seed {}. With confidence {}, every probability of\n"
        "{} is within {} of the share shown.\n",
        count_figure(sample->episodes, "episode", "episodes"),
        sample->seed,
        sample->confidence,
        is_cost ? "keeping to a cost" : "reaching a total",
        size_figure(Rational(sample->band)));
  }
  if (distribution.slack > 0) {
    notes += fmt::format("{}s are rounded {}: each stands for {}s up to {} {} it.\n",
                         is_cost ? "Cost" : "Total",
                         is_cost ? "up" : "down",
                         counting.noun(),
                         size_figure(distribution.slack),
                         is_cost ? "below" : "above");
  }
  if (const auto& rest = distribution.rest) {
    const ShownEnds ends = counting.ends(rest->from, rest->to);
    const BracketFigures figures = bracket_figures(ends.lower, ends.upper);
    notes +=
        fmt::format("A probability of at most {} was not followed to its end: {}s from {} to {}.\n",
                    size_figure(Rational(rest->probability)),
                    counting.noun(),
                    figures.lower,
                    figures.upper);
  }
  return notes;
}

std::string histogram_rows(const std::vector<NamedDistribution>& columns,
                           const Counting& counting,
                           bool unicode) {
  const std::vector<Bin> bins = make_bins(columns, counting);
  double tallest = 0;
  std::size_t label_width = 5;
  for (const Bin& bin : bins) {
    label_width = std::max(label_width, display_width(bin.label));
    for (const Value& mass : bin.masses) tallest = std::max(tallest, nearest(mass));
  }
  if (bins.empty() || tallest == 0) return {};
  // Each distribution takes "  probability  bar".
  const std::size_t taken = label_width + columns.size() * (kProbabilityWidth + 4);
  const std::size_t room = kHistogramWidth > taken ? kHistogramWidth - taken : 0;
  const std::size_t width = std::clamp<std::size_t>(room / columns.size(), 4, 40);
  std::vector<Column> headings{{std::string(counting.noun()), Align::right}};
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
