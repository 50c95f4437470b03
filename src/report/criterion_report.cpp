#include "report/criterion_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quantiplan/comparison.hpp"
#include "quantiplan/criteria.hpp"
#include "report/counting.hpp"
#include "report/figures.hpp"
#include "report/guarantee.hpp"
#include "report/heading.hpp"
#include "report/histogram.hpp"
#include "report/measures.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

using Kind = Criterion::Kind;

// As a cost, where it is in units of wealth and these are costs.
ShownEnds shown_ends(const CriterionOptimum& optimum, const ModelFacts& facts) {
  if (!optimum.criterion.is_wealth()) return {optimum.lower, optimum.upper};
  return Counting(facts).ends(optimum.lower, optimum.upper);
}
Total shown_value(const CriterionOptimum& optimum, const ModelFacts& facts) {
  return optimum.criterion.is_wealth() ? Counting(facts).shown(optimum.lower).total()
                                       : optimum.lower;
}

std::string ends_figure(const CriterionOptimum& optimum, const ModelFacts& facts) {
  const ShownEnds ends = shown_ends(optimum, facts);
  return ends.lower == ends.upper ? wealth_figure(ends.lower)
                                  : bracket_figure(ends.lower, ends.upper);
}

// What the number is, in words.
std::string meaning(const Result& result, const ModelFacts& facts) {
  const Criterion& criterion = result.optimum->criterion;
  const std::string tau = to_text(result.tau);
  const std::string_view noun = facts.cost ? "cost" : "total";
  const std::string parameter = to_text(criterion.parameter);
  const bool surely = result.tau == 0 && criterion.takes_tau();
  if (surely || criterion.kind == Kind::worst_case)
    return fmt::format("the worst {} of its policy", noun);
  switch (criterion.kind) {
    case Kind::cvar:
      return fmt::format("the mean {} in the worst share {} of all episodes", noun, tau);
    case Kind::mean_cvar:
      return fmt::format("{} times the mean {} and {} times that of the worst share {}",
                         parameter,
                         noun,
                         to_text(Rational(1 - criterion.parameter)),
                         tau);
    case Kind::expectation:
      return fmt::format("the mean {}", noun);
    case Kind::utility:
      return fmt::format("the expected utility, {}, of the total{}",
                         to_text(*criterion.utility),
                         facts.cost ? ", which is minus the cost" : "");
    case Kind::entropic:
      return fmt::format(
          "the certainty equivalent of the {} for an aversion to risk of {}", noun, parameter);
    case Kind::evar:
      return fmt::format("the entropic value at risk of the {} at {}", noun, tau);
    case Kind::mean_variance:
      return fmt::format(
          "the mean {} {} {} times its variance", noun, facts.cost ? "plus" : "minus", parameter);
    case Kind::nested_cvar:
      return fmt::format("the mean {} of the worst share {}, taken anew at every step", noun, tau);
    default:
      return "the optimum";
  }
}

std::string head_of(const Result& result) {
  const Criterion& criterion = result.optimum->criterion;
  return criterion.takes_tau() ? fmt::format("tau {}, {}", to_text(result.tau), to_text(criterion))
                               : to_text(criterion);
}

// Against an adversary only the worst case is asked for.
std::string guarantee_sentence(const ShownEnds& ends, const ModelFacts& facts) {
  const char* noun = facts.cost ? "cost" : "total";
  const auto& certain = facts.cost ? ends.upper : ends.lower;
  if (certain.is_miss()) return "It is not guaranteed that the goal is surely reached.";
  if (ends.lower == ends.upper)
    return fmt::format("Whatever is done, the {} is surely at {} {}; no {} is sure.",
                       noun,
                       facts.cost ? "most" : "least",
                       wealth_figure(certain),
                       facts.cost ? "less" : "more");
  const BracketFigures figures = bracket_figures(ends.lower, ends.upper);
  return fmt::format("Whatever is done, the {} is surely at {} {}; no {} than {} is sure.",
                     noun,
                     facts.cost ? "most" : "least",
                     facts.cost ? figures.upper : figures.lower,
                     facts.cost ? "less" : "more",
                     facts.cost ? figures.lower : figures.upper);
}

