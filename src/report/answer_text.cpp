#include <fmt/format.h>

#include "figures.hpp"
#include "guarantee.hpp"
#include "heading.hpp"
#include "histogram.hpp"
#include "quantiplan/report.hpp"
#include "text_table.hpp"

namespace quantiplan {
namespace {

std::string level_cell(const Result& result) {
  if (!result.quantile) return "-";
  if (!result.upper) return fmt::format("[{}, ?]", wealth_figure(*result.quantile));
  return result.certificate == Certificate::tie ? tie_figure(*result.quantile, *result.upper)
                                                : bracket_figure(*result.quantile, *result.upper);
}

std::string probability_cell(const Result& result) {
  if (!result.probability) return "-";
  return result.certificate == Certificate::bracket ? bound_figure(*result.probability)
                                                    : probability_figure(*result.probability);
}

void add_expectation_cells(const ExpectationComparison& other, std::vector<std::string>& cells) {
  cells.push_back(other.upper ? bound_figure(other.probability)
                              : probability_figure(other.probability));
  if (!other.quantile) {
    cells.emplace_back("-");
  } else {
    cells.push_back(bracket_figure(*other.quantile, other.upper.value_or(*other.quantile)));
  }
  cells.push_back(mean_figure(other.mean));
}

// One row per question: the answer, then what the expectation-optimal policy does at the same q.
std::string results_table(const Answer& answer) {
  TextTable table({{"tau", Align::left},
                   {"side", Align::left},
                   {"quantile q", Align::right, "quantile-optimal"},
                   {"P(W >= q)"},
                   {"mean"},
                   {"  P(W >= q)", Align::right, "  expectation-optimal"},
                   {"quantile"},
                   {"mean"}});
  for (const Result& result : answer.results) {
    std::vector<std::string> cells{to_text(result.tau),
                                   std::string(to_text(result.side)),
                                   level_cell(result),
                                   probability_cell(result),
                                   result.mean ? mean_figure(*result.mean) : "-"};
    if (const auto& other = result.expectation_policy) {
      add_expectation_cells(*other, cells);
    } else {
      cells.insert(cells.end(), 3, "-");
    }
    table.add(std::move(cells));
  }
  return table.text();
}

std::string check_lines(const CheckReport& report) {
  std::string lines =
      fmt::format("Independent check: {}{}.\n",
                  report.passed ? "passed" : "FAILED",
                  report.optimality_checked ? "" : " (optimality was not rechecked)");
  constexpr std::size_t kIndent = 2;  // of the lines of a result
  for (const std::string& finding : report.findings)
    lines += wrapped("  ", finding, kLineWidth - kIndent);
  return lines;
}

std::string distribution_lines(const Result& result, const ReportOptions& options) {
  const Distribution own = result.distribution();
  std::vector<NamedDistribution> columns{{"this policy", &own}};
  if (options.expectation != nullptr) columns.push_back({"expectation", options.expectation});
  std::string notes = distribution_notes(own);
  if (!notes.empty()) notes = "\n" + notes;
  return fmt::format("\n{}\n{}{}",
                     quantile_rows(columns, result.side, {result.tau}),
                     histogram_rows(columns, options.unicode),
                     notes);
}

std::string result_lines(const Result& result,
                         const std::optional<Rational>& epsilon,
                         const ReportOptions& options) {
  std::string lines = fmt::format("\ntau {}, {} side ({}):\n",
                                  to_text(result.tau),
                                  to_text(result.side),
                                  to_text(result.certificate));
  std::string body;
  for (const std::string& sentence : {guarantee_sentence(result),
                                      width_sentence(result, epsilon),
                                      comparison_sentence(result),
                                      status_sentence(result)}) {
    if (!sentence.empty()) body += sentence + '\n';
  }
  if (result.check) body += check_lines(*result.check);
  if (options.distributions && result.distribution) body += distribution_lines(result, options);
  return lines + indented(body);
}

}  // namespace

std::string answer_text(const Answer& answer, const ReportOptions& options) {
  std::string text = model_line(answer.model) + '\n' + results_table(answer);
  for (const Result& result : answer.results) text += result_lines(result, answer.epsilon, options);
  return text + '\n' + work_lines(answer.engine, answer.work);
}

}  // namespace quantiplan
