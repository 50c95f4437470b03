#include "quantiplan/report.hpp"
#include "report_json.hpp"

namespace quantiplan {
namespace {

void write_distribution(ReportJson& json, const Distribution& distribution) {
  json.atoms("distribution", distribution.atoms).errors(distribution);
}

// How much a probability says; null where there is none.
std::string_view kind_of(const std::optional<Value>& probability, bool is_bound) {
  if (!probability) return {};
  if (is_bound) return "lower bound";
  return probability->exact ? "exact" : "rounded";
}

void write_comparison(ReportJson& json, const std::optional<ExpectationComparison>& comparison) {
  json.key("expectation_policy");
  if (!comparison) {
    json.null();
    return;
  }
  json.begin_object().value("mean", comparison->mean).key("quantile");
  if (comparison->quantile) {
    json.exact(*comparison->quantile);
    json.bracket(*comparison->quantile, comparison->upper.value_or(*comparison->quantile));
  } else {
    json.null().key("bracket").null();
  }
  json.value("probability", comparison->probability);
  json.key("probability_is").text(kind_of(comparison->probability, comparison->upper.has_value()));
  json.end_object();
}

void write_level(ReportJson& json, const Result& result) {
  json.key("quantile");
  if (!result.quantile) {
    json.null().key("bracket").null();
    return;
  }
  json.exact(*result.quantile);
  if (result.upper) {
    json.bracket(*result.quantile, *result.upper);
  } else {
    json.key("bracket").raw("[" + exact_json(*result.quantile) + ", null]");
  }
}

void write_result(ReportJson& json, const Result& result, const ReportOptions& options) {
  json.begin_object().key("tau").text(to_text(result.tau)).key("side").text(to_text(result.side));
  json.key("status").text(to_text(result.status)).key("certificate");
  if (result.certificate == Certificate::none) {
    json.null();
  } else {
    json.text(to_text(result.certificate));
  }
  write_level(json, result);
  json.optional_value("probability", result.probability);
  json.key("probability_is")
      .text_or_null(kind_of(result.probability, result.certificate == Certificate::bracket));
  json.optional_value("mean", result.mean);
  write_comparison(json, result.expectation_policy);
  if (result.check) json.key("check").begin_object().verdict(*result.check).end_object();
  if (options.distributions && result.distribution) {
    write_distribution(json, result.distribution());
  }
  json.end_object();
}

}  // namespace

std::string answer_json(const Answer& answer, const ReportOptions& options) {
  ReportJson json("quantiplan-answer/1");
  json.model(answer.model).epsilon(answer.epsilon).key("results").begin_list();
  for (const Result& result : answer.results) write_result(json, result, options);
  json.end_list();
  if (options.distributions && options.expectation != nullptr) {
    json.key("expectation_policy").begin_object().value("mean", options.expectation->mean);
    write_distribution(json, *options.expectation);
    json.end_object();
  }
  return json.engine(answer.engine).work(answer.work).finish();
}

}  // namespace quantiplan
