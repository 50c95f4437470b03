#include <fmt/format.h>

#include "base/quoted.hpp"
#include "quantiplan/report.hpp"
#include "report/counting.hpp"
#include "report/figures.hpp"
#include "report/guarantee.hpp"
#include "report/heading.hpp"
#include "report/promise.hpp"
#include "report/report_json.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

bool is_bracket(const ThresholdResult& result) {
  return result.certificate != Certificate::exact || result.upper;
}

// The upper end: a probability is at most 1 if nothing better is known.
Value most_of(const ThresholdResult& result) { return result.upper.value_or(Value::exactly(1)); }

std::string probability_cell(const ThresholdResult& result) {
  if (!result.probability) return "-";
  if (!is_bracket(result)) return probability_figure(*result.probability);
  return fmt::format(
      "[{}, {}]", lower_bound_figure(*result.probability), upper_bound_figure(most_of(result)));
}

// A class, or a level between two of them, is named as it was asked for.
std::string target_figure(const ThresholdResult& result, const Counting& counting) {
  return result.level ? *result.level : wealth_figure(counting.shown(result.target));
}

// Whether some history is as good as the level.
bool has_class(const ThresholdResult& result, const Counting& counting) {
  return counting.classes() != nullptr && result.target.position() <= counting.classes()->size();
}

std::string results_table(const ThresholdAnswer& answer,
                          const ReportOptions& options,
                          std::size_t& rows) {
  const Counting counting(answer.model, answer.classes.get());
  const bool adversarial = answer.model.adversarial;
  std::vector<Column> columns{{"target y"}};
  if (counting.by_class()) columns.push_back({"rank"});
  columns.push_back(
      {fmt::format("{} {}", adversarial ? "guaranteed" : "best", counting.reach("y"))});
  columns.push_back({"certificate", Align::left});
  TextTable table(columns);
  rows = told_in_time(answer.results, options, [&](const ThresholdResult& result) {
    std::vector<std::string> cells{target_figure(result, counting)};
    if (counting.by_class())
      cells.push_back(has_class(result, counting) ? counting.rank_figure(result.target) : "-");
    cells.push_back(probability_cell(result));
    cells.emplace_back(to_text(result.certificate));
    table.add(std::move(cells));
  });
  return table.text();
}

// "the wealth is 'gold' or better"; numbers speak for themselves.
std::string class_words(const ThresholdResult& result, const ThresholdAnswer& answer) {
  const bool is_number = answer.classes && answer.classes->number(1).has_value();
  return fmt::format("the wealth is {} or better",
                     is_number ? *result.level : in_quotes(*result.level, 80));
}

// "The total is at least 12 with probability 0.3; no policy does better."
std::string threshold_sentence(const ThresholdResult& result, const ThresholdAnswer& answer) {
  if (!result.probability) return "Nothing is known yet: the call ended too early.";
  const ModelFacts& facts = answer.model;
  const bool is_sharp = !is_bracket(result);
  std::string sentence =
      opening(facts,
              result.level ? class_words(result, answer)
                           : event_words(facts,
                                         result.target,
                                         wealth_figure(Counting(facts).shown(result.target), 48)));
  sentence += is_sharp ? " with probability " + probability_figure(*result.probability)
                       : " with probability at least " + lower_bound_figure(*result.probability);
  const std::string most = upper_bound_figure(most_of(result));
  if (facts.adversarial)
    return sentence + (is_sharp ? "; no more is guaranteed."
                                : fmt::format("; no more than {} is guaranteed.", most));
  return sentence + (is_sharp ? "; no policy does better."
                              : fmt::format("; no policy does better than {}.", most));
}

std::string result_lines(const ThresholdResult& result, const ThresholdAnswer& answer) {
  const ModelFacts& facts = answer.model;
  constexpr std::size_t kWidth = kLineWidth - 2;  // the lines of a result are indented
  std::string body = wrapped("", threshold_sentence(result, answer), kWidth);
  const std::string status = status_sentence(result.status, "the probability", answer.engine);
  if (!status.empty()) body += wrapped("", status, kWidth);
  if (result.check) body += check_lines(*result.check, facts, kWidth);
  return fmt::format("\ntarget {} ({}):\n{}",
                     target_figure(result, Counting(facts)),
                     to_text(result.certificate),
                     indented(body));
}

// Doubles outside of what is known; null where the certificate is exact.
void write_bracket(ReportJson& json, const ThresholdResult& result) {
  json.key("bracket");
  if (!result.probability || !is_bracket(result)) {
    json.null();
    return;
  }
  const Value most = most_of(result);
  const auto& least = *result.probability;
  json.raw(fmt::format("[{}, {}]",
                       double_json(least.exact ? double_below(*least.exact) : least.nearest),
                       double_json(most.exact ? double_above(*most.exact) : most.nearest)));
}

void write_result(ReportJson& json, const ThresholdResult& result, const Counting& counting) {
  json.begin_object().key("target");
  if (result.level) {
    const bool is_number =
        counting.classes() != nullptr && counting.classes()->number(1).has_value();
    json.raw(number_or_text_json(is_number, *result.level)).key("rank");
    if (has_class(result, counting))
      json.count(result.target.rank());
    else
      json.null();
  } else {
    json.total(counting.shown(result.target));
  }
  json.outcome(result.status, result.certificate);
  json.probability(result.probability);
  write_bracket(json, result);
  json.check(result.check).end_object();
}

}  // namespace

std::string threshold_json(const ThresholdAnswer& answer, const ReportOptions& options) {
  const Counting counting(answer.model, answer.classes.get());
  ReportJson json("quantiplan-threshold/1");
  json.model(answer.model);
  if (counting.by_class()) json.measure(std::nullopt, counting);
  json.key("results").begin_list();
  const std::size_t told =
      told_in_time(answer.results, options, [&](const ThresholdResult& result) {
        write_result(json, result, counting);
      });
  json.end_list().left_out(answer.results.size() - told);
  return json.engine(answer.engine).work(answer.work).finish();
}

std::string threshold_text(const ThresholdAnswer& answer, const ReportOptions& options) {
  std::size_t rows = 0;
  std::string text = model_line(answer.model) + '\n' + results_table(answer, options, rows);
  const std::size_t told =
      told_in_time(answer.results, options, [&](const ThresholdResult& result) {
        text += result_lines(result, answer);
      });
  text += left_out_line(answer.results.size(), rows, told);
  return text + '\n' + work_lines(answer.engine, answer.work);
}

}  // namespace quantiplan
