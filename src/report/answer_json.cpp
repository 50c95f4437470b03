#include "quantiplan/report.hpp"
#include "report/counting.hpp"
#include "report/criterion_report.hpp"
#include "report/heading.hpp"
#include "report/report_json.hpp"

namespace quantiplan {
namespace {

// In classes of its own: those that a policy meets may be few of all.
void write_distribution(ReportJson& json,
                        const Distribution& distribution,
                        const ModelFacts& facts) {
  const Counting counting(facts, distribution.classes.get());
  json.entries("distribution", distribution.atoms, counting).errors(distribution, counting);
}

// Where there is a goal, and its probability is known.
void write_goal(ReportJson& json,
                const std::optional<Value>& probability,
                const std::optional<Value>& mean,
                const Counting& counting) {
  if (!probability) return;
  json.labelled("goal_probability", *probability);
  json.optional_labelled("goal_mean",
                         mean ? std::optional<Value>(counting.mean(*mean)) : std::nullopt);
}

void write_mean(ReportJson& json, const std::optional<Value>& mean, const Counting& counting) {
  json.optional_labelled("mean", mean ? std::optional(counting.mean(*mean)) : std::nullopt);
}

void write_comparison(ReportJson& json,
                      const std::optional<ExpectationComparison>& comparison,
                      const Counting& counting) {
  json.key("expectation_policy");
  if (!comparison) {
    json.null();
    return;
  }
  json.begin_object().labelled("mean", counting.mean(comparison->mean));
  write_goal(json, comparison->goal_probability, comparison->goal_mean, counting);
  json.quantile(comparison->quantile, counting);
  if (const auto& own = comparison->quantile) {
    json.bracket(counting.ends(*own, comparison->upper.value_or(*own)), counting);
  } else {
    json.key("bracket").null();
  }
  json.probability(comparison->probability).end_object();
}

void write_bracket(ReportJson& json, const Result& result, const Counting& counting) {
  if (!result.quantile || result.certificate == Certificate::none) {
    json.key("bracket").null();
  } else if (result.upper) {
    json.bracket(counting.ends(*result.quantile, *result.upper), counting);
  } else {
    const Level& level = *result.quantile;
    json.bracket(counting.quantile({result.tau, result.side, level, level, false, true}), counting);
  }
}

void write_criterion_result(ReportJson& json,
                            const Result& result,
                            const Answer& answer,
                            const ReportOptions& options) {
  const Counting counting(answer.model);
  json.begin_object().key("tau");
  if (result.optimum->criterion.takes_tau())
    json.text(to_text(result.tau));
  else
    json.null();
  json.outcome(result.status, result.certificate);
  write_optimum(json, *result.optimum, answer.model);
  write_mean(json, result.mean, counting);
  write_goal(json, result.goal_probability, result.goal_mean, counting);
  json.check(result.check);
  if (options.distributions && result.distribution)
    write_distribution(json, result.distribution(), answer.model);
  json.end_object();
}

void write_result(ReportJson& json,
                  const Result& result,
                  const Answer& answer,
                  const ReportOptions& options) {
  if (result.optimum) {
    write_criterion_result(json, result, answer, options);
    return;
  }
  const Counting counting(answer.model, answer.classes.get());
  json.begin_object().key("tau").text(to_text(result.tau)).key("side").text(to_text(result.side));
  json.outcome(result.status, result.certificate).quantile(result.quantile, counting);
  write_bracket(json, result, counting);
  json.key("attained").raw(!result.quantile ? "null" : result.attained ? "true" : "false");
  if (result.probability && result.certificate == Certificate::none) {
    json.value("probability", *result.probability).key("probability_is").text("uncertified");
  } else {
    json.probability(result.probability);
  }
  write_mean(json, result.mean, counting);
  write_goal(json, result.goal_probability, result.goal_mean, counting);
  json.key("prefer").text(to_text(result.prefer));
  if (result.mean_bound) json.value("mean_bound", counting.mean(*result.mean_bound));
  if (const auto& next = result.next_class) {
    json.key("next_class").begin_object().key("class").raw(counting.json(next->level));
    json.key("rank").count(next->level.rank()).labelled("probability", next->probability);
    json.value("probability_bound", next->bound).end_object();
  }
  if (result.goal_probability_bound)
    json.optional_value("goal_probability_bound", result.goal_probability_bound);
  if (result.mixed) {
    json.key("mixed").begin_object().key("coin").text(to_text(result.mixed->coin));
    json.probability(result.mixed->probability);
    write_mean(json, result.mixed->mean, counting);
    json.check(result.mixed->check).end_object();
  }
  write_comparison(json, result.expectation_policy, counting);
  json.check(result.check);
  if (options.distributions && result.distribution)
    write_distribution(json, result.distribution(), answer.model);
  json.end_object();
}

}  // namespace

std::string answer_json(const Answer& answer, const ReportOptions& options) {
  const Counting counting(answer.model, answer.classes.get());
  ReportJson json("quantiplan-answer/1");
  json.model(answer.model).measure(answer.epsilon, counting).key("results").begin_list();
  const std::size_t told = told_in_time(answer.results, options, [&](const Result& result) {
    write_result(json, result, answer, options);
  });
  json.end_list().left_out(answer.results.size() - told);
  if (is_about_criterion(answer)) write_comparison_table(json, options.comparison);
  if (options.distributions && options.expectation != nullptr) {
    json.key("expectation_policy").begin_object();
    json.labelled("mean", counting.mean(options.expectation->mean));
    write_distribution(json, *options.expectation, answer.model);
    json.end_object();
  }
  return json.engine(answer.engine).work(answer.work).finish();
}

}  // namespace quantiplan