std::string value_sentence(const Result& result, const ModelFacts& facts) {
  const CriterionOptimum& optimum = *result.optimum;
  const ShownEnds ends = shown_ends(optimum, facts);
  const std::string what = meaning(result, facts);
  const bool is_cost = facts.cost && optimum.criterion.is_wealth();
  if (facts.adversarial) return guarantee_sentence(ends, facts);
  if (ends.lower == ends.upper)
    return fmt::format("{} is {}; no policy has {}.",
                       std::string(1, static_cast<char>(std::toupper(what[0]))) + what.substr(1),
                       wealth_figure(ends.lower),
                       is_cost ? "less" : "more");
  const BracketFigures figures = bracket_figures(ends.lower, ends.upper);
  return fmt::format("{} is {} {}; no policy has {} than {}.",
                     std::string(1, static_cast<char>(std::toupper(what[0]))) + what.substr(1),
                     is_cost ? "at most" : "at least",
                     is_cost ? figures.upper : figures.lower,
                     is_cost ? "less" : "more",
                     is_cost ? figures.lower : figures.upper);
}

std::string distribution_part(const Result& result,
                              const ModelFacts& facts,
                              const ReportOptions& options) {
  const Distribution own = result.distribution();
  const Counting counting(facts, own.classes.get());
  std::vector<NamedDistribution> columns{{"this policy", &own}};
  if (options.expectation != nullptr) columns.push_back({"expectation", options.expectation});
  std::string notes = distribution_notes(own, counting);
  if (!notes.empty()) notes = "\n" + notes;
  return '\n' + histogram_rows(columns, counting, options.unicode) + notes;
}

std::string result_part(const Result& result, const Answer& answer, const ReportOptions& options) {
  constexpr std::size_t kWidth = kLineWidth - 2;
  std::string body = wrapped("", value_sentence(result, answer.model), kWidth);
  const std::string status = status_sentence(result, answer);
  if (!status.empty()) body += wrapped("", status, kWidth);
  if (result.check) body += check_lines(*result.check, answer.model, kWidth);
  if (options.distributions && result.distribution)
    body += distribution_part(result, answer.model, options);
  return fmt::format("\n{} ({}):\n", head_of(result), to_text(result.certificate)) + indented(body);
}

std::string optima_table(const Answer& answer, const ReportOptions& options, std::size_t& rows) {
  const Counting counting(answer.model);
  const bool has_tau = answer.results.front().optimum->criterion.takes_tau();
  const bool has_means =
      std::ranges::any_of(answer.results, [](const Result& r) { return r.mean.has_value(); });
  std::vector<Column> columns{{"criterion", Align::left}};
  if (has_tau) columns.push_back({"tau", Align::left});
  columns.push_back({"value"});
  if (has_means) columns.push_back({"mean"});
  TextTable table(columns);
  rows = told_in_time(answer.results, options, [&](const Result& result) {
    std::vector<std::string> cells{to_text(result.optimum->criterion)};
    if (has_tau) cells.push_back(to_text(result.tau));
    cells.push_back(ends_figure(*result.optimum, answer.model));
    if (has_means) cells.push_back(result.mean ? mean_figure(counting.mean(*result.mean)) : "-");
    table.add(std::move(cells));
  });
  return table.text();
}

// A deviation is no cost, and a utility is not one either.
ShownEnds shown_measure(const MeasuredValue& value, const ModelFacts& facts) {
  const bool is_wealth =
      value.measure != Measure::standard_deviation && value.measure != Measure::utility;
  return is_wealth ? Counting(facts).ends(value.value->lower, value.value->upper)
                   : ShownEnds{value.value->lower, value.value->upper};
}

std::string measure_cell(const MeasuredValue& value, const ModelFacts& facts) {
  if (!value.value) return "-";
  const ShownEnds ends = shown_measure(value, facts);
  if (ends.lower == ends.upper) return wealth_figure(ends.lower, 12);
  if (!ends.lower.is_finite() || !ends.upper.is_finite())
    return bracket_figure(ends.lower, ends.upper);
  const double low = to_nearest_double(ends.lower.value());
  const double high = to_nearest_double(ends.upper.value());
  const std::string shown = fmt::format("{:.6g}", low);
  return shown == fmt::format("{:.6g}", high) ? '~' + shown
                                              : bracket_figure(ends.lower, ends.upper);
}

