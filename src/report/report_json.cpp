#include "report_json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "figures.hpp"
#include "quoted.hpp"

namespace quantiplan {
namespace {

std::optional<std::string> exact_text(const Value& value) {
  if (!value.exact) return std::nullopt;
  std::string text = to_text(*value.exact);
  if (text.size() > kMostExactCharacters) return std::nullopt;
  return text;
}

rapidjson::SizeType length(std::string_view text) {
  return static_cast<rapidjson::SizeType>(text.size());
}

}  // namespace

std::string exact_json(const Rational& value) {
  std::string text = to_text(value);
  return is_finite_decimal(value) ? text : fmt::format("\"{}\"", text);
}

std::string double_json(double value) {
  if (!std::isfinite(value)) return "null";
  return value == 0 ? "0" : fmt::format("{}", value);
}

std::string atom_json(const Rational& wealth, const Value& probability) {
  std::string text = fmt::format(R"({{"wealth": {}, "probability": {})",
                                 exact_json(wealth),
                                 double_json(nearest(probability)));
  if (const auto exact = exact_text(probability))
    text += fmt::format(R"(, "probability_exact": "{}")", *exact);
  return text + '}';
}

std::string at_least_json(const Atom& atom, const Distribution& distribution) {
  std::string text = atom_json(atom.wealth, atom.probability);
  if (distribution.slack == 0 && !distribution.sample) return text;
  const ProbabilityBracket bracket = distribution.at_least_bracket(atom.wealth);
  text.pop_back();
  return text + fmt::format(R"(, "probability_is": "{}", "bracket": [{}, {}]}})",
                            distribution.sample ? "estimate" : "lower bound",
                            double_json(double_below(bracket.lower)),
                            double_json(double_above(bracket.upper)));
}

ReportJson::ReportJson(std::string_view format) {
  writer_.SetIndent(' ', 2);
  begin_object().key("format").text(format);
}

ReportJson& ReportJson::key(std::string_view name) {
  writer_.Key(name.data(), length(name));
  return *this;
}
ReportJson& ReportJson::text(std::string_view value) {
  // A model made in code may have names that are no UTF-8; JSON must be.
  if (!is_utf8(value)) return text(quoted(value, value.size()));
  writer_.String(value.data(), length(value));
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

ReportJson& ReportJson::optional_value(std::string_view name, const std::optional<Value>& given) {
  return given ? value(name, *given) : key(name).null();
}

ReportJson& ReportJson::bracket(const Rational& lower, const Rational& upper) {
  return key("bracket").raw(fmt::format("[{}, {}]", exact_json(lower), exact_json(upper)));
}

ReportJson& ReportJson::bracket(const QuantileOfDistribution& quantile) {
  return key("bracket").raw(fmt::format("[{}, {}]",
                                        quantile.open_below ? "null" : exact_json(quantile.lower),
                                        quantile.open_above ? "null" : exact_json(quantile.upper)));
}

ReportJson& ReportJson::epsilon(const std::optional<Rational>& epsilon) {
  key("epsilon");
  return epsilon ? exact(*epsilon) : null();
}

ReportJson& ReportJson::errors(const Distribution& distribution) {
  key("relative_error").real(distribution.relative_error).key("slack").exact(distribution.slack);
  key("sample");
  if (!distribution.sample) return null();
  const Sample& sample = *distribution.sample;
  begin_object().key("episodes").count(sample.episodes).key("seed").count(sample.seed);
  key("confidence").real(sample.confidence).key("band").real(sample.band);
  return end_object();
}

ReportJson& ReportJson::atoms(std::string_view name, const std::vector<Atom>& atoms) {
  key(name).begin_list();
  for (const Atom& atom : atoms) raw(atom_json(atom.wealth, atom.probability));
  return end_list();
}

ReportJson& ReportJson::model(const ModelFacts& facts) {
  key("model").begin_object();
  key("name").text_or_null(facts.name);
  key("states").count(facts.states).key("choices").count(facts.choices);
  key("outcomes").count(facts.outcomes).key("horizon");
  if (facts.horizon == 0) {
    null();
  } else {
    count(facts.horizon);
  }
  key("discount").exact(facts.discount).key("initial").text_or_null(facts.initial);
  return end_object();
}

ReportJson& ReportJson::engine(const EngineReport& engine) {
  key("engine").begin_object();
  key("given").text(engine.given).key("used").text(engine.used).key("why").text(engine.why);
  return end_object();
}

ReportJson& ReportJson::work(const Work& work) {
  key("work").begin_object();
  key("seconds").real(work.seconds).key("backups").count(work.backups);
  key("breakpoints").count(work.breakpoints).key("peak_bytes").count(work.peak_bytes);
  key("multiply_adds").count(work.multiply_adds).key("passes").count(work.passes);
  key("exact_nodes").count(work.exact_nodes);
  return end_object();
}

ReportJson& ReportJson::verdict(const CheckReport& report) {
  key("passed").flag(report.passed).key("ended_early").flag(report.ended_early);
  key("optimality_checked").flag(report.optimality_checked);
  key("findings").begin_list();
  for (const std::string& finding : report.findings) text(finding);
  return end_list();
}

std::string ReportJson::finish() {
  end_object();
  return std::string(buffer_.GetString(), buffer_.GetSize()) + '\n';
}

}  // namespace quantiplan
