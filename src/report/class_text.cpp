// Wealth by classes as text for a person.
#include <fmt/format.h>

#include <algorithm>

#include "base/quoted.hpp"
#include "report/class_report.hpp"
#include "report/figures.hpp"
#include "report/guarantee.hpp"
#include "report/heading.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kClassBarWidth = 40;

std::string rank_cell(const WealthClasses& classes, const Total& position) {
  return fmt::format(
      "{} of {}", classes.rank(position.value().get_num().get_ui()), classes.count());
}

std::string level_cell(const WealthClasses& classes, const Total& lower, const Total& upper) {
  if (lower == upper) return class_text(classes, lower);
  return fmt::format("{} .. {}", class_text(classes, lower), class_text(classes, upper));
}

std::string classes_table(const Answer& answer) {
  const bool has_means =
      std::ranges::any_of(answer.results, [](const Result& r) { return r.mean.has_value(); });
  const bool is_compared = std::ranges::any_of(
      answer.results, [](const Result& r) { return r.expectation_policy.has_value(); });
  std::vector<Column> columns{{"tau", Align::left},
                              {"side", Align::left},
                              {"quantile q", Align::right, "quantile-optimal"},
                              {"rank"},
                              {"P(W >= q)"}};
  if (has_means) columns.push_back({"mean"});
  if (is_compared) {
    columns.push_back({"  P(W >= q)", Align::right, "  expectation-optimal"});
    columns.push_back({"quantile"});
    columns.push_back({"mean"});
  }
  TextTable table(columns);
  for (const Result& result : answer.results) {
    std::vector<std::string> cells{to_text(result.tau), std::string(to_text(result.side))};
    if (result.quantile && answer.classes) {
      const WealthClasses& classes = *answer.classes;
      cells.push_back(
          level_cell(classes, *result.quantile, result.upper.value_or(*result.quantile)));
      cells.push_back(rank_cell(classes, *result.quantile));
      cells.push_back(known_figure(*result.probability));
    } else {
      cells.insert(cells.end(), 3, "-");
    }
    if (has_means) cells.push_back(result.mean ? mean_figure(*result.mean) : "-");
    if (is_compared) {
      if (const auto& other = result.expectation_policy) {
        cells.push_back(known_figure(other->probability));
        cells.push_back(
            level_cell(*answer.classes, *other->quantile, other->upper.value_or(*other->quantile)));
        cells.push_back(mean_figure(other->mean));
      } else {
        cells.insert(cells.end(), 3, "-");
      }
    }
    table.add(std::move(cells));
  }
  return table.text();
}

// "With probability more than 0.9 the wealth is '2 gold' or better; no policy promises more."
std::string promise(const Result& result, const Answer& answer) {
  if (!result.quantile || !answer.classes) return "Nothing is known yet: the call ended too early.";
  const Rational theta = 1 - result.tau;
  const bool endless = answer.model.horizon == kInfiniteHorizon;
  // Numbers speak for themselves.
  const auto shown = [&](const Total& position) {
    const std::string text = class_text(*answer.classes, position);
    const auto number = answer.classes->number(position.value().get_num().get_ui());
    return number ? text : in_quotes(text, 80);
  };
  const std::string level = shown(*result.quantile);
  std::string text =
      theta == 1
          ? fmt::format("The wealth is {}surely {} or better", endless ? "almost " : "", level)
      : theta == 0 ? fmt::format("A wealth of {} or better is possible", level)
                   : fmt::format("With probability {} {} the wealth is {} or better",
                                 result.side == Side::lower ? "more than" : "at least",
                                 to_text(theta),
                                 level);
  const Total upper = result.upper.value_or(*result.quantile);
  if (upper == *result.quantile) return text + "; no policy promises more.";
  return text + fmt::format("; whether one promises more, up to {}, is {}.",
                            shown(upper),
                            result.status == Status::solved ? "too close to call" : "open");
}

template <class Entry>
std::string entries_table(const std::vector<Entry>& entries,
                          const WealthClasses& classes,
                          const std::string& heading,
                          bool ranks,
                          const ReportOptions& options) {
  std::vector<Column> columns{{"wealth w"}};
  if (ranks) columns.push_back({"rank"});
  columns.push_back({heading});
  columns.push_back({"", Align::left});
  TextTable table(columns);
  for (const Entry& entry : entries) {
    std::vector<std::string> cells{class_text(classes, entry.wealth)};
    if (ranks) cells.push_back(rank_cell(classes, entry.wealth));
    cells.push_back(known_figure(entry.probability));
    cells.push_back(bar(nearest(entry.probability), kClassBarWidth, options.unicode));
    table.add(std::move(cells));
  }
  return table.text(options.most_rows, kMoreHint);
}

std::string class_lines(const Result& result, const Answer& answer, const ReportOptions& options) {
  std::string lines = fmt::format("\ntau {}, {} side ({}):\n",
                                  to_text(result.tau),
                                  to_text(result.side),
                                  to_text(result.certificate));
  constexpr std::size_t kWidth = kLineWidth - 2;
  std::string body = wrapped("", promise(result, answer), kWidth);
  if (answer.classes) {
    const std::string other = comparison_sentence(result, answer.model);
    if (!other.empty()) body += wrapped("", other, kWidth);
  }
  const std::string status = status_sentence(result, answer);
  if (!status.empty() && result.quantile) body += wrapped("", status, kWidth);
  if (result.check) body += check_lines(*result.check, answer.model, kWidth);
  if (options.distributions && result.distribution) {
    const Distribution law = result.distribution();
    body += '\n' + entries_table(law.atoms, *law.classes, "P(W = w)", false, options);
  }
  return lines + indented(body);
}