// Why there are no values, or what they are worth.
std::string compared_note(const ComparedPolicy& row) {
  if (!row.why.empty()) return row.why;
  std::string note;
  if (row.status == Status::limit_reached || row.status == Status::interrupted)
    note = "the best policy that was found before a limit was met";
  if (row.status == Status::interrupted) note = "the best policy that was found when interrupted";
  if (!row.sample) return note;
  if (!note.empty()) note += "; ";
  return note + fmt::format("simulated, not computed: {}, seed {}",
                            count_figure(row.sample->episodes, "episode", "episodes"),
                            row.sample->seed);
}

// "tau 0.1:", and a row for each policy.
std::string comparison_table(const Comparison& comparison) {
  std::vector<Column> columns{{"best by", Align::left}};
  const auto measured = std::ranges::find_if(
      comparison.rows, [](const ComparedPolicy& row) { return !row.values.empty(); });
  if (measured != comparison.rows.end())
    for (const MeasuredValue& value : measured->values)
      columns.push_back({std::string(to_text(value.measure))});
  TextTable table(columns);
  std::string notes;
  for (const ComparedPolicy& row : comparison.rows) {
    std::vector<std::string> cells{to_text(row.criterion)};
    for (const MeasuredValue& value : row.values)
      cells.push_back(measure_cell(value, comparison.model));
    if (row.values.empty()) cells.resize(columns.size(), "-");
    if (const std::string note = compared_note(row); !note.empty())
      notes += wrapped(to_text(row.criterion) + ": ", note + ".", kLineWidth);
    table.add(std::move(cells));
  }
  return fmt::format("tau {}:\n{}{}", to_text(comparison.tau), table.text(), notes);
}

}  // namespace

bool is_about_criterion(const Answer& answer) {
  return !answer.results.empty() && answer.results.front().optimum.has_value();
}

std::string criterion_text(const Answer& answer, const ReportOptions& options) {
  std::size_t rows = 0;
  std::string text = model_line(answer.model) + '\n' + optima_table(answer, options, rows);
  const std::size_t told = told_in_time(answer.results, options, [&](const Result& result) {
    text += result_part(result, answer, options);
  });
  text += left_out_line(answer.results.size(), rows, told);
  if (options.comparison != nullptr)
    text += "\nPolicies compared, " + comparison_table(*options.comparison);
  return text + '\n' + work_lines(answer.engine, answer.work);
}

namespace {

// Policies by lambda: each is best from its own on.
bool is_by_lambda(const Answer& answer) {
  return answer.results.front().optimum->criterion.kind == Kind::mean_variance;
}

std::string criterion_name(const Answer& answer) {
  return std::string(to_text(answer.results.front().optimum->criterion.kind));
}

std::string variance_figure(const Result& result) {
  const auto& variance = result.optimum->variance;
  if (!variance) return "-";
  return variance->exact ? wealth_figure(Total(*variance->exact), 12)
                         : fmt::format("~{:.6g}", variance->nearest);
}

TextTable curve_table(const Answer& answer, const std::vector<std::size_t>& shown) {
  const bool by_lambda = is_by_lambda(answer);
  const Counting counting(answer.model);
  std::vector<Column> columns{{by_lambda ? "lambda" : "tau", Align::left},
                              {criterion_name(answer)}};
  if (by_lambda) columns.insert(columns.end(), {Column{"mean"}, Column{"variance"}});
  TextTable table(columns);
  for (const std::size_t i : shown) {
    const Result& result = answer.results[i];
    const CriterionOptimum& optimum = *result.optimum;
    const Rational& at = by_lambda ? optimum.criterion.parameter : result.tau;
    std::vector<std::string> cells{wealth_figure(Total(at)), ends_figure(optimum, answer.model)};
    if (by_lambda) {
      cells.push_back(result.mean ? mean_figure(counting.mean(*result.mean)) : "-");
      cells.push_back(variance_figure(result));
    }
    table.add(std::move(cells));
  }
  return table;
}

std::string between_points(const Answer& answer) {
  if (!answer.is_complete)
    return "not known; these are some points of the curve, which may bend elsewhere. solve answers "
           "any " +
           std::string(is_by_lambda(answer) ? "lambda." : "tau.");
  if (!is_by_lambda(answer))
    return answer.results.front().tau == 0
               ? "tau times the value is a line."
               : "tau times the value is a line. Below the first tau the curve goes on, with ever "
                 "more points; solve answers any tau.";
  return fmt::format(
      "the policy of the point before is the best one: its mean {} lambda times its variance. The "
      "last is best for every greater lambda.",
      answer.model.cost ? "plus" : "minus");
}

}  // namespace

