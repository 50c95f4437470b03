#include <fmt/format.h>

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

std::string quantiles_table(const Frontier& frontier) {
  TextTable table(
      {{"tau", Align::left}, {"side", Align::left}, {"quantile"}, {"certificate", Align::left}});
  for (const FrontierQuantile& quantile : frontier.quantiles) {
    table.add({to_text(quantile.tau),
               std::string(to_text(quantile.side)),
               bracket_figure(quantile.quantile, quantile.upper),
               std::string(to_text(quantile.certificate))});
  }
  return table.text();
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
  json.key("steps").begin_list();
  for (const FrontierStep& step : frontier.steps)
    json.raw(atom_json(step.wealth, step.probability));
  json.end_list().key("relative_error").real(frontier.relative_error);
  json.key("quantiles").begin_list();
  for (const FrontierQuantile& quantile : frontier.quantiles) write_quantile(json, quantile);
  return json.end_list().engine(frontier.engine).work(frontier.work).finish();
}

std::string frontier_text(const Frontier& frontier, const ReportOptions& options) {
  std::string text = model_line(frontier.model) + '\n';
  if (frontier.status == Status::limit_reached) text += "Ended early, at a limit.\n";
  if (frontier.status == Status::interrupted) text += "Ended early, interrupted.\n";
  if (!frontier.steps.empty()) text += steps_table(frontier, options) + '\n';
  if (frontier.relative_error > 0) {
    text += fmt::format("Relative error of the probabilities: at most {:.2g}\n\n",
                        frontier.relative_error);
  }
  if (!frontier.quantiles.empty()) text += quantiles_table(frontier) + '\n';
  return text + work_lines(frontier.engine, frontier.work);
}

}  // namespace quantiplan
