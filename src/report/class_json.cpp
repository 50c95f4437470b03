// Wealth by classes as JSON.
#include <fmt/format.h>

#include "report/class_report.hpp"
#include "report/report_json.hpp"

namespace quantiplan {
namespace {

// "wealth": "gold", "rank": 3
std::string level_json(const WealthClasses& classes, const Total& position) {
  return fmt::format(R"("wealth": {}, "rank": {})",
                     class_json(classes, position),
                     classes.rank(position.value().get_num().get_ui()));
}

std::string probability_json(const Value& value) {
  std::string out = fmt::format(R"("probability": {})", double_json(value.nearest));
  if (value.exact && to_text(*value.exact).size() <= kMostExactCharacters)
    out += fmt::format(R"(, "probability_exact": "{}")", to_text(*value.exact));
  return out;
}

// Without ranks: a policy's own classes may be few of all.
void write_atoms(ReportJson& json,
                 const char* name,
                 const std::vector<Atom>& atoms,
                 const WealthClasses& classes) {
  json.key(name).begin_list();
  for (const Atom& atom : atoms) {
    json.raw(fmt::format(R"({{"wealth": {}, {}}})",
                         class_json(classes, atom.wealth),
                         probability_json(atom.probability)));
  }
  json.end_list();
}

void write_bracket(ReportJson& json,
                   const WealthClasses& classes,
                   const Total& lower,
                   const Total& upper) {
  json.key("bracket").raw(
      fmt::format("[{}, {}]", class_json(classes, lower), class_json(classes, upper)));
}

void write_quantile(ReportJson& json,
                    const WealthClasses& classes,
                    const std::optional<Total>& lower,
                    const std::optional<Total>& upper) {
  json.key("quantile");
  if (!lower) {
    json.null().key("rank").null().key("bracket").null();
    return;
  }
  json.raw(class_json(classes, *lower));
  json.key("rank").count(classes.rank(lower->value().get_num().get_ui()));
  write_bracket(json, classes, *lower, upper.value_or(*lower));
}

void write_distribution(ReportJson& json, const Distribution& distribution) {
  write_atoms(json, "distribution", distribution.atoms, *distribution.classes);
  json.key("relative_error").real(distribution.relative_error);
}

void write_comparison(ReportJson& json,
                      const std::optional<ExpectationComparison>& comparison,
                      const WealthClasses& classes) {
  json.key("expectation_policy");
  if (!comparison) {
    json.null();
    return;
  }
  json.begin_object().value("mean", comparison->mean);
  write_quantile(json, classes, comparison->quantile, comparison->upper);
  json.probability(comparison->probability).end_object();
}

void write_result(ReportJson& json, const Result& result, const Answer& answer, bool distribution) {
  json.begin_object().key("tau").text(to_text(result.tau)).key("side").text(to_text(result.side));
  json.outcome(result.status, result.certificate);
  if (answer.classes) {
    write_quantile(json, *answer.classes, result.quantile, result.upper);
  } else {
    json.key("quantile").null().key("rank").null().key("bracket").null();
  }
  json.key("attained");
  if (result.quantile) {
    json.flag(result.attained);
  } else {
    json.null();
  }
  json.probability(result.probability);
  json.optional_value("mean", result.mean);
  if (answer.classes) {
    write_comparison(json, result.expectation_policy, *answer.classes);
  } else {
    json.key("expectation_policy").null();
  }
  json.check(result.check);
  if (distribution && result.distribution) write_distribution(json, result.distribution());
  json.end_object();
}

void write_classes(ReportJson& json, const std::shared_ptr<const WealthClasses>& classes) {
  json.key("classes");
  if (classes) {
    json.count(classes->count());
  } else {
    json.null();
  }
}

}  // namespace

std::string class_answer_json(const Answer& answer, const ReportOptions& options) {
  ReportJson json("quantiplan-answer/1");
  json.model(answer.model);
  write_classes(json, answer.classes);
  json.key("results").begin_list();
  for (const Result& result : answer.results)
    write_result(json, result, answer, options.distributions);
  json.end_list();
  if (options.distributions && options.expectation != nullptr) {
    json.key("expectation_policy").begin_object().value("mean", options.expectation->mean);
    write_distribution(json, *options.expectation);
    json.end_object();
  }
  return json.engine(answer.engine).work(answer.work).finish();
}

std::string class_frontier_json(const Frontier& frontier) {
  ReportJson json("quantiplan-frontier/1");
  json.model(frontier.model).key("status").text(to_text(frontier.status));
  write_classes(json, frontier.classes);
  json.key("steps").begin_list();
  for (const FrontierStep& step : frontier.steps) {
    json.raw(fmt::format("{{{}, {}}}",
                         level_json(*frontier.classes, step.wealth),
                         probability_json(step.probability)));
  }
  json.end_list().key("relative_error").real(frontier.relative_error);
  json.key("quantiles").begin_list();
  for (const FrontierQuantile& quantile : frontier.quantiles) {
    json.begin_object().key("tau").text(to_text(quantile.tau));
    json.key("side").text(to_text(quantile.side));
    write_quantile(json, *frontier.classes, quantile.quantile, quantile.upper);
    json.key("certificate").text(to_text(quantile.certificate)).end_object();
  }
  return json.end_list().engine(frontier.engine).work(frontier.work).finish();
}

std::string class_evaluation_json(const Evaluation& evaluation) {
  const Distribution& distribution = evaluation.distribution;
  ReportJson json("quantiplan-evaluation/1");
  json.model(evaluation.model).key("policy").text(evaluation.policy);
  write_atoms(json, "distribution", distribution.atoms, *distribution.classes);
  json.value("mean", distribution.mean).key("quantiles").begin_list();
  for (const QuantileOfDistribution& quantile : evaluation.quantiles) {
    json.begin_object().key("tau").text(to_text(quantile.tau));
    json.key("side").text(to_text(quantile.side));
    json.key("quantile").raw(class_json(*distribution.classes, quantile.lower));
    write_bracket(json, *distribution.classes, quantile.lower, quantile.upper);
    json.end_object();
  }
  const bool is_numeric =
      distribution.classes->size() > 0 && distribution.classes->number(1).has_value();
  json.end_list().key("at_least").begin_list();
  for (std::size_t i = 0; i < evaluation.at_least.size(); ++i) {
    json.raw(fmt::format(R"({{"wealth": {}, {}}})",
                         number_or_text_json(is_numeric, evaluation.levels[i]),
                         probability_json(evaluation.at_least[i].probability)));
  }
  return json.end_list().key("relative_error").real(distribution.relative_error).finish();
}

std::string class_simulation_json(const Simulation& simulation, const Model& model) {
  ReportJson json("quantiplan-simulation/1");
  json.model(simulation.model).key("policy").text(simulation.policy);
  json.key("seed").count(simulation.seed).key("asked").count(simulation.asked);
  const EpisodeTally& played = simulation.played;
  json.key("count").count(played.episodes);
  const bool is_numeric = model.wealth().is_numeric();
  json.key("totals").begin_list();
  for (const EpisodeTally::Entry& entry : played.totals) {
    json.raw(fmt::format(R"({{"wealth": {}, "count": {}}})",
                         number_or_text_json(is_numeric, entry.level.value_or("")),
                         entry.count));
  }
  json.end_list().key("episodes").begin_list();
  for (std::size_t i = 0; i < played.drawn.size(); ++i) {
    const EpisodeTally::Entry& entry = played.totals[played.drawn[i]];
    json.begin_object().key("wealth");
    json.raw(number_or_text_json(is_numeric, entry.level.value_or("")));
    if (simulation.trace) {
      json.key("steps").begin_list();
      for (std::size_t t = 0; t < played.steps[i].size(); ++t) {
        const Step& step = played.steps[i][t];
        json.begin_object().key("time").count(t).key("state").text(model.state_name(step.state));
        json.key("action").text(model.action_name(step.choice));
        json.key("reward");
        if (model.wealth().has_labels() && step.reward < 0) {
          json.null();
        } else {
          json.raw(
              number_or_text_json(model.wealth().has_numbers(), reward_text(model, step.reward)));
        }
        json.key("next").text(model.state_name(step.next)).end_object();
      }
      json.end_list();
    }
    json.end_object();
  }
  return json.end_list().finish();
}

}  // namespace quantiplan
