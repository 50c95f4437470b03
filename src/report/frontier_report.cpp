#include <fmt/format.h>

#include <algorithm>

#include "quantiplan/report.hpp"
#include "report/counting.hpp"
#include "report/figures.hpp"
#include "report/heading.hpp"
#include "report/histogram.hpp"
#include "report/report_json.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kStepBarWidth = 40;

// "best P(W >= w)", or what is guaranteed of it.
std::string curve_heading(const Frontier& frontier) {
  return fmt::format("{} {}",
                     frontier.model.adversarial ? "guaranteed" : "best",
                     Counting(frontier.model).reach());
}

// The value of a curve at a level: that of the first step at or above it, 0 beyond the last.
Value value_at(const std::vector<FrontierStep>& steps, const Total& wealth) {
  const auto step =
      std::ranges::partition_point(steps, [&](const FrontierStep& s) { return s.wealth < wealth; });
  return step == steps.end() ? Value::exactly(0) : step->probability;
}

// Two curves: rows spread evenly over the steps of the lower one, which shows its shape however
// many there are.
std::string bracket_table(const Frontier& frontier, const ReportOptions& options) {
  const Counting counting(frontier.model);
  TextTable table({{counting.heading()},
                   {"at least", Align::right, curve_heading(frontier)},
                   {"at most"},
                   {"", Align::left}});
  const std::size_t count = frontier.steps.size();
  const std::size_t rows =
      options.most_rows == 0 ? count : std::min(count, std::max<std::size_t>(2, options.most_rows));
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t at = rows == 1 ? 0 : i * (count - 1) / (rows - 1);
    const FrontierStep& step = frontier.steps[counting.is_cost() ? count - 1 - at : at];
    table.add({wealth_figure(counting.shown(step.wealth)),
               lower_bound_figure(step.probability),
               upper_bound_figure(value_at(frontier.upper_steps, step.wealth)),
               bar(nearest(step.probability), kStepBarWidth, options.unicode)});
  }
  std::string text = table.text();
  if (rows < count) text += fmt::format("{} of {} levels{}\n", rows, count, kMoreHint);
  return text;
}

std::string quantiles_table(const Frontier& frontier) {
  const Counting counting(frontier.model, frontier.classes.get());
  std::vector<Column> columns{{"tau", Align::left}, {"side", Align::left}, {"quantile"}};
  if (counting.by_class()) columns.push_back({"rank"});
  columns.push_back({"certificate", Align::left});
  TextTable table(columns);
  for (const FrontierQuantile& quantile : frontier.quantiles) {
    std::vector<std::string> cells{to_text(quantile.tau),
                                   std::string(to_text(quantile.side)),
                                   counting.figure(counting.ends(quantile.quantile, quantile.upper),
                                                   quantile.certificate == Certificate::tie)};
    if (counting.by_class()) cells.push_back(counting.rank_figure(quantile.quantile));
    cells.emplace_back(to_text(quantile.certificate));
    table.add(std::move(cells));
  }
  return table.text();
}

// Where the curve was left, which need not be its end; empty if all of it is there.
std::string upto_line(const Frontier& frontier) {
  if (!frontier.upto) return {};
  const Counting counting(frontier.model);
  const auto is_above = [&](const FrontierStep& step) {
    return step.wealth.is_finite() && step.wealth > *frontier.upto;
  };
  const bool is_below = std::ranges::any_of(frontier.steps, is_above) || counting.is_cost();
  return fmt::format("The curve was followed {} to a {} of {}, and goes on beyond it.\n\n",
                     is_below != counting.is_cost() ? "down" : "up",
                     counting.noun(),
                     wealth_figure(counting.shown(*frontier.upto)));
}

void write_quantile(ReportJson& json, const FrontierQuantile& quantile, const Counting& counting) {
  json.begin_object();
  json.key("tau").text(to_text(quantile.tau)).key("side").text(to_text(quantile.side));
  json.quantile(quantile.quantile, counting);
  json.bracket(counting.ends(quantile.quantile, quantile.upper), counting);
  json.key("certificate").text(to_text(quantile.certificate)).end_object();
}

// What only curves over numbers have: a second curve, and a level they were followed to.
void write_bounds(ReportJson& json, const Frontier& frontier, const Counting& counting) {
  if (frontier.upper_steps.empty()) {
    json.key("upper_steps").null();
  } else {
    json.entries("upper_steps", frontier.upper_steps, counting);
  }
  json.key("upto").raw(frontier.upto ? total_json(counting.shown(*frontier.upto)) : "null");
}

}  // namespace

std::string frontier_json(const Frontier& frontier) {
  const Counting counting(frontier.model, frontier.classes.get());
  ReportJson json("quantiplan-frontier/1");
  json.model(frontier.model).key("status").text(to_text(frontier.status));
  json.measure(frontier.epsilon, counting).entries("steps", frontier.steps, counting);
  if (!counting.by_class()) write_bounds(json, frontier, counting);
  json.key("relative_error").real(frontier.relative_error);
  json.key("quantiles").begin_list();
  for (const FrontierQuantile& quantile : frontier.quantiles)
    write_quantile(json, quantile, counting);
  return json.end_list().engine(frontier.engine).work(frontier.work).finish();
}

std::string frontier_text(const Frontier& frontier, const ReportOptions& options) {
  const Counting counting(frontier.model, frontier.classes.get());
  std::string text = model_line(frontier.model) + '\n';
  if (frontier.status == Status::limit_reached) text += "Ended early, at a limit.\n";
  if (frontier.status == Status::interrupted) text += "Ended early, interrupted.\n";
  if (frontier.status == Status::unsettled)
    text += wrapped("Unsettled: ", frontier.engine.left_open + ".", kLineWidth);
  if (!frontier.steps.empty()) {
    text += frontier.upper_steps.empty()
                ? level_rows(frontier.steps, curve_heading(frontier), counting, options)
                : bracket_table(frontier, options);
    text += '\n';
  }
  text += upto_line(frontier);
  if (frontier.relative_error > 0) {
    text += fmt::format("Relative error of the probabilities: at most {:.2g}\n\n",
                        frontier.relative_error);
  }
  if (!frontier.quantiles.empty()) text += quantiles_table(frontier) + '\n';
  return text + work_lines(frontier.engine, frontier.work);
}

}  // namespace quantiplan
