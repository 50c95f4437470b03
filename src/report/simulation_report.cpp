#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/quoted.hpp"
#include "quantiplan/report.hpp"
#include "report/counting.hpp"
#include "report/figures.hpp"
#include "report/heading.hpp"
#include "report/histogram.hpp"
#include "report/report_json.hpp"
#include "report/text_table.hpp"

namespace quantiplan {
namespace {

using Entries = std::vector<EpisodeTally::Entry>;

struct Summary {
  Entries counts;             // as they are shown
  std::optional<Value> mean;  // likewise; absent if there is no episode
  bool by_class = false;      // sums are classes, too, where a policy goes by wealth: no mean then
};

// Infinite where one infinity occurs, undefined where both do or where there is a miss.
Value mean_total(const Entries& counts, std::size_t episodes) {
  Rational sum;
  double infinite = 0;
  for (const auto& [total, count] : counts) {
    if (total.is_finite()) {
      sum += total.value() * Rational(Integer(static_cast<unsigned long>(count)));
    } else if (total.is_miss()) {
      infinite = std::numeric_limits<double>::quiet_NaN();
    } else {
      infinite += total == Total::plus_infinity() ? HUGE_VAL : -HUGE_VAL;
    }
  }
  if (infinite != 0) return {infinite, std::nullopt};
  return {0, Rational(sum / Rational(Integer(static_cast<unsigned long>(episodes))))};
}

Summary summarise(const EpisodeTally& played, const Counting& counting) {
  Summary summary{counting.entries(played.totals), std::nullopt, counting.by_class()};
  if (!played.totals.empty() && played.totals.front().wealth.is_class()) summary.by_class = true;
  if (played.episodes > 0 && !summary.by_class)
    summary.mean = mean_total(summary.counts, played.episodes);
  return summary;
}

// What episodes ended with, as it is shown: a total, or the text of a class.
std::string level_json(const Level& shown, const Model& model) {
  return shown.is_class() ? number_or_text_json(model.wealth().is_numeric(), shown.class_text())
                          : total_json(shown.total());
}

// The reward of a step: a number, a label, or a vector "(1, 35)"; "-" where there is no label.
std::string reward_figure(const Model& model, const Rational& reward) {
  const Wealth& wealth = model.wealth();
  if (wealth.has_numbers()) return wealth_figure(reward);
  if (reward < 0) return "-";
  const std::size_t at = reward.get_num().get_ui();
  if (wealth.has_labels()) return wealth.labels[at];
  std::string text = "(";
  for (const Rational& component : wealth.vectors[at])
    text += (text.size() > 1 ? ", " : "") + to_text(component);
  return text + ")";
}
std::string reward_json(const Model& model, const Rational& reward) {
  if (model.wealth().has_numbers()) return exact_json(reward);
  return reward < 0 ? "null" : string_json(reward_figure(model, reward));
}

std::string counts_table(const Summary& summary,
                         std::size_t episodes,
                         const Counting& counting,
                         const ReportOptions& options) {
  TextTable table({{counting.heading()}, {"episodes"}, {"share"}, {"", Align::left}});
  for (const EpisodeTally::Entry& entry : summary.counts) {
    const double share = static_cast<double>(entry.count) / static_cast<double>(episodes);
    table.add({Counting::figure(entry.wealth),
               fmt::format("{}", entry.count),
               fmt::format("{:.4g}", share),
               bar(share, summary.by_class ? 40 : 30, options.unicode)});
  }
  return table.text(options.most_rows, kMoreHint);
}

std::string histogram_of(const Summary& summary,
                         std::size_t episodes,
                         const Counting& counting,
                         const ReportOptions& options) {
  Distribution shares;
  for (const auto& [wealth, count] : summary.counts)
    shares.atoms.push_back(
        {wealth, {static_cast<double>(count) / static_cast<double>(episodes), std::nullopt}});
  // Back to wealth, which a distribution is in: the way there is the way back.
  shares.atoms = counting.entries(std::move(shares.atoms));
  return histogram_rows({{"", &shares}}, counting, options.unicode) +
         fmt::format("{} different {}s{}\n", summary.counts.size(), counting.noun(), kMoreHint);
}

std::string trace_lines(const EpisodeTally& played,
                        std::size_t i,
                        const Model& model,
                        const Counting& counting) {
  const std::vector<Step>& steps = played.steps[i];
  const EpisodeTally::Entry& entry = played.totals[played.drawn[i]];
  std::string lines = fmt::format(
      "episode {}: {}\n",
      i + 1,
      entry.wealth.is_class()
          ? visible(entry.wealth.class_text())
          : fmt::format("{} {}", counting.noun(), wealth_figure(counting.shown(entry.wealth))));
  TextTable table({{"time"},
                   {"state", Align::left},
                   {"action", Align::left},
                   {counting.is_cost() ? "cost" : "reward"},
                   {"next", Align::left}});
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const Step& step = steps[t];
    table.add({fmt::format("{}", t),
               in_quotes(model.state_name(step.state)),
               in_quotes(model.action_name(step.choice)),
               reward_figure(model, step.reward),
               in_quotes(model.state_name(step.next))});
  }
  return lines + indented(table.text()) + '\n';
}

void write_steps(ReportJson& json, const std::vector<Step>& steps, const Model& model) {
  json.key("steps").begin_list();
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const Step& step = steps[t];
    json.begin_object().key("time").count(t).key("state").text(model.state_name(step.state));
    json.key("action").text(model.action_name(step.choice));
    json.key("reward").raw(reward_json(model, step.reward));
    json.key("next").text(model.state_name(step.next));
    json.end_object();
  }
  json.end_list();
}

}  // namespace