std::string criterion_curve_text(const Answer& answer, const ReportOptions& options) {
  const std::size_t most = options.most_rows;
  const std::size_t count = answer.results.size();
  const bool cut = most > 0 && count > most;
  std::vector<std::size_t> shown;
  // Some of them, evenly, and the last.
  for (std::size_t i = 0; i < count; ++i)
    if (!cut || i % (count / most + 1) == 0 || i + 1 == count) shown.push_back(i);
  std::string text = model_line(answer.model) + '\n' + curve_table(answer, shown).text();
  if (cut) text += fmt::format("{} points in all{}\n", count, kMoreHint);
  text += '\n' + wrapped("Between them: ", between_points(answer), kLineWidth);
  return text + work_lines(answer.engine, answer.work);
}

std::string criterion_curve_json(const Answer& answer) {
  const Counting counting(answer.model);
  const bool by_lambda = is_by_lambda(answer);
  ReportJson json("quantiplan-frontier/1");
  json.model(answer.model).measure(answer.epsilon, counting);
  json.key("criterion").text(criterion_name(answer));
  json.key("complete").flag(answer.is_complete);
  json.key("points").begin_list();
  for (const Result& result : answer.results) {
    const CriterionOptimum& optimum = *result.optimum;
    json.begin_object();
    if (by_lambda)
      json.key("lambda").text(to_text(optimum.criterion.parameter));
    else
      json.key("tau").text(to_text(result.tau));
    json.outcome(result.status, result.certificate);
    json.key("value").total(shown_value(optimum, answer.model));
    json.bracket(shown_ends(optimum, answer.model), counting);
    if (by_lambda) {
      json.optional_labelled(
          "mean", result.mean ? std::optional(counting.mean(*result.mean)) : std::nullopt);
      json.optional_value("variance", optimum.variance);
    }
    json.end_object();
  }
  return json.end_list().engine(answer.engine).work(answer.work).finish();
}

void write_optimum(ReportJson& json, const CriterionOptimum& optimum, const ModelFacts& facts) {
  json.key("criterion").text(to_text(optimum.criterion));
  json.key("value").total(shown_value(optimum, facts));
  json.bracket(shown_ends(optimum, facts), Counting(facts));
}

std::string comparison_text(const Comparison& comparison) {
  return model_line(comparison.model) + '\n' + comparison_table(comparison);
}

namespace {

void write_compared(ReportJson& json, const Comparison& comparison) {
  json.begin_object().key("tau").text(to_text(comparison.tau)).key("policies").begin_list();
  for (const ComparedPolicy& row : comparison.rows) {
    json.begin_object().key("criterion").text(to_text(row.criterion));
    json.key("refused").text_or_null(row.why);
    json.key("status").text(to_text(row.status));
    json.key("episodes");
    if (row.sample)
      json.count(row.sample->episodes);
    else
      json.null();
    json.key("measures").begin_list();
    for (const MeasuredValue& value : row.values) {
      json.begin_object().key("measure").text(to_text(value.measure)).key("parameter");
      if (value.parameter)
        json.text(to_text(*value.parameter));
      else
        json.null();
      if (value.value)
        json.key("bracket").raw(measured_ends_json(shown_measure(value, comparison.model)));
      else
        json.key("bracket").null();
      json.end_object();
    }
    json.end_list().end_object();
  }
  json.end_list().end_object();
}

}  // namespace

void write_comparison_table(ReportJson& json, const Comparison* comparison) {
  json.key("comparison");
  if (comparison == nullptr)
    json.null();
  else
    write_compared(json, *comparison);
}

std::string comparison_json(const std::vector<Comparison>& comparisons) {
  ReportJson json("quantiplan-comparison/1");
  json.model(comparisons.front().model).key("comparisons").begin_list();
  for (const Comparison& each : comparisons) write_compared(json, each);
  return json.end_list().finish();
}

}  // namespace quantiplan
