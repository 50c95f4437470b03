#include "report/report_json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/json_string.hpp"
#include "base/quoted.hpp"
#include "report/figures.hpp"

namespace quantiplan {
namespace {

std::optional<std::string> exact_text(const Value& value) {
  if (!value.exact) return std::nullopt;
  std::string text = to_text(*value.exact);
  if (text.size() > kMostExactCharacters) return std::nullopt;
  return text;
}

}  // namespace

std::string exact_json(const Rational& value) {
  std::string text = to_text(value);
  // A decimal of very many digits is written as a fraction, too.
  return text.find('/') == std::string::npos ? text : fmt::format("\"{}\"", text);
}

std::string total_json(const Total& total) {
  return total.is_finite() ? exact_json(total.value()) : fmt::format("\"{}\"", to_text(total));
}

std::string string_json(std::string_view text) {
  std::string out;
  // A model made in code may have names that are no UTF-8; JSON must be.
  append_json_string(out, is_utf8(text) ? text : in_quotes(text, text.size()));
  return out;
}

std::string double_json(double value) {
  if (std::isnan(value)) return "null";
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  return value == 0 ? "0" : fmt::format("{}", value);
}

std::string number_or_text_json(bool is_number, const std::string& text) {
  if (is_number) {
    if (const auto number = Number::try_parse(text)) return exact_json(number->rational());
  }
  return string_json(text);
}

std::string atom_json(std::string_view wealth, const Value& probability) {
  std::string text = fmt::format(
      R"({{"wealth": {}, "probability": {})", wealth, double_json(nearest(probability)));
  if (const auto exact = exact_text(probability))
    text += fmt::format(R"(, "probability_exact": "{}")", *exact);
  return text + '}';
}

std::string at_least_json(const Atom& atom,
                          const Distribution& distribution,
                          const Counting& counting) {
  std::string text = atom_json(counting.json(counting.shown(atom.wealth)), atom.probability);
  text.pop_back();
  const std::string_view is = distribution.sample ? "estimate" : kind_of(atom.probability);
  text += fmt::format(R"(, "probability_is": "{}")", is);
  if (atom.probability.exact) return text + '}';
  const ProbabilityBracket bracket = distribution.at_least_bracket(atom.wealth);
  return text + fmt::format(R"(, "bracket": [{}, {}]}})",
                            double_json(double_below(bracket.lower)),
                            double_json(double_above(bracket.upper)));
}

std::string_view kind_of(const std::optional<Value>& probability) {
  if (!probability) return {};
  if (exact_text(*probability)) return "exact";
  if (probability->exact || probability->is == Value::Is::rounded) return "rounded";
  return probability->is == Value::Is::lower_bound ? "lower bound" : "upper bound";
}

ReportJson::ReportJson(std::string_view format) {
  writer_.SetIndent(' ', 2);
  begin_object().key("format").text(format);
}

ReportJson& ReportJson::key(std::string_view name) { return text(name); }
ReportJson& ReportJson::text(std::string_view value) {
  const std::string json = string_json(value);
  writer_.RawValue(json.data(), json.size(), rapidjson::kStringType);
  return *this;
}
ReportJson& ReportJson::text_or_null(std::string_view value) {
  return value.empty() ? null() : text(value);
}
ReportJson& ReportJson::flag(bool value) {
  writer_.Bool(value);
  return *this;
}
ReportJson& ReportJson::count(std::uint64_t value) {
  writer_.Uint64(value);
  return *this;
}
ReportJson& ReportJson::real(double value) { return raw(double_json(value)); }
ReportJson& ReportJson::exact(const Rational& value) { return raw(exact_json(value)); }
ReportJson& ReportJson::total(const Total& value) { return raw(total_json(value)); }
ReportJson& ReportJson::null() {
  writer_.Null();
  return *this;
}
ReportJson& ReportJson::raw(std::string_view json) {
  writer_.RawValue(json.data(), json.size(), rapidjson::kObjectType);
  return *this;
}
ReportJson& ReportJson::begin_object() {
  writer_.StartObject();
  return *this;
}
ReportJson& ReportJson::end_object() {
  writer_.EndObject();
  return *this;
}
ReportJson& ReportJson::begin_list() {
  writer_.StartArray();
  return *this;
}
ReportJson& ReportJson::end_list() {
  writer_.EndArray();
  return *this;
}

ReportJson& ReportJson::value(std::string_view name, const Value& value) {
  key(name).real(nearest(value));
  if (const auto exact = exact_text(value)) key(fmt::format("{}_exact", name)).text(*exact);
  return *this;
}

ReportJson& ReportJson::labelled(std::string_view name, const Value& value) {
  this->value(name, value);
  if (exact_text(value) || std::isnan(nearest(value))) return *this;
  key(fmt::format("{}_is", name)).text(kind_of(value));
  if (!value.exact && value.most) key(fmt::format("{}_upper", name)).real(*value.most);
  return *this;
}

ReportJson& ReportJson::optional_labelled(std::string_view name,
                                          const std::optional<Value>& given) {
  return given ? labelled(name, *given) : key(name).null();
}

ReportJson& ReportJson::optional_value(std::string_view name, const std::optional<Value>& given) {
  return given ? value(name, *given) : key(name).null();
}

ReportJson& ReportJson::probability(const std::optional<Value>& given) {
  optional_value("probability", given).key("probability_is").text_or_null(kind_of(given));
  if (given && !given->exact && given->most) key("probability_upper").real(*given->most);
  return *this;
}

ReportJson& ReportJson::quantile(const std::optional<Level>& wealth, const Counting& counting) {
  key("quantile").raw(wealth ? counting.json(counting.shown(*wealth)) : "null");
  if (!counting.by_class()) return *this;
  key("rank");
  return wealth ? count(wealth->rank()) : null();
}

ReportJson& ReportJson::bracket(const ShownEnds& ends, const Counting& counting) {
  return bracket({0, Side::lower, ends.lower, ends.upper}, counting);
}

ReportJson& ReportJson::bracket(const QuantileOfDistribution& shown, const Counting& counting) {
  return key("bracket").raw(fmt::format("[{}, {}]",
                                        shown.open_below ? "null" : counting.json(shown.lower),
                                        shown.open_above ? "null" : counting.json(shown.upper)));
}

ReportJson& ReportJson::measure(const std::optional<Rational>& epsilon, const Counting& counting) {
  if (!counting.by_class()) return key("epsilon").raw(epsilon ? exact_json(*epsilon) : "null");
  key("classes");
  return counting.classes() != nullptr ? count(counting.classes()->count()) : null();
}

ReportJson& ReportJson::errors(const Distribution& distribution, const Counting& counting) {
  if (counting.by_class()) return key("relative_error").real(distribution.relative_error);
  key("rest");
  if (const auto& rest = distribution.rest) {
    const ShownEnds ends = counting.ends(rest->from, rest->to);
    raw(fmt::format(R"({{"from": {}, "to": {}, "probability": {}}})",
                    total_json(ends.lower),
                    total_json(ends.upper),
                    double_json(rest->probability)));
  } else {
    null();
  }
  key("relative_error").real(distribution.relative_error).key("slack").exact(distribution.slack);
  key("sample");
  if (!distribution.sample) return null();
  const Sample& sample = *distribution.sample;
  begin_object().key("episodes").count(sample.episodes).key("seed").count(sample.seed);
  key("confidence").real(sample.confidence).key("band").real(sample.band);
  return end_object();
}

ReportJson& ReportJson::outcome(Status status, Certificate certificate) {
  key("status").text(to_text(status)).key("certificate");
  return certificate == Certificate::none ? null() : text(to_text(certificate));
}

ReportJson& ReportJson::model(const ModelFacts& facts) {
  key("model").begin_object();
  key("name").text_or_null(facts.name);
  key("states").count(facts.states).key("choices").count(facts.choices);
  key("outcomes").count(facts.outcomes).key("horizon");
  if (facts.horizon == 0) {
    null();
  } else if (facts.horizon == kInfiniteHorizon) {
    text("infinite");
  } else {
    count(facts.horizon);
  }
  key("discount").exact(facts.discount).key("initial");
  if (facts.initial.empty()) {
    null();
  } else if (facts.initial.drawn.size() == 1) {
    text(facts.initial.drawn.front().first);
  } else {
    begin_object();
    for (const auto& [name, probability] : facts.initial.drawn) key(name).exact(probability);
    end_object();
  }
  key("goal_states").raw(facts.goal_states == 0 ? "null" : std::to_string(facts.goal_states));
  key("rewards").text(facts.cost ? "cost" : "reward");
  key("adversarial").flag(facts.adversarial);
  if (facts.wealth != WealthKind::sum) key("wealth").text(to_text(facts.wealth));
  return end_object();
}

ReportJson& ReportJson::left_out(std::size_t results) {
  return results == 0 ? *this : key("results_left_out").count(results);
}

ReportJson& ReportJson::engine(const EngineReport& engine) {
  key("engine").begin_object();
  key("given").text(engine.given).key("used").text(engine.used).key("why").text(engine.why);
  if (!engine.left_out.empty()) key("left_out").text(engine.left_out);
  if (const auto& reduction = engine.reduction) {
    key("reduction").begin_object();
    key("by").text(reduction->by).key("states").count(reduction->states);
    key("solved_as").count(reduction->solved_as).end_object();
  }
  return end_object();
}

ReportJson& ReportJson::work(const Work& work) {
  key("work").begin_object();
  key("seconds").real(work.seconds).key("backups").count(work.backups);
  key("breakpoints").count(work.breakpoints).key("peak_bytes").count(work.peak_bytes);
  key("multiply_adds").count(work.multiply_adds).key("passes").count(work.passes);
  key("exact_nodes").count(work.exact_nodes).key("levels").count(work.levels);
  if (work.sent_bytes > 0) key("sent_bytes").count(work.sent_bytes);
  return end_object();
}

ReportJson& ReportJson::verdict(const CheckReport& report) {
  key("passed").raw(report.nothing_to_check ? "null" : report.passed ? "true" : "false");
  key("ended_early").flag(report.ended_early);
  key("optimality_checked").flag(report.optimality_checked);
  key("findings").begin_list();
  for (const std::string& finding : report.findings) text(finding);
  return end_list();
}

ReportJson& ReportJson::check(const std::optional<CheckReport>& report) {
  if (!report) return *this;
  return key("check").begin_object().verdict(*report).end_object();
}

std::string ReportJson::finish() {
  end_object();
  return std::string(buffer_.GetString(), buffer_.GetSize()) + '\n';
}

}  // namespace quantiplan