std::string relative_error_line(double error) {
  return error > 0 ? fmt::format("Relative error of the probabilities: at most {:.2g}\n\n", error)
                   : "";
}

}  // namespace

std::string class_answer_text(const Answer& answer, const ReportOptions& options) {
  std::string text = model_line(answer.model) + '\n' + classes_table(answer);
  for (const Result& result : answer.results) text += class_lines(result, answer, options);
  return text + '\n' + work_lines(answer.engine, answer.work);
}

std::string class_frontier_text(const Frontier& frontier, const ReportOptions& options) {
  std::string text = model_line(frontier.model) + '\n';
  if (frontier.status == Status::limit_reached) text += "Ended early, at a limit.\n";
  if (frontier.status == Status::interrupted) text += "Ended early, interrupted.\n";
  if (!frontier.steps.empty()) {
    text += entries_table(frontier.steps, *frontier.classes, "best P(W >= w)", true, options);
    text += '\n';
  }
  text += relative_error_line(frontier.relative_error);
  if (!frontier.quantiles.empty()) {
    TextTable table({{"tau", Align::left},
                     {"side", Align::left},
                     {"quantile"},
                     {"rank"},
                     {"certificate", Align::left}});
    for (const FrontierQuantile& quantile : frontier.quantiles) {
      table.add({to_text(quantile.tau),
                 std::string(to_text(quantile.side)),
                 level_cell(*frontier.classes, quantile.quantile, quantile.upper),
                 rank_cell(*frontier.classes, quantile.quantile),
                 std::string(to_text(quantile.certificate))});
    }
    text += table.text() + '\n';
  }
  return text + work_lines(frontier.engine, frontier.work);
}

std::string class_evaluation_text(const Evaluation& evaluation, const ReportOptions& options) {
  const Distribution& law = evaluation.distribution;
  std::string text = model_line(evaluation.model);
  text += fmt::format("Policy {}\n\n", in_quotes(evaluation.policy));
  const std::string mean = mean_figure(law.mean);
  if (mean != "undefined") text += fmt::format("Mean {}\n\n", mean);
  text += entries_table(law.atoms, *law.classes, "P(W = w)", false, options) + '\n';
  if (!evaluation.quantiles.empty()) {
    TextTable table({{"tau", Align::left}, {"side", Align::left}, {"quantile"}});
    for (const QuantileOfDistribution& quantile : evaluation.quantiles) {
      table.add({to_text(quantile.tau),
                 std::string(to_text(quantile.side)),
                 level_cell(*law.classes, quantile.lower, quantile.upper)});
    }
    text += table.text() + '\n';
  }
  if (!evaluation.at_least.empty()) {
    TextTable table({{"wealth w"}, {"P(W >= w)"}});
    for (std::size_t i = 0; i < evaluation.at_least.size(); ++i) {
      table.add({evaluation.levels[i], known_figure(evaluation.at_least[i].probability)});
    }
    text += table.text() + '\n';
  }
  text += relative_error_line(law.relative_error);
  text.pop_back();
  return text;
}

std::string class_simulation_text(const Simulation& simulation,
                                  const Model& model,
                                  const ReportOptions& options) {
  const EpisodeTally& played = simulation.played;
  const std::size_t count = played.episodes;
  std::string text = model_line(simulation.model);
  text += fmt::format("Policy {}, seed {}\n\n", in_quotes(simulation.policy), simulation.seed);
  const std::size_t shown = options.most_rows > 0 ? std::min(count, options.most_rows) : count;
  for (std::size_t i = 0; i < (simulation.trace ? shown : 0); ++i) {
    const EpisodeTally::Entry& entry = played.totals[played.drawn[i]];
    text += fmt::format("episode {}: {}\n", i + 1, visible(entry.level.value_or("")));
    TextTable table({{"time"},
                     {"state", Align::left},
                     {"action", Align::left},
                     {"reward"},
                     {"next", Align::left}});
    for (std::size_t t = 0; t < played.steps[i].size(); ++t) {
      const Step& step = played.steps[i][t];
      table.add({fmt::format("{}", t),
                 in_quotes(model.state_name(step.state)),
                 in_quotes(model.action_name(step.choice)),
                 reward_text(model, step.reward),
                 in_quotes(model.state_name(step.next))});
    }
    text += indented(table.text()) + '\n';
  }
  if (simulation.trace && options.most_rows > 0 && count > options.most_rows)
    text += fmt::format("... {} more{}\n\n", count - options.most_rows, kMoreHint);
  if (count < simulation.asked)
    text += fmt::format("Ended early: {} episodes were asked for.\n", simulation.asked);
  if (count == 0) return text;
  text += count_figure(count, "episode", "episodes") + "\n\n";
  TextTable table({{"wealth w"}, {"episodes"}, {"share"}, {"", Align::left}});
  for (const EpisodeTally::Entry& entry : played.totals) {
    const double share = static_cast<double>(entry.count) / static_cast<double>(count);
    table.add({entry.level.value_or(""),
               fmt::format("{}", entry.count),
               fmt::format("{:.4g}", share),
               bar(share, kClassBarWidth, options.unicode)});
  }
  return text + table.text(options.most_rows, kMoreHint);
}

}  // namespace quantiplan
