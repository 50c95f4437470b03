#include "commands/by_initial.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "console/watched_call.hpp"
#include "quantiplan/each_start.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

constexpr std::size_t kMostRows = 50;  // of the text; JSON has all

// One answer of one state.
struct StartRow {
  std::string state;
  Level level;        // what states are compared by: a quantile, or a probability
  std::string cell;   // that as a text
  std::string exact;  // the same for JSON: as long as it is
  std::string more;   // beside it
};

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < ' ') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string number_json(const std::string& text) {
  const auto number = Number::try_parse(text);
  const bool is_bare = number && text.find('/') == std::string::npos;
  return is_bare ? text : json_text(text);
}

// One question to all states.
struct StartTable {
  std::string title;          // "tau 0.1, lower side"
  std::string key;            // the same, of JSON
  std::string level_heading;  // "quantile"
  std::string more_heading;
  std::vector<StartRow> rows;

  [[nodiscard]] const StartRow& worst() const {
    return *std::ranges::min_element(rows, {}, &StartRow::level);
  }
  [[nodiscard]] const StartRow& best() const {
    return *std::ranges::max_element(rows, {}, &StartRow::level);
  }

  [[nodiscard]] std::string text() const {
    std::size_t width = 13;
    std::size_t cell = level_heading.size();
    for (const StartRow& row : rows) {
      width = std::max(width, visible(row.state).size());
      cell = std::max(cell, row.cell.size());
    }
    std::string out =
        fmt::format("{}:\n  worst {} from {}, best {} from {}\n\n  {:<{}}  {:>{}}  {}\n",
                    title,
                    worst().cell,
                    visible(worst().state),
                    best().cell,
                    visible(best().state),
                    "initial state",
                    width,
                    level_heading,
                    cell,
                    more_heading);
    for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i)
      out += fmt::format("  {:<{}}  {:>{}}  {}\n",
                         visible(rows[i].state),
                         width,
                         rows[i].cell,
                         cell,
                         rows[i].more);
    if (rows.size() > kMostRows)
      out += fmt::format("  ... and {} more; --json has all\n", rows.size() - kMostRows);
    return out;
  }

  [[nodiscard]] std::string json() const {
    const auto end = [](const StartRow& row) {
      return fmt::format(
          "{{\"state\": {}, \"value\": {}}}", json_text(row.state), number_json(row.exact));
    };
    return fmt::format("    {{{}, \"worst\": {}, \"best\": {}}}", key, end(worst()), end(best()));
  }
};

std::string head_text(const ModelFacts& facts, std::size_t states) {
  return fmt::format(
      "model: {} states, {} choices, {} outcomes; {} initial states, each a question\n",
      facts.states,
      facts.choices,
      facts.outcomes,
      states);
}

std::string report(const std::vector<StartTable>& tables,
                   const std::string& head,
                   const std::vector<std::string>& answers,
                   bool is_json) {
  std::string out;
  if (!is_json) {
    out = head;
    for (const StartTable& table : tables) out += "\n" + table.text();
    return out;
  }
  out = "{\n  \"summary\": [\n";
  for (std::size_t i = 0; i < tables.size(); ++i) out += (i == 0 ? "" : ",\n") + tables[i].json();
  out += "\n  ],\n  \"initial_states\": [\n";
  for (std::size_t i = 0; i < answers.size(); ++i) out += (i == 0 ? "" : ",\n") + answers[i];
  return out + "\n  ]\n}\n";
}

std::string state_json(const std::string& state, std::string answer) {
  while (!answer.empty() && answer.back() == '\n') answer.pop_back();
  return "    {\"state\": " + json_text(state) + ", \"answer\": " + answer + "}";
}

std::string written(const Value& value) {
  return value.exact ? to_text(*value.exact) : fmt::format("{:.6g}", value.nearest);
}

// Of a table: what is too long for it is rounded.
std::string shown(const Value& value) {
  constexpr std::size_t kMostDigits = 17;
  const std::string text = written(value);
  return text.size() <= kMostDigits ? text : fmt::format("{:.6g}", value.nearest);
}

