#include <fmt/format.h>

#include <map>

#include "figures.hpp"
#include "heading.hpp"
#include "histogram.hpp"
#include "quantiplan/report.hpp"
#include "quoted.hpp"
#include "report_json.hpp"
#include "text_table.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kBarWidth = 30;

struct Summary {
  std::map<Rational, std::uint64_t> counts;
  Rational mean;
};

Summary summarise(const std::vector<Episode>& episodes) {
  Summary summary;
  for (const Episode& episode : episodes) ++summary.counts[episode.wealth];
  for (const auto& [wealth, count] : summary.counts)
    summary.mean += wealth * Rational(Integer(static_cast<unsigned long>(count)));
  if (!episodes.empty())
    summary.mean /= Rational(Integer(static_cast<unsigned long>(episodes.size())));
  return summary;
}

std::string counts_table(const Summary& summary,
                         std::size_t episodes,
                         const ReportOptions& options) {
  TextTable table({{"total w"}, {"episodes"}, {"share"}, {"", Align::left}});
  for (const auto& [wealth, count] : summary.counts) {
    const double share = static_cast<double>(count) / static_cast<double>(episodes);
    table.add({wealth_figure(wealth),
               fmt::format("{}", count),
               fmt::format("{:.4g}", share),
               bar(share, kBarWidth, options.unicode)});
  }
  return table.text(options.most_rows, kMoreHint);
}

std::string histogram_of(const Summary& summary,
                         std::size_t episodes,
                         const ReportOptions& options) {
  Distribution shares;
  for (const auto& [wealth, count] : summary.counts)
    shares.atoms.push_back(
        {wealth, {static_cast<double>(count) / static_cast<double>(episodes), std::nullopt}});
  return histogram_rows({{"", &shares}}, options.unicode) +
         fmt::format("{} different totals{}\n", summary.counts.size(), kMoreHint);
}

std::string trace_lines(const Episode& episode, std::size_t number, const Model& model) {
  std::string lines = fmt::format("episode {}: total {}\n", number, wealth_figure(episode.wealth));
  TextTable table({{"time"},
                   {"state", Align::left},
                   {"action", Align::left},
                   {"reward"},
                   {"next", Align::left}});
  for (std::size_t t = 0; t < episode.steps.size(); ++t) {
    const Step& step = episode.steps[t];
    table.add({fmt::format("{}", t),
               quoted(model.state_name(step.state)),
               quoted(model.action_name(step.choice)),
               wealth_figure(step.reward),
               quoted(model.state_name(step.next))});
  }
  return lines + indented(table.text()) + '\n';
}

void write_episode(ReportJson& json, const Episode& episode, bool trace, const Model& model) {
  json.begin_object().key("wealth").exact(episode.wealth);
  if (trace) {
    json.key("steps").begin_list();
    for (std::size_t t = 0; t < episode.steps.size(); ++t) {
      const Step& step = episode.steps[t];
      json.begin_object().key("time").count(t).key("state").text(model.state_name(step.state));
      json.key("action").text(model.action_name(step.choice));
      json.key("reward").exact(step.reward).key("next").text(model.state_name(step.next));
      json.end_object();
    }
    json.end_list();
  }
  json.end_object();
}

}  // namespace

std::string simulation_json(const Simulation& simulation, const Model& model) {
  const Summary summary = summarise(simulation.episodes);
  ReportJson json("quantiplan-simulation/1");
  json.model(simulation.model).key("policy").text(simulation.policy);
  json.key("seed").count(simulation.seed).key("asked").count(simulation.asked);
  json.key("count").count(simulation.episodes.size());
  std::optional<Value> mean;
  if (!simulation.episodes.empty()) mean = Value{0, summary.mean};
  json.optional_value("mean", mean).key("totals").begin_list();
  for (const auto& [wealth, count] : summary.counts)
    json.raw(fmt::format(R"({{"wealth": {}, "count": {}}})", exact_json(wealth), count));
  json.end_list().key("episodes").begin_list();
  for (const Episode& episode : simulation.episodes)
    write_episode(json, episode, simulation.trace, model);
  return json.end_list().finish();
}

std::string simulation_text(const Simulation& simulation,
                            const Model& model,
                            const ReportOptions& options) {
  const Summary summary = summarise(simulation.episodes);
  const std::size_t count = simulation.episodes.size();
  std::string text = model_line(simulation.model);
  text += fmt::format("Policy {}, seed {}\n\n", quoted(simulation.policy), simulation.seed);
  if (simulation.trace) {
    const Shown shown = shown_rows(count, options.most_rows);
    for (std::size_t i = 0; i < count; ++i) {
      if (i == shown.head && shown.head + shown.tail < count) {
        const std::size_t hidden = count - shown.head - shown.tail;
        text += fmt::format("... {} more{}\n\n", hidden, kMoreHint);
        i += hidden - 1;
        continue;
      }
      text += trace_lines(simulation.episodes[i], i + 1, model);
    }
  }
  if (count < simulation.asked)
    text += fmt::format("Ended early: {} episodes were asked for.\n", simulation.asked);
  if (count == 0) return text;
  text += fmt::format("{}, mean total {}\n\n",
                      count_figure(count, "episode", "episodes"),
                      mean_figure(Value{0, summary.mean}));
  // Totals that hardly ever repeat say more as a histogram.
  if (options.most_rows > 0 && summary.counts.size() > options.most_rows)
    return text + histogram_of(summary, count, options);
  return text + counts_table(summary, count, options);
}

}  // namespace quantiplan