std::string simulation_json(const Simulation& simulation, const Model& model) {
  const Counting counting(simulation.model);
  const EpisodeTally& played = simulation.played;
  const Summary summary = summarise(played, counting);
  ReportJson json("quantiplan-simulation/1");
  json.model(simulation.model).key("policy").text(simulation.policy);
  json.key("seed").count(simulation.seed).key("asked").count(simulation.asked);
  json.key("count").count(played.episodes);
  if (!summary.by_class) json.optional_value("mean", summary.mean).key("slack").exact(played.slack);
  json.key("totals").begin_list();
  for (const EpisodeTally::Entry& entry : summary.counts)
    json.raw(fmt::format(
        R"({{"wealth": {}, "count": {}}})", level_json(entry.wealth, model), entry.count));
  json.end_list().key("episodes").begin_list();
  for (std::size_t i = 0; i < played.drawn.size(); ++i) {
    const EpisodeTally::Entry& entry = played.totals[played.drawn[i]];
    json.begin_object().key("wealth");
    json.raw(level_json(counting.shown(entry.wealth), model));
    if (simulation.trace) write_steps(json, played.steps[i], model);
    json.end_object();
  }
  return json.end_list().finish();
}

std::string simulation_text(const Simulation& simulation,
                            const Model& model,
                            const ReportOptions& options) {
  const Counting counting(simulation.model);
  const Summary summary = summarise(simulation.played, counting);
  const std::size_t count = simulation.played.episodes;
  std::string text = model_line(simulation.model);
  text += fmt::format("Policy {}, seed {}\n\n", in_quotes(simulation.policy), simulation.seed);
  if (simulation.trace) {
    const Shown shown = shown_rows(count, options.most_rows);
    for (std::size_t i = 0; i < count; ++i) {
      if (i == shown.head && shown.head + shown.tail < count) {
        const std::size_t hidden = count - shown.head - shown.tail;
        text += fmt::format("... {} more{}\n\n", hidden, kMoreHint);
        i += hidden - 1;
        continue;
      }
      text += trace_lines(simulation.played, i, model, counting);
    }
  }
  if (count < simulation.asked)
    text += fmt::format("Ended early: {} episodes were asked for.\n", simulation.asked);
  if (count == 0) return text;
  text += count_figure(count, "episode", "episodes");
  if (summary.mean)
    text += fmt::format(", mean {} {}", counting.noun(), mean_figure(*summary.mean));
  text += '\n';
  if (simulation.played.slack > 0) {
    text += fmt::format("Episodes have no end: what would follow changes a {} by at most {}.\n",
                        counting.noun(),
                        size_figure(simulation.played.slack));
  }
  text += '\n';
  // Totals that hardly ever repeat say more as a histogram.
  const bool is_long = options.most_rows > 0 && summary.counts.size() > options.most_rows;
  if (is_long && !summary.by_class) return text + histogram_of(summary, count, counting, options);
  return text + counts_table(summary, count, counting, options);
}

}  // namespace quantiplan
