#include "report/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/figures.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

bool is_wealth(Measure measure) {
  return measure != Measure::utility && measure != Measure::standard_deviation;
}

bool is_by_tau(Measure measure) {
  return measure == Measure::quantile || measure == Measure::cvar || measure == Measure::evar;
}

ShownEnds shown_ends(const MeasuredValue& value, const Counting& counting) {
  const TotalBracket& bracket = *value.value;
  if (!is_wealth(value.measure)) return {bracket.lower, bracket.upper};
  return counting.ends(bracket.lower, bracket.upper);
}

std::string six_digits(const Total& total) {
  const double nearest = to_nearest_double(total.value());
  return nearest == 0 ? "0" : fmt::format("{:.6g}", nearest);
}

std::string end_json(const Total& end, bool is_exact, bool down) {
  if (!end.is_finite()) return total_json(end);
  if (is_exact && to_text(end).size() <= kMostExactCharacters) return total_json(end);
  return double_json(down ? double_below(end.value()) : double_above(end.value()));
}

// The middle of a bracket: the nearest double to what is known.
std::string value_json(const ShownEnds& ends) {
  if (ends.lower == ends.upper) return end_json(ends.lower, true, true);
  if (!ends.lower.is_finite() || !ends.upper.is_finite()) return "null";
  return double_json(to_nearest_double((ends.lower.value() + ends.upper.value()) / 2));
}

std::string row_name(const MeasuredValue& value, const std::string& utility) {
  switch (value.measure) {
    case Measure::standard_deviation:
      return "standard deviation";
    case Measure::worst_case:
      return "worst case";
    case Measure::best_case:
      return "best case";
    case Measure::entropic:
      return "entropic, beta " + to_text(*value.parameter);
    case Measure::utility:
      return "utility " + utility;
    default:
      return std::string(to_text(value.measure));
  }
}

// One row for each tau, one column for each measure that goes by it.
std::string by_tau_table(const std::vector<MeasuredValue>& values, const Counting& counting) {
  std::set<Rational> taus;
  std::vector<Measure> columns;
  for (const MeasuredValue& value : values) {
    if (!is_by_tau(value.measure) || value.measure == Measure::quantile) continue;
    taus.insert(*value.parameter);
    if (std::ranges::find(columns, value.measure) == columns.end())
      columns.push_back(value.measure);
  }
  if (columns.empty()) return "";
  std::vector<Column> headings = {{"tau", Align::left}};
  for (const Measure column : columns)
    headings.push_back({column == Measure::cvar ? "CVaR" : "EVaR"});
  TextTable table(headings);
  for (const Rational& tau : taus) {
    std::vector<std::string> row = {to_text(tau)};
    for (const Measure column : columns) {
      const auto found = std::ranges::find_if(values, [&](const MeasuredValue& value) {
        return value.measure == column && value.parameter == tau;
      });
      row.push_back(measure_figure(*found, counting));
    }
    table.add(row);
  }
  return table.text() + '\n';
}

std::string single_table(const std::vector<MeasuredValue>& values,
                         const std::string& utility,
                         const Counting& counting) {
  TextTable table({{"measure", Align::left}, {"value"}});
  bool is_empty = true;
  for (const MeasuredValue& value : values) {
    if (is_by_tau(value.measure)) continue;
    table.add({row_name(value, utility), measure_figure(value, counting)});
    is_empty = false;
  }
  return is_empty ? "" : table.text() + '\n';
}

// Why measures have no value, each reason once.
std::string missing_lines(const std::vector<MeasuredValue>& values) {
  std::vector<std::string> reasons;
  for (const MeasuredValue& value : values) {
    if (!value.value && std::ranges::find(reasons, value.why) == reasons.end())
      reasons.push_back(value.why);
  }
  std::string lines;
  for (const std::string& reason : reasons)
    lines += fmt::format("\"-\": not defined, for {}\n", reason);
  return lines.empty() ? "" : lines + '\n';
}

}  // namespace

std::string measure_figure(const MeasuredValue& value, const Counting& counting) {
  if (!value.value) return "-";
  const ShownEnds ends = shown_ends(value, counting);
  if (!ends.lower.is_finite() || !ends.upper.is_finite())
    return bracket_figure(ends.lower, ends.upper);
  if (ends.lower == ends.upper && to_text(ends.lower).size() <= 10) return to_text(ends.lower);
  std::string lower = six_digits(ends.lower);
  return lower == six_digits(ends.upper) ? lower : bracket_figure(ends.lower, ends.upper);
}

std::string measures_text(const std::vector<MeasuredValue>& values,
                          const std::string& utility,
                          const Counting& counting) {
  if (std::ranges::none_of(values, [](const MeasuredValue& v) { return v.value.has_value(); }))
    return "";
  return by_tau_table(values, counting) + single_table(values, utility, counting) +
         missing_lines(values);
}

std::string measured_ends_json(const ShownEnds& ends) {
  const bool is_exact = ends.lower == ends.upper;
  return fmt::format(
      "[{}, {}]", end_json(ends.lower, is_exact, true), end_json(ends.upper, is_exact, false));
}

void measures_json(ReportJson& json,
                   const std::vector<MeasuredValue>& values,
                   const std::string& utility,
                   const Counting& counting,
                   bool is_sample) {
  json.key("measures").begin_list();
  for (const MeasuredValue& value : values) {
    json.begin_object().key("measure").text(to_text(value.measure));
    if (value.parameter)
      json.key(value.measure == Measure::entropic ? "beta" : "tau").text(to_text(*value.parameter));
    if (value.measure == Measure::utility) json.key("utility").text(utility);
    if (value.value) {
      const ShownEnds ends = shown_ends(value, counting);
      json.key("value").raw(value_json(ends));
      json.key("is_exact").flag(!is_sample && value.value->is_exact());
      if (is_sample) json.key("is_estimate").flag(true);
      json.key("bracket");
      // Of the quantile alone a sample says where that of all episodes lies, with its confidence.
      json.raw(is_sample && value.measure != Measure::quantile ? "null" : measured_ends_json(ends));
    } else {
      json.key("value").null().key("why").text(value.why);
    }
    json.end_object();
  }
  json.end_list();
}

}  // namespace quantiplan
