#include <fmt/format.h>

#include <algorithm>

#include "figures.hpp"
#include "heading.hpp"
#include "quantiplan/report.hpp"
#include "report_json.hpp"
#include "text_table.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kBarWidth = 40;

std::string steps_table(const Frontier& frontier, const ReportOptions& options) {
  TextTable table({{"total w"}, {"best P(W >= w)"}, {"", Align::left}});
  for (const FrontierStep& step : frontier.steps) {
    table.add({wealth_figure(step.wealth),
               probability_figure(step.probability),
               bar(nearest(step.probability), kBarWidth, options.unicode)});
  }
  return table.text(options.most_rows, kMoreHint);
}

// The value of a curve at a level: that of the first step at or above it, 0 beyond the last.
Value value_at(const std::vector<FrontierStep>& steps, const Rational& wealth) {
  const auto step =
      std::ranges::partition_point(steps, [&](const FrontierStep& s) { return s.wealth < wealth; });
  return step == steps.end() ? Value{0, Rational(0)} : step->probability;
}

// Two curves: rows spread evenly over the steps of the lower one, which shows its shape however
// many there are.
std::string bracket_table(const Frontier& frontier, const ReportOptions& options) {
  TextTable table(
      {{"total w"}, {"at least", Align::right, "best P(W >= w)"}, {"at most"}, {"", Align::left}});
  const std::size_t count = frontier.steps.size();
  const std::size_t rows =
      options.most_rows == 0 ? count : std::min(count, std::max<std::size_t>(2, options.most_rows));
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t at = rows == 1 ? 0 : i * (count - 1) / (rows - 1);
    const FrontierStep& step = frontier.steps[at];
    table.add({wealth_figure(step.wealth),
               lower_bound_figure(step.probability),
               upper_bound_figure(value_at(frontier.upper_steps, step.wealth)),
               bar(nearest(step.probability), kBarWidth, options.unicode)});
  }
  std::string text = table.text();
  if (rows < count) text += fmt::format("{} of {} levels{}\n", rows, count, kMoreHint);
  return text;
}

std::string quantiles_table(const Frontier& frontier) {
  TextTable table(
      {{"tau", Align::left}, {"side", Align::left}, {"quantile"}, {"certificate", Align::left}});
  for (const FrontierQuantile& quantile : frontier.quantiles) {
    table.add({to_text(quantile.tau),
               std::string(to_text(quantile.side)),
               quantile.certificate == Certificate::tie
                   ? tie_figure(quantile.quantile, quantile.upper)
                   : bracket_figure(quantile.quantile, quantile.upper),
               std::string(to_text(quantile.certificate))});
  }
  return table.text();
}

void write_steps(ReportJson& json, const std::vector<FrontierStep>& steps) {
  json.begin_list();
  for (const FrontierStep& step : steps) json.raw(atom_json(step.wealth, step.probability));
  json.end_list();
}

void write_quantile(ReportJson& json, const FrontierQuantile& quantile) {
  json.begin_object();
  json.key("tau").text(to_text(quantile.tau)).key("side").text(to_text(quantile.side));
  json.key("quantile").exact(quantile.quantile).bracket(quantile.quantile, quantile.upper);
  json.key("certificate").text(to_text(quantile.certificate)).end_object();
}

}  // namespace

std::string frontier_json(const Frontier& frontier) {
  ReportJson json("quantiplan-frontier/1");
  json.model(frontier.model).key("status").text(to_text(frontier.status));
  json.epsilon(frontier.epsilon).key("steps");
  write_steps(json, frontier.steps);
  json.key("upper_steps");
  if (frontier.upper_steps.empty()) {
    json.null();
  } else {
    write_steps(json, frontier.upper_steps);
  }
  json.key("relative_error").real(frontier.relative_error);
  json.key("quantiles").begin_list();
  for (const FrontierQuantile& quantile : frontier.quantiles) write_quantile(json, quantile);
  return json.end_list().engine(frontier.engine).work(frontier.work).finish();
}

std::string frontier_text(const Frontier& frontier, const ReportOptions& options) {
  std::string text = model_line(frontier.model) + '\n';
  if (frontier.status == Status::limit_reached) text += "Ended early, at a limit.\n";
  if (frontier.status == Status::interrupted) text += "Ended early, interrupted.\n";
  if (!frontier.steps.empty()) {
    text += frontier.upper_steps.empty() ? steps_table(frontier, options)
                                         : bracket_table(frontier, options);
    text += '\n';
  }
  if (frontier.relative_error > 0) {
    text += fmt::format("Relative error of the probabilities: at most {:.2g}\n\n",
                        frontier.relative_error);
  }
  if (!frontier.quantiles.empty()) text += quantiles_table(frontier) + '\n';
  return text + work_lines(frontier.engine, frontier.work);
}

}  // namespace quantiplan