// Ends of brackets may be close together: to the nearest double.
std::string rounded(const Total& total) {
  constexpr std::size_t kMostDigits = 17;
  std::string text = to_text(total);
  if (!total.is_finite() || text.size() <= kMostDigits) return text;
  return fmt::format("{}", to_nearest_double(total.value()));
}

// A level or a bracket of it; costs are negative inside.
template <class AnyLevel, class AsText>
std::string ends_text(const AnyLevel& lower, const AnyLevel& upper, bool is_cost, AsText as_text) {
  const auto text = [&](const AnyLevel& level) {
    return std::string(as_text(is_cost ? level.negated() : level));
  };
  return lower == upper ? text(lower) : text(lower) + " to " + text(upper);
}

// The greatest value of another criterion, from one state.
void add_optimum(const Result& result, bool is_cost, const std::string& state, StartTable& table) {
  const CriterionOptimum& optimum = *result.optimum;
  table.title = table.level_heading = to_text(optimum.criterion);
  table.key = fmt::format("\"criterion\": {}", json_text(table.title));
  if (optimum.criterion.takes_tau()) {
    table.title += ", tau " + to_text(result.tau);
    table.key += ", \"tau\": " + number_json(to_text(result.tau));
  }
  table.more_heading = "";
  const bool is_negated = is_cost && optimum.criterion.is_wealth();
  const std::string cell = ends_text(optimum.lower, optimum.upper, is_negated, rounded);
  const bool is_known = optimum.lower == optimum.upper;
  const Total value = is_negated ? optimum.lower.negated() : optimum.lower;
  table.rows.push_back({state, optimum.lower, cell, is_known ? to_text(value) : cell, ""});
}

}  // namespace

void refuse_with_several(const char* flag, std::size_t states) {
  throw Error(
      ErrorCode::bad_request,
      flag,
      fmt::format("found with {} initial states, expected one: give --initial STATE", states));
}

namespace {

// What levels of different initial states are compared by. Each has a list of classes of its own: the
// ranks of declared classes are the same in all of them, others have no common order.
Level comparable(const Level& level, const WealthClasses* classes, std::size_t states) {
  if (!level.is_class()) return level;
  if (classes->structure().declared_classes() == 0) refuse_with_several("wealth", states);
  return Rational(Integer(static_cast<unsigned long>(level.rank())));
}

std::string level_text(const Level& level) { return to_text(level); }

// What is written once all states have their answers.
struct Collected {
  std::vector<StartTable> tables = {};
  std::vector<std::string> answers = {};  // JSON
  std::string head = {};
  ExitCode code = ExitCode::solved;

  void write(const OutputArguments& output) const {
    output.write(report(tables, head, answers, output.json));
  }
};

void add_quantile_head(const Rational& tau, Side side, bool is_cost, StartTable& table) {
  table.title = fmt::format("tau {}, {} side", to_text(tau), to_text(side));
  table.key =
      fmt::format("\"tau\": {}, \"side\": \"{}\"", number_json(to_text(tau)), to_text(side));
  table.level_heading = is_cost ? "cost" : "quantile";
}

template <class Each>
void watched_each(const Options& options, bool quiet, bool is_cost, const Each& each) {
  watched(options, quiet, is_cost, [&](const Options& watching) {
    each(watching);
    return true;
  });
}

}  // namespace

