#include <fmt/format.h>

#include <algorithm>

#include "quantiplan/attitude.hpp"
#include "report/counting.hpp"
#include "report/figures.hpp"
#include "report/heading.hpp"
#include "report/report_json.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

std::string regret_cell(const AttitudeResult& result) {
  if (!result.regret) return "-";
  return bracket_figure(result.regret->least, result.regret->most);
}

std::string regretting_cell(const AttitudeResult& result) {
  if (!result.regret || !result.regret->time) return "-";
  return fmt::format("time {}, '{}'", *result.regret->time, result.regret->state);
}

std::string attitude_table(const AttitudeAnswer& answer) {
  const Counting counting(answer.model);
  TextTable table({{"tau", Align::left},
                   {"side", Align::left},
                   {"attitude", Align::left},
                   {"quantile q", Align::right, "first self"},
                   {counting.reach("q")},
                   {"mean"},
                   {"  greatest regret", Align::right, "  later selves"},
                   {"whose", Align::left}});
  for (const AttitudeResult& result : answer.results) {
    table.add({to_text(result.tau),
               std::string(to_text(result.side)),
               to_text(result.attitude),
               result.quantile ? counting.figure(counting.quantile(*result.quantile)) : "-",
               result.probability ? known_figure(*result.probability) : "-",
               result.mean ? mean_figure(counting.mean(*result.mean)) : "-",
               regret_cell(result),
               regretting_cell(result)});
  }
  return table.text();
}

// "tau 0.5, upper side, resolute: the regret: ..."
std::string notes(const AttitudeAnswer& answer) {
  const Counting counting(answer.model);
  std::string text;
  const auto note = [&](const AttitudeResult& result, const std::string& sentence) {
    text += wrapped("",
                    fmt::format("tau {}, {} side, {}: {}",
                                to_text(result.tau),
                                to_text(result.side),
                                to_text(result.attitude),
                                sentence),
                    kLineWidth);
  };
  for (const AttitudeResult& result : answer.results) {
    if (result.nested) {
      note(result,
           fmt::format("the nested quantile, of quantiles of quantiles, is {}.",
                       counting.figure(counting.shown(*result.nested))));
    }
    if (!result.left_out.empty()) note(result, "left out: " + result.left_out + ".");
  }
  if (answer.slack != 0) {
    text += wrapped("",
                    fmt::format("Choices were made with totals rounded down, by at most {}: the "
                                "quantiles and regrets of these policies are known as brackets.",
                                size_figure(answer.slack)),
                    kLineWidth);
  }
  return text;
}

constexpr std::string_view kWhatIsRegret =
    "A regret is what a later self, met with positive probability, could add to its own quantile "
    "of what is still to come if it alone decided from there on.";

// Exact, unless nobody would read it.
std::string short_json(const Rational& value) {
  std::string text = exact_json(value);
  return text.size() <= kMostExactCharacters ? text : double_json(to_nearest_double(value));
}

void write_regret(ReportJson& json, const std::optional<Regret>& regret) {
  json.key("regret").raw(regret ? short_json(regret->least) : "null");
  json.key("regret_bracket");
  if (regret) {
    json.raw(fmt::format("[{}, {}]", short_json(regret->least), short_json(regret->most)));
  } else {
    json.null();
  }
  json.key("regret_at");
  if (regret && regret->time) {
    json.begin_object().key("time").count(*regret->time);
    json.key("state").text(regret->state).end_object();
  } else {
    json.null();
  }
}

void write_attitude(ReportJson& json, const AttitudeResult& result, const Counting& counting) {
  json.begin_object().key("attitude").text(to_text(result.attitude));
  json.key("tau").text(to_text(result.tau)).key("side").text(to_text(result.side));
  json.key("status").text(to_text(result.status));
  std::optional<Level> quantile;
  if (result.quantile) quantile = result.quantile->lower;
  json.quantile(quantile, counting);
  if (result.quantile) {
    json.bracket(counting.quantile(*result.quantile), counting);
  } else {
    json.key("bracket").null();
  }
  json.probability(result.probability);
  std::optional<Value> mean;
  if (result.mean) mean = counting.mean(*result.mean);
  json.optional_labelled("mean", mean);
  write_regret(json, result.regret);
  json.key("nested_quantile");
  if (result.nested) {
    json.raw(short_json(counting.shown(*result.nested).value()));
  } else {
    json.null();
  }
  json.key("left_out").text_or_null(result.left_out).end_object();
}

}  // namespace

std::string attitudes_json(const AttitudeAnswer& answer) {
  const Counting counting(answer.model);
  ReportJson json("quantiplan-attitudes/1");
  json.model(answer.model).key("slack").exact(answer.slack).key("attitudes").begin_list();
  for (const AttitudeResult& result : answer.results) write_attitude(json, result, counting);
  return json.end_list().engine(answer.engine).work(answer.work).finish();
}

std::string attitudes_text(const AttitudeAnswer& answer) {
  std::string text = model_line(answer.model) + '\n' + attitude_table(answer) + '\n';
  text += wrapped("", kWhatIsRegret, kLineWidth) + notes(answer);
  return text + '\n' + work_lines(answer.engine, answer.work);
}

}  // namespace quantiplan
