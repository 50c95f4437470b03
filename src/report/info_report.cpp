#include <fmt/format.h>

#include "figures.hpp"
#include "quantiplan/report.hpp"
#include "quoted.hpp"
#include "report_json.hpp"
#include "text_table.hpp"

namespace quantiplan {
namespace {

double bytes_per_outcome(const ModelInfo& info) {
  return static_cast<double>(info.model_bytes) / static_cast<double>(info.facts.outcomes);
}

std::string range(const Rational& least, const Rational& greatest) {
  return fmt::format("{} to {}", wealth_figure(least), wealth_figure(greatest));
}

}  // namespace

std::string info_json(const ModelInfo& info) {
  ReportJson json("quantiplan-info/1");
  json.model(info.facts).key("terminal_states").count(info.terminal_states).key("reachable_states");
  if (info.facts.initial.empty()) {
    json.null();
  } else {
    json.count(info.reachable_states);
  }
  json.key("rewards").raw(
      fmt::format("[{}, {}]", exact_json(info.least_reward), exact_json(info.greatest_reward)));
  json.key("model_bytes").count(info.model_bytes);
  json.key("bytes_per_outcome").real(bytes_per_outcome(info)).key("wealth");
  if (!info.has_setting) return json.null().key("estimated_bytes").null().finish();
  json.begin_object().key("exact").flag(info.wealth_is_exact).key("unit");
  // Without a grid nothing is known of the totals.
  if (!info.wealth_is_exact) {
    json.null().key("least").null().key("greatest").null();
    return json.end_object().key("estimated_bytes").null().finish();
  }
  json.exact(info.wealth_unit);
  json.key("least").exact(info.least_wealth).key("greatest").exact(info.greatest_wealth);
  return json.end_object().key("estimated_bytes").count(info.estimated_bytes).finish();
}

std::string info_text(const ModelInfo& info) {
  const ModelFacts& facts = info.facts;
  TextTable table({{"", Align::left}, {"", Align::left}});
  const std::string reachable =
      facts.initial.empty()
          ? ""
          : fmt::format(", {} reachable from {}", info.reachable_states, quoted(facts.initial));
  table.add({"name", facts.name.empty() ? "-" : quoted(facts.name)});
  table.add(
      {"states", fmt::format("{} ({} terminal{})", facts.states, info.terminal_states, reachable)});
  table.add({"choices", fmt::format("{}", facts.choices)});
  table.add({"outcomes", fmt::format("{}", facts.outcomes)});
  table.add({"initial", facts.initial.empty() ? "not set" : quoted(facts.initial)});
  table.add({"horizon", facts.horizon == 0 ? "not set" : fmt::format("{}", facts.horizon)});
  table.add({"discount", wealth_figure(facts.discount)});
  table.add({"rewards", range(info.least_reward, info.greatest_reward)});
  if (info.has_setting) {
    table.add({"totals",
               info.wealth_is_exact ? range(info.least_wealth, info.greatest_wealth)
                                    : "unknown: no exact grid of 64-bit levels"});
    table.add({"exact",
               info.wealth_is_exact
                   ? fmt::format("yes: every total is a multiple of {}", to_text(info.wealth_unit))
                   : "no: the totals have no common 64-bit integer grid"});
  }
  table.add({"memory",
             fmt::format("{} for the model ({:.1f} bytes per outcome){}",
                         bytes_figure(info.model_bytes),
                         bytes_per_outcome(info),
                         info.has_setting && info.wealth_is_exact
                             ? fmt::format(", about {} for the arrays of a dense solve",
                                           bytes_figure(info.estimated_bytes))
                             : "")});
  return table.text();
}

}  // namespace quantiplan