ExitCode solve_by_initial(const Model& model,
                          const std::vector<State>& starts,
                          Query query,
                          const Options& options,
                          const OutputArguments& output) {
  const bool is_cost = has_costs(model, query.setting);
  Collected all;
  query.compare = query.compare && output.json;  // the table has no place for it
  const auto take = [&](std::size_t start, const Answer& answer) {
    const std::string state(model.state_name(starts[start]));
    all.head = head_text(answer.model, starts.size());
    if (output.json) all.answers.push_back(state_json(state, answer_json(answer, {})));
    all.tables.resize(answer.results.size());
    for (std::size_t i = 0; i < all.tables.size(); ++i) {
      const Result& result = answer.results[i];
      if (result.status != Status::solved) all.code = worse(all.code, ExitCode::ended_early);
      if (result.check) all.code = worse(all.code, exit_code(*result.check));
      StartTable& table = all.tables[i];
      table.more_heading = is_cost ? "P(C <= q)" : "P(W >= q)";
      if (result.optimum) {
        add_optimum(result, is_cost, state, table);
        continue;
      }
      add_quantile_head(result.tau, result.side, is_cost, table);
      const std::string cell = ends_text(*result.quantile, *result.upper, is_cost, level_text);
      table.rows.push_back({state,
                            comparable(*result.quantile, answer.classes.get(), starts.size()),
                            cell,
                            cell,
                            result.probability ? shown(*result.probability) : "-"});
    }
  };
  watched_each(options, output.quiet, is_cost, [&](const Options& watching) {
    solve_each(model, starts, query, watching, take);
  });
  all.write(output);
  return all.code;
}

ExitCode frontier_by_initial(const Model& model,
                             const std::vector<State>& starts,
                             const Query& query,
                             const Options& options,
                             const OutputArguments& output) {
  const bool is_cost = has_costs(model, query.setting);
  Collected all;
  const auto take = [&](std::size_t start, const Frontier& curve) {
    const std::string state(model.state_name(starts[start]));
    all.head = head_text(curve.model, starts.size());
    if (output.json) all.answers.push_back(state_json(state, frontier_json(curve)));
    if (curve.status != Status::solved) all.code = worse(all.code, ExitCode::ended_early);
    all.tables.resize(curve.quantiles.size());
    for (std::size_t i = 0; i < all.tables.size(); ++i) {
      const FrontierQuantile& found = curve.quantiles[i];
      StartTable& table = all.tables[i];
      add_quantile_head(found.tau, found.side, is_cost, table);
      table.more_heading = "steps of the curve";
      const std::string cell = ends_text(found.quantile, found.upper, is_cost, level_text);
      table.rows.push_back({state,
                            comparable(found.quantile, curve.classes.get(), starts.size()),
                            cell,
                            cell,
                            std::to_string(curve.steps.size())});
    }
  };
  watched_each(options, output.quiet, is_cost, [&](const Options& watching) {
    frontier_each(model, starts, query, watching, take);
  });
  all.write(output);
  return all.code;
}

ExitCode threshold_by_initial(const Model& model,
                              const std::vector<State>& starts,
                              const ThresholdQuery& query,
                              const std::vector<std::string>& texts,
                              const Options& options,
                              const OutputArguments& output) {
  const bool is_cost = has_costs(model, query.setting);
  Collected all;
  const auto take = [&](std::size_t start, const ThresholdAnswer& answer) {
    const std::string state(model.state_name(starts[start]));
    all.head = head_text(answer.model, starts.size());
    if (output.json) all.answers.push_back(state_json(state, threshold_json(answer)));
    all.tables.resize(answer.results.size());
    for (std::size_t i = 0; i < all.tables.size(); ++i) {
      const ThresholdResult& result = answer.results[i];
      if (result.status != Status::solved) all.code = worse(all.code, ExitCode::ended_early);
      if (result.check) all.code = worse(all.code, exit_code(*result.check));
      StartTable& table = all.tables[i];
      table.title = fmt::format("target {}", texts[i]);
      table.key = "\"target\": " + number_json(texts[i]);
      table.level_heading = is_cost ? "P(C <= y)" : "P(W >= y)";
      const Value probability = result.probability.value_or(Value{});
      std::string more;
      if (result.upper && result.upper->nearest != probability.nearest)
        more = "at most " + shown(*result.upper);
      const Rational level = probability.exact ? *probability.exact : Rational(probability.nearest);
      table.rows.push_back(
          {state, Total(level), shown(probability), written(probability), std::move(more)});
    }
  };
  watched_each(options, output.quiet, is_cost, [&](const Options& watching) {
    threshold_each(model, starts, query, watching, take);
  });
  all.write(output);
  return all.code;
}

}  // namespace quantiplan::cli
