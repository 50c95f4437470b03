#include "quantiplan/report.hpp"
#include "report/class_report.hpp"
#include "report/counting.hpp"
#include "report/report_json.hpp"

namespace quantiplan {
namespace {

void write_distribution(ReportJson& json,
                        const Distribution& distribution,
                        const Counting& counting) {
  json.entries("distribution", counting.entries(distribution.atoms));
  json.errors(distribution, counting);
}

void write_comparison(ReportJson& json,
                      const std::optional<ExpectationComparison>& comparison,
                      const Counting& counting) {
  json.key("expectation_policy");
  if (!comparison) {
    json.null();
    return;
  }
  json.begin_object().value("mean", counting.mean(comparison->mean)).key("quantile");
  if (const auto& own = comparison->quantile) {
    json.total(counting.shown(*own)).bracket(counting.ends(*own, comparison->upper.value_or(*own)));
  } else {
    json.null().key("bracket").null();
  }
  json.probability(comparison->probability).end_object();
}

void write_level(ReportJson& json, const Result& result, const Counting& counting) {
  json.key("quantile");
  if (!result.quantile) {
    json.null().key("bracket").null();
    return;
  }
  json.total(counting.shown(*result.quantile));
  if (result.certificate == Certificate::none) {
    json.key("bracket").null();
  } else if (result.upper) {
    json.bracket(counting.ends(*result.quantile, *result.upper));
  } else {
    json.bracket(counting.quantile(
        {result.tau, result.side, *result.quantile, *result.quantile, false, true}));
  }
}

void write_result(ReportJson& json,
                  const Result& result,
                  const Counting& counting,
                  const ReportOptions& options) {
  json.begin_object().key("tau").text(to_text(result.tau)).key("side").text(to_text(result.side));
  json.outcome(result.status, result.certificate);
  write_level(json, result, counting);
  json.key("attained").flag(result.attained);
  if (result.probability && result.certificate == Certificate::none) {
    json.value("probability", *result.probability).key("probability_is").text("uncertified");
  } else {
    json.probability(result.probability);
  }
  std::optional<Value> mean;
  if (result.mean) mean = counting.mean(*result.mean);
  json.optional_value("mean", mean);
  write_comparison(json, result.expectation_policy, counting);
  json.check(result.check);
  if (options.distributions && result.distribution)
    write_distribution(json, result.distribution(), counting);
  json.end_object();
}

}  // namespace

std::string answer_json(const Answer& answer, const ReportOptions& options) {
  if (goes_by_classes(answer)) return class_answer_json(answer, options);
  const Counting counting(answer.model);
  ReportJson json("quantiplan-answer/1");
  json.model(answer.model).epsilon(answer.epsilon).key("results").begin_list();
  for (const Result& result : answer.results) write_result(json, result, counting, options);
  json.end_list();
  if (options.distributions && options.expectation != nullptr) {
    json.key("expectation_policy").begin_object();
    json.value("mean", counting.mean(options.expectation->mean));
    write_distribution(json, *options.expectation, counting);
    json.end_object();
  }
  return json.engine(answer.engine).work(answer.work).finish();
}

}  // namespace quantiplan
