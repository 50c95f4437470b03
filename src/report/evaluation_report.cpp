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
    table.add(
        {to_text(quantile.tau), std::string(to_text(quantile.side)), quantile_figure(quantile)});
  }
  return table.text();
}

std::string at_least_table(const Evaluation& evaluation) {
  const Distribution& distribution = evaluation.distribution;
  const bool is_open = distribution.slack > 0 || distribution.sample;
  TextTable table({{"total w"}, {"P(W >= w)"}});
  for (const Atom& atom : evaluation.at_least) {
    table.add({wealth_figure(atom.wealth),
               is_open ? probability_bracket_figure(distribution.at_least_bracket(atom.wealth))
                       : probability_figure(atom.probability)});
  }
  return table.text();
}

std::string summary_line(const Distribution& distribution) {
  return fmt::format("Mean {}{}; {} from {} to {}\n\n",
                     mean_of(distribution),
                     distribution.sample ? " of the sample" : "",
                     count_figure(distribution.atoms.size(), "total", "different totals"),
                     wealth_figure(distribution.atoms.front().wealth),
                     wealth_figure(distribution.atoms.back().wealth));
}

}  // namespace

std::string evaluation_json(const Evaluation& evaluation) {
  ReportJson json("quantiplan-evaluation/1");
  json.model(evaluation.model).key("policy").text(evaluation.policy);
  json.atoms("distribution", evaluation.distribution.atoms);
  json.value("mean", evaluation.distribution.mean).key("quantiles").begin_list();
  for (const QuantileOfDistribution& quantile : evaluation.quantiles) {
    json.begin_object().key("tau").text(to_text(quantile.tau));
    json.key("side").text(to_text(quantile.side)).key("quantile");
    if (quantile.open_below) {
      json.null();
    } else {
      json.exact(quantile.lower);
    }
    json.bracket(quantile).end_object();
  }
  json.end_list().key("at_least").begin_list();
  for (const Atom& atom : evaluation.at_least)
    json.raw(at_least_json(atom, evaluation.distribution));
  return json.end_list().errors(evaluation.distribution).finish();
}

std::string evaluation_text(const Evaluation& evaluation, const ReportOptions& options) {
  const Distribution& distribution = evaluation.distribution;
  std::string text = model_line(evaluation.model);
  text += fmt::format("Policy {}\n\n", quoted(evaluation.policy));
  text += summary_line(distribution);
  text += histogram_rows({{"", &distribution}}, options.unicode) + '\n';
  // The histogram lists few totals one by one already; rounded or sampled ones are a list only
  // where all of it is wanted.
  const bool is_list = (distribution.slack == 0 && !distribution.sample) || options.most_rows == 0;
  if (is_list && distribution.atoms.size() > kMostLevels)
    text += atoms_table(evaluation, options) + '\n';
  if (!evaluation.quantiles.empty()) text += quantiles_table(evaluation) + '\n';
  if (!evaluation.at_least.empty()) text += at_least_table(evaluation) + '\n';
  std::string notes = distribution_notes(distribution);
  if (distribution.relative_error > 0 && !distribution.sample)
    notes += fmt::format("Relative error of the probabilities: at most {}\n",
                         size_figure(Rational(distribution.relative_error)));
  if (!notes.empty()) text += notes + '\n';
  text.pop_back();
  return text;
}

}  // namespace quantiplan
