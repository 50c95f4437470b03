#include <fmt/format.h>

#include <algorithm>

#include "quantiplan/report.hpp"
#include "report/counting.hpp"
#include "report/figures.hpp"
#include "report/heading.hpp"
#include "report/promise.hpp"
#include "report/report_json.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

// By level, what promising it takes; by probability, that of the one level.
std::string opening_lines(const Tradeoff& tradeoff) {
  const Counting counting(tradeoff.model);
  if (tradeoff.points.empty()) return {};
  const std::string reach = counting.reach(tradeoff.tau ? "q" : "y");
  if (!tradeoff.tau) {
    return wrapped("",
                   fmt::format("What {} costs in the mean, for y = {}:",
                               reach,
                               wealth_figure(counting.shown(tradeoff.points.front().level), 48)),
                   kLineWidth);
  }
  return wrapped("",
                 fmt::format("What it costs in the mean to promise {} {} {}, level by level:",
                             reach,
                             tradeoff.side == Side::lower ? ">" : ">=",
                             to_text(Rational(1 - *tradeoff.tau))),
                 kLineWidth);
}

// Rows in the order in which the price rises.
std::string points_table(const Tradeoff& tradeoff, const ReportOptions& options) {
  const Counting counting(tradeoff.model);
  const bool by_level = tradeoff.tau.has_value();
  std::vector<Column> columns;
  if (by_level) columns.push_back({counting.is_cost() ? "cost q" : "level q"});
  columns.push_back({counting.reach(by_level ? "q" : "y")});
  columns.push_back({counting.is_cost() ? "mean cost" : "mean"});
  columns.push_back({counting.is_cost() ? "none has less than" : "none has more than"});
  TextTable table(columns);
  for (const TradeoffPoint& point : tradeoff.points) {
    std::vector<std::string> cells;
    if (by_level) cells.push_back(wealth_figure(counting.shown(point.level)));
    cells.push_back(known_figure(point.probability));
    cells.push_back(mean_figure(counting.mean(point.mean)));
    cells.push_back(mean_bound_figure(counting.mean(point.mean_bound), counting.is_cost()));
    table.add(std::move(cells));
  }
  return table.text(options.most_rows, kMoreHint);
}

std::string notes(const Tradeoff& tradeoff) {
  std::string text;
  if (tradeoff.tau && tradeoff.levels > tradeoff.points.size() && tradeoff.points.size() > 1) {
    text += fmt::format("{} of {} levels, spread evenly (--rows asks for more).\n",
                        tradeoff.points.size(),
                        tradeoff.levels);
  }
  if (!tradeoff.tau && tradeoff.above && tradeoff.points.size() > 1) {
    const Counting counting(tradeoff.model);
    const bool is_sharp = tradeoff.above->exact && *tradeoff.above->exact == 0;
    text +=
        wrapped("",
                "Between two rows a coin between their policies attains every point of the line; " +
                    (is_sharp ? std::string("no policy lies beyond it.")
                              : fmt::format("no policy has a mean that is {} by more than {}.",
                                            counting.is_cost() ? "less" : "greater",
                                            size_figure(tradeoff.above->greatest()))),
                kLineWidth);
  }
  return text;
}

void write_point(ReportJson& json, const TradeoffPoint& point, const Counting& counting) {
  json.begin_object().key("level").total(counting.shown(point.level));
  json.probability(point.probability);
  json.labelled("mean", counting.mean(point.mean));
  json.value("mean_bound", counting.mean(point.mean_bound)).end_object();
}

}  // namespace

std::string tradeoff_json(const Tradeoff& tradeoff) {
  const Counting counting(tradeoff.model);
  ReportJson json("quantiplan-tradeoff/1");
  json.model(tradeoff.model).key("status").text(to_text(tradeoff.status));
  json.key("tau").text_or_null(tradeoff.tau ? to_text(*tradeoff.tau) : std::string());
  json.key("side").text_or_null(tradeoff.tau ? to_text(tradeoff.side) : std::string_view());
  json.key("points").begin_list();
  for (const TradeoffPoint& point : tradeoff.points) write_point(json, point, counting);
  json.end_list();
  if (tradeoff.tau) json.key("levels").count(tradeoff.levels);
  if (!tradeoff.tau) json.optional_value("above", tradeoff.above);
  return json.engine(tradeoff.engine).work(tradeoff.work).finish();
}

std::string tradeoff_csv(const Tradeoff& tradeoff) {
  const Counting counting(tradeoff.model);
  std::string text = "level,probability,mean,mean_bound\n";
  for (const TradeoffPoint& point : tradeoff.points) {
    text += fmt::format("{},{},{},{}\n",
                        to_text(counting.shown(point.level)),
                        point.probability.nearest,
                        counting.mean(point.mean).nearest,
                        counting.mean(point.mean_bound).nearest);
  }
  return text;
}

std::string tradeoff_text(const Tradeoff& tradeoff, const ReportOptions& options) {
  std::string text = model_line(tradeoff.model) + '\n';
  if (tradeoff.status == Status::limit_reached) text += "Ended early, at a limit.\n";
  if (tradeoff.status == Status::interrupted) text += "Ended early, interrupted.\n";
  if (tradeoff.points.empty()) {
    text += "Nothing is known yet: the call ended too early.\n\n";
  } else {
    text += opening_lines(tradeoff) + '\n' + points_table(tradeoff, options) + '\n';
    const std::string said = notes(tradeoff);
    if (!said.empty()) text += said + '\n';
  }
  return text + work_lines(tradeoff.engine, tradeoff.work);
}

}  // namespace quantiplan
