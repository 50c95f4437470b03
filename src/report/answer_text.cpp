#include <fmt/format.h>

#include <algorithm>

#include "quantiplan/report.hpp"
#include "report/counting.hpp"
#include "report/criterion_report.hpp"
#include "report/figures.hpp"
#include "report/guarantee.hpp"
#include "report/heading.hpp"
#include "report/histogram.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

std::string level_cell(const Result& result, const Counting& counting) {
  if (!result.quantile) return "-";
  const Level& level = *result.quantile;
  if (!result.attained) return counting.figure(counting.shown(level)) + " (sup)";
  if (result.certificate == Certificate::none)
    return counting.figure(counting.shown(level)) + " (uncertified)";
  if (!result.upper)
    return counting.figure(counting.quantile({result.tau, result.side, level, level, false, true}));
  return counting.figure(counting.ends(level, *result.upper),
                         result.certificate == Certificate::tie);
}

// Every episode does at least as well as a miss: that has probability 1, and promises nothing.
std::string chance_cell(const Result& result, const Value& probability) {
  return result.quantile && result.quantile->is_miss() ? "-" : known_figure(probability);
}

void add_expectation_cells(const Result& result,
                           const Counting& counting,
                           std::vector<std::string>& cells) {
  const std::optional<ExpectationComparison>& other = result.expectation_policy;
  if (!other) {
    cells.insert(cells.end(), 3, "-");
    return;
  }
  cells.push_back(chance_cell(result, other->probability));
  if (!other->quantile) {
    cells.emplace_back("-");
  } else {
    cells.push_back(
        counting.figure(counting.ends(*other->quantile, other->upper.value_or(*other->quantile))));
  }
  cells.push_back(mean_figure(counting.mean(other->mean)));
}

// One row per question: the answer, then what the expectation-optimal policy does at the same q.
// Columns that would be empty are left out.
std::string results_table(const Answer& answer, const ReportOptions& options, std::size_t& rows) {
  const Counting counting(answer.model, answer.classes.get());
  const bool adversarial = answer.model.adversarial;
  const bool has_means =
      std::ranges::any_of(answer.results, [](const Result& r) { return r.mean.has_value(); });
  const bool is_compared = std::ranges::any_of(
      answer.results, [](const Result& r) { return r.expectation_policy.has_value(); });
  const std::string reach = counting.reach("q");
  std::vector<Column> columns{
      {"tau", Align::left},
      {"side", Align::left},
      {"quantile q", Align::right, adversarial ? "guaranteed" : "quantile-optimal"}};
  if (counting.by_class()) columns.push_back({"rank"});
  columns.push_back({reach});
  // The mean is that of a policy; of an adversarial answer, the adversary's.
  if (has_means) columns.push_back({"mean", Align::right, adversarial ? "adversary" : ""});
  if (is_compared) {
    columns.push_back({"  " + reach, Align::right, "  expectation-optimal"});
    columns.push_back({"quantile"});
    columns.push_back({"mean"});
  }
  TextTable table(columns);
  rows = told_in_time(answer.results, options, [&](const Result& result) {
    std::vector<std::string> cells{
        to_text(result.tau), std::string(to_text(result.side)), level_cell(result, counting)};
    if (counting.by_class())
      cells.push_back(result.quantile ? counting.rank_figure(*result.quantile) : "-");
    cells.push_back(result.probability ? chance_cell(result, *result.probability) : "-");
    if (has_means) cells.push_back(result.mean ? mean_figure(counting.mean(*result.mean)) : "-");
    if (is_compared) add_expectation_cells(result, counting, cells);
    table.add(std::move(cells));
  });
  return table.text();
}

std::string distribution_lines(const Result& result,
                               const ModelFacts& facts,
                               const ReportOptions& options) {
  const Distribution own = result.distribution();
  const Counting counting(facts, own.classes.get());
  if (counting.by_class()) return '\n' + level_rows(own.atoms, "P(W = w)", counting, options);
  std::vector<NamedDistribution> columns{{facts.adversarial ? "adversary" : "this policy", &own}};
  if (options.expectation != nullptr) columns.push_back({"expectation", options.expectation});
  std::string notes = distribution_notes(own, counting);
  if (!notes.empty()) notes = "\n" + notes;
  return fmt::format("\n{}\n{}{}",
                     quantile_rows(columns, result.side, counting, {result.tau}),
                     histogram_rows(columns, counting, options.unicode),
                     notes);
}

std::string result_lines(const Result& result, const Answer& answer, const ReportOptions& options) {
  const ModelFacts& facts = answer.model;
  std::string lines = fmt::format("\ntau {}, {} side ({}):\n",
                                  to_text(result.tau),
                                  to_text(result.side),
                                  to_text(result.certificate));
  constexpr std::size_t kWidth = kLineWidth - 2;  // the lines of a result are indented
  const bool by_class = Counting(facts, answer.classes.get()).by_class();
  std::string body;
  for (const std::string& sentence :
       {by_class ? class_sentence(result, answer) : guarantee_sentence(result, facts),
        by_class ? std::string() : width_sentence(result, answer.epsilon),
        mean_sentence(result, facts),
        next_class_sentence(result),
        mixed_sentence(result, facts),
        comparison_sentence(result, facts),
        goal_sentence(result, facts),
        result.quantile ? status_sentence(result, answer) : std::string()}) {
    if (!sentence.empty()) body += wrapped("", sentence, kWidth);
  }
  if (result.check) body += check_lines(*result.check, facts, kWidth);
  if (result.mixed && result.mixed->check && result.mixed->coin != 1)
    body += "The coin. " + check_lines(*result.mixed->check, facts, kWidth);
  if (options.distributions && result.distribution)
    body += distribution_lines(result, facts, options);
  return lines + indented(body);
}

}  // namespace

std::string answer_text(const Answer& answer, const ReportOptions& options) {
  if (is_about_criterion(answer)) return criterion_text(answer, options);
  std::size_t rows = 0;
  std::string text = model_line(answer.model) + '\n' + results_table(answer, options, rows);
  const std::size_t told = told_in_time(answer.results, options, [&](const Result& result) {
    text += result_lines(result, answer, options);
  });
  text += left_out_line(answer.results.size(), rows, told);
  return text + '\n' + work_lines(answer.engine, answer.work);
}

}  // namespace quantiplan
