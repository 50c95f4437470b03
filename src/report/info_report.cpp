#include <fmt/format.h>

#include "base/quoted.hpp"
#include "quantiplan/report.hpp"
#include "report/counting.hpp"
#include "report/figures.hpp"
#include "report/heading.hpp"
#include "report/report_json.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

double bytes_per_outcome(const ModelInfo& info) {
  return static_cast<double>(info.model_bytes) / static_cast<double>(info.facts.outcomes);
}

std::string range(const Total& least, const Total& greatest) {
  return fmt::format("{} to {}", wealth_figure(least), wealth_figure(greatest));
}

// Rewards that mean themselves, not labels or vectors.
bool has_numbers(const ModelInfo& info) { return info.facts.wealth <= WealthKind::product; }

bool is_infinite(const ModelInfo& info) { return info.facts.horizon == kInfiniteHorizon; }

// Totals of an infinite horizon have no range that a horizon would give, and no arrays.
bool has_totals(const ModelInfo& info) {
  return info.has_setting && info.wealth_is_exact && !is_infinite(info);
}

// True if it is known whether totals have a common unit: at an infinite horizon that need not be.
bool knows_unit(const ModelInfo& info) {
  return info.has_setting && info.facts.wealth == WealthKind::sum &&
         (info.wealth_is_exact || !is_infinite(info));
}

void write_wealth(ReportJson& json, const ModelInfo& info) {
  json.key("wealth");
  if (!knows_unit(info)) {
    json.null();
    return;
  }
  json.begin_object().key("exact").flag(info.wealth_is_exact).key("unit");
  // Without a grid nothing is known of the totals.
  json.raw(info.wealth_is_exact ? exact_json(info.wealth_unit) : "null");
  if (has_totals(info)) {
    const ShownEnds ends = Counting(info.facts).ends(info.least_wealth, info.greatest_wealth);
    json.key("least").total(ends.lower).key("greatest").total(ends.upper);
  } else {
    json.key("least").null().key("greatest").null();
  }
  json.end_object();
}

void add_wealth_rows(TextTable& table, const ModelInfo& info) {
  const Counting counting(info.facts);
  const std::string nouns = fmt::format("{}s", counting.noun());
  const ShownEnds ends = counting.ends(info.least_wealth, info.greatest_wealth);
  // With costs, the row above says what one step may cost.
  table.add({"totals",
             has_totals(info)    ? range(ends.lower, ends.upper)
             : is_infinite(info) ? "unknown: there is no end to the steps"
                                 : "unknown: no exact grid of 64-bit levels"});
  if (!knows_unit(info)) return;
  table.add(
      {"exact",
       info.wealth_is_exact
           ? fmt::format(
                 "yes: every {} is a multiple of {}", counting.noun(), to_text(info.wealth_unit))
           : fmt::format("no: the {} have no common 64-bit integer grid", nouns)});
}

std::string labels_figure(const ModelInfo& info) {
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t i = 0; i < info.labels.size() && i < kMost; ++i) {
    const auto& [name, states] = info.labels[i];
    text += fmt::format(
        "{}{} ({})", i == 0 ? "" : ", ", in_quotes(name), count_figure(states, "state", "states"));
  }
  if (info.labels.size() > kMost) text += fmt::format(" and {} more", info.labels.size() - kMost);
  return text;
}

}  // namespace

std::string info_json(const ModelInfo& info) {
  ReportJson json("quantiplan-info/1");
  json.model(info.facts).key("transitions").count(info.transitions);
  json.key("labels").begin_object();
  for (const ModelInfo::LabelInfo& label : info.labels) json.key(label.name).count(label.states);
  json.end_object();
  json.key("terminal_states").count(info.terminal_states).key("reachable_states");
  json.raw(info.facts.initial.empty() ? "null" : std::to_string(info.reachable_states));
  json.key("rewards").raw(
      has_numbers(info)
          ? fmt::format("[{}, {}]", exact_json(info.least_reward), exact_json(info.greatest_reward))
          : "null");
  json.key("model_bytes").count(info.model_bytes);
  json.key("bytes_per_outcome").real(bytes_per_outcome(info));
  write_wealth(json, info);
  json.key("estimated_bytes");
  return (has_totals(info) ? json.count(info.estimated_bytes) : json.null()).finish();
}

std::string info_text(const ModelInfo& info) {
  const ModelFacts& facts = info.facts;
  TextTable table({{"", Align::left}, {"", Align::left}});
  const std::string reachable = facts.initial.empty() ? ""
                                                      : fmt::format(", {} reachable from {}",
                                                                    info.reachable_states,
                                                                    initial_figure(facts.initial));
  table.add({"name", facts.name.empty() ? "-" : in_quotes(facts.name)});
  table.add(
      {"states", fmt::format("{} ({} terminal{})", facts.states, info.terminal_states, reachable)});
  table.add({"choices", fmt::format("{}", facts.choices)});
  table.add({"transitions", fmt::format("{}", info.transitions)});
  if (facts.outcomes != info.transitions)
    table.add({"outcomes", fmt::format("{}: some differ in the reward alone", facts.outcomes)});
  table.add(
      {"initial",
       info.possible_initial > 0
           ? fmt::format("{} states, each a question; --initial picks one", info.possible_initial)
       : facts.initial.empty() ? "not set"
                               : initial_figure(facts.initial)});
  if (facts.goal_states > 0)
    table.add({"goal", count_figure(facts.goal_states, "state", "states")});
  if (!info.labels.empty()) table.add({"labels", labels_figure(info)});
  table.add({"horizon", facts.horizon == 0 ? "not set" : horizon_figure(facts.horizon)});
  table.add({"discount", wealth_figure(facts.discount)});
  table.add({facts.cost ? "costs" : "rewards",
             has_numbers(info) ? range(info.least_reward, info.greatest_reward)
             : facts.wealth == WealthKind::lexicographic ? "vectors"
                                                         : "labels"});
  if (facts.wealth != WealthKind::sum) table.add({"wealth", std::string(to_text(facts.wealth))});
  if (info.has_setting && facts.wealth == WealthKind::sum) add_wealth_rows(table, info);
  table.add(
      {"memory",
       fmt::format("{} for the model{}{}",
                   bytes_figure(info.model_bytes),
                   info.facts.outcomes == 0
                       ? ""
                       : fmt::format(" ({:.1f} bytes per outcome, states and choices included)",
                                     bytes_per_outcome(info)),
                   has_totals(info) ? fmt::format(", about {} for the arrays of a dense solve",
                                                  bytes_figure(info.estimated_bytes))
                                    : "")});
  return table.text();
}

}  // namespace quantiplan
