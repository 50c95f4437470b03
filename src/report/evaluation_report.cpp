#include <fmt/format.h>

#include "figures.hpp"
#include "heading.hpp"
#include "histogram.hpp"
#include "quantiplan/report.hpp"
#include "quoted.hpp"
#include "report_json.hpp"
#include "text_table.hpp"

namespace quantiplan {
namespace {

std::string atoms_table(const Evaluation& evaluation, const ReportOptions& options) {
  TextTable table({{"total w"}, {"P(W = w)"}});
  for (const Atom& atom : evaluation.distribution.atoms)
    table.add({wealth_figure(atom.wealth), probability_figure(atom.probability)});
  return table.text(options.most_rows, kMoreHint);
}

std::string quantiles_table(const Evaluation& evaluation) {
  TextTable table({{"tau", Align::left}, {"side", Align::left}, {"quantile"}});
  for (const QuantileOfDistribution& quantile : evaluation.quantiles) {
    table.add({to_text(quantile.tau),
               std::string(to_text(quantile.side)),
               bracket_figure(quantile.lower, quantile.upper)});
  }
  return table.text();
}

std::string at_least_table(const Evaluation& evaluation) {
  TextTable table({{"total w"}, {"P(W >= w)"}});
  for (const Atom& atom : evaluation.at_least)
    table.add({wealth_figure(atom.wealth), probability_figure(atom.probability)});
  return table.text();
}

}  // namespace

std::string evaluation_json(const Evaluation& evaluation) {
  ReportJson json("quantiplan-evaluation/1");
  json.model(evaluation.model).key("policy").text(evaluation.policy);
  json.atoms("distribution", evaluation.distribution.atoms);
  json.value("mean", evaluation.distribution.mean).key("quantiles").begin_list();
  for (const QuantileOfDistribution& quantile : evaluation.quantiles) {
    json.begin_object().key("tau").text(to_text(quantile.tau));
    json.key("side").text(to_text(quantile.side)).key("quantile").exact(quantile.lower);
    json.bracket(quantile.lower, quantile.upper).end_object();
  }
  json.end_list().atoms("at_least", evaluation.at_least);
  return json.key("relative_error").real(evaluation.distribution.relative_error).finish();
}

std::string evaluation_text(const Evaluation& evaluation, const ReportOptions& options) {
  const Distribution& distribution = evaluation.distribution;
  std::string text = model_line(evaluation.model);
  text += fmt::format("Policy {}\n\n", quoted(evaluation.policy));
  text += fmt::format("Mean {}; {} from {} to {}\n\n",
                      mean_figure(distribution.mean),
                      count_figure(distribution.atoms.size(), "total", "different totals"),
                      wealth_figure(distribution.atoms.front().wealth),
                      wealth_figure(distribution.atoms.back().wealth));
  text += histogram_rows({{"", &distribution}}, options.unicode) + '\n';
  // The histogram lists few totals one by one already.
  if (distribution.atoms.size() > kMostLevels) text += atoms_table(evaluation, options) + '\n';
  if (!evaluation.quantiles.empty()) text += quantiles_table(evaluation) + '\n';
  if (!evaluation.at_least.empty()) text += at_least_table(evaluation) + '\n';
  if (distribution.relative_error > 0) {
    text += fmt::format("Relative error of the probabilities: at most {:.2g}\n\n",
                        distribution.relative_error);
  }
  text.pop_back();
  return text;
}

}  // namespace quantiplan
