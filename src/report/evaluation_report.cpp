#include <fmt/format.h>

#include "base/quoted.hpp"
#include "quantiplan/report.hpp"
#include "report/counting.hpp"
#include "report/figures.hpp"
#include "report/heading.hpp"
#include "report/histogram.hpp"
#include "report/measures.hpp"
#include "report/report_json.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

std::string atoms_table(const Evaluation& evaluation, const ReportOptions& options) {
  const Counting counting(evaluation.model);
  TextTable table({{counting.heading()}, {counting.is_cost() ? "P(C = c)" : "P(W = w)"}});
  for (const Atom& atom : counting.entries(evaluation.distribution.atoms))
    table.add({wealth_figure(atom.wealth), probability_figure(atom.probability)});
  return table.text(options.most_rows, kMoreHint);
}

std::string quantiles_table(const Evaluation& evaluation) {
  const Counting counting(evaluation.model, evaluation.distribution.classes.get());
  TextTable table({{"tau", Align::left}, {"side", Align::left}, {"quantile"}});
  for (const QuantileOfDistribution& quantile : evaluation.quantiles) {
    table.add({to_text(quantile.tau),
               std::string(to_text(quantile.side)),
               counting.figure(counting.quantile(quantile))});
  }
  return table.text();
}

std::string at_least_table(const Evaluation& evaluation) {
  const Distribution& distribution = evaluation.distribution;
  const Counting counting(evaluation.model, distribution.classes.get());
  TextTable table({{counting.heading()}, {counting.reach()}});
  for (std::size_t i = 0; i < evaluation.at_least.size(); ++i) {
    const Atom& atom = evaluation.at_least[i];
    std::string figure = known_figure(atom.probability);
    if (is_open(distribution)) {
      const ProbabilityBracket bracket = distribution.at_least_bracket(atom.wealth);
      if (bracket.lower != bracket.upper) figure = probability_bracket_figure(bracket);
    }
    table.add(
        {counting.by_class() ? evaluation.levels[i] : wealth_figure(counting.shown(atom.wealth)),
         std::move(figure)});
  }
  return table.text();
}

// "5 different totals from -65 to -25; miss with probability 0.1".
std::string support_words(const Distribution& distribution, const Counting& counting) {
  std::string words;
  const std::vector<Atom> atoms = counting.entries(distribution.atoms);
  std::vector<const Atom*> numbers;
  for (const Atom& atom : atoms)
    if (atom.wealth.is_finite()) numbers.push_back(&atom);
  if (!numbers.empty()) {
    words += fmt::format(
        "; {} from {} to {}",
        count_figure(
            numbers.size(), counting.noun(), fmt::format("different {}s", counting.noun())),
        wealth_figure(numbers.front()->wealth),
        wealth_figure(numbers.back()->wealth));
  }
  for (const Atom& atom : atoms) {
    if (atom.wealth.is_finite()) continue;
    words += fmt::format(
        "; {} with probability {}", to_text(atom.wealth), probability_figure(atom.probability));
  }
  return words;
}

std::string summary_line(const Distribution& distribution, const Counting& counting) {
  return fmt::format("Mean {}{}{}\n\n",
                     mean_of(distribution, counting),
                     distribution.sample ? " of the sample" : "",
                     support_words(distribution, counting));
}

std::string totals_lines(const Evaluation& evaluation,
                         const Counting& counting,
                         const ReportOptions& options) {
  const Distribution& distribution = evaluation.distribution;
  std::string lines = summary_line(distribution, counting);
  lines += histogram_rows({{"", &distribution}}, counting, options.unicode) + '\n';
  // The histogram lists few totals one by one already; rounded or sampled ones are a list only
  // where all of it is wanted.
  const bool is_list = (distribution.slack == 0 && !distribution.sample) || options.most_rows == 0;
  if (is_list && distribution.atoms.size() > kMostLevels)
    lines += atoms_table(evaluation, options) + '\n';
  return lines;
}

// The mean, where there is one, and every class.
std::string classes_lines(const Distribution& distribution,
                          const Counting& counting,
                          const ReportOptions& options) {
  const std::string mean = mean_figure(distribution.mean);
  return (mean == "undefined" ? "" : fmt::format("Mean {}\n\n", mean)) +
         level_rows(distribution.atoms, "P(W = w)", counting, options) + '\n';
}

// A class is named as it was asked for: it need not be one that the policy meets.
std::string level_at_least_json(const Evaluation& evaluation,
                                std::size_t i,
                                const Counting& counting) {
  const bool is_numeric = counting.classes()->size() > 0 && counting.classes()->number(1);
  return atom_json(number_or_text_json(is_numeric, evaluation.levels[i]),
                   evaluation.at_least[i].probability);
}

}  // namespace

std::string evaluation_json(const Evaluation& evaluation) {
  const Counting counting(evaluation.model, evaluation.distribution.classes.get());
  ReportJson json("quantiplan-evaluation/1");
  json.model(evaluation.model).key("policy").text(evaluation.policy);
  json.entries("distribution", evaluation.distribution.atoms, counting);
  const bool is_sample = evaluation.distribution.sample.has_value();
  const Value mean = counting.mean(evaluation.distribution.mean);
  if (is_sample)
    json.key("mean").real(nearest(mean)).key("mean_is").text("estimate");
  else
    json.labelled("mean", mean);
  json.key("quantiles").begin_list();
  for (const QuantileOfDistribution& quantile : evaluation.quantiles) {
    json.begin_object().key("tau").text(to_text(quantile.tau));
    json.key("side").text(to_text(quantile.side)).key("quantile");
    json.raw(quantile.open_below ? "null" : counting.json(counting.shown(quantile.lower)));
    json.bracket(counting.quantile(quantile), counting).end_object();
  }
  json.end_list().key("at_least").begin_list();
  for (std::size_t i = 0; i < evaluation.at_least.size(); ++i) {
    json.raw(counting.by_class()
                 ? level_at_least_json(evaluation, i, counting)
                 : at_least_json(evaluation.at_least[i], evaluation.distribution, counting));
  }
  json.end_list();
  measures_json(json, evaluation.measures, evaluation.utility, counting, is_sample);
  return json.errors(evaluation.distribution, counting).finish();
}

std::string evaluation_text(const Evaluation& evaluation, const ReportOptions& options) {
  const Distribution& distribution = evaluation.distribution;
  const Counting counting(evaluation.model, distribution.classes.get());
  std::string text = model_line(evaluation.model);
  text += fmt::format("Policy {}\n\n", in_quotes(evaluation.policy));
  text += counting.by_class() ? classes_lines(distribution, counting, options)
                              : totals_lines(evaluation, counting, options);
  if (!evaluation.quantiles.empty()) text += quantiles_table(evaluation) + '\n';
  text += measures_text(evaluation.measures, evaluation.utility, counting);
  if (!evaluation.at_least.empty()) text += at_least_table(evaluation) + '\n';
  std::string notes = distribution_notes(distribution, counting);
  if (distribution.relative_error > 0 && !distribution.sample)
    notes += fmt::format("Relative error of the probabilities: at most {}\n",
                         size_figure(Rational(distribution.relative_error)));
  if (!notes.empty()) text += notes + '\n';
  text.pop_back();
  return text;
}

}  // namespace quantiplan
