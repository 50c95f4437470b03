#include "experiment/experiment_runs.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <initializer_list>
#include <vector>

#include "experiment/experiment_model.hpp"
#include "experiment/experiment_table.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::cli {
namespace {

const Rational kTau(1, 10);
const Rational kEpsilon(1, 1000);
constexpr unsigned kThreads = 1;  // of runs whose time is taken

bool is_stopped(const ExperimentPlan& plan) { return plan.stop != nullptr && plan.stop->load(); }

std::string text_of(std::uint64_t value) { return std::to_string(value); }
std::string text_of(double value) { return fmt::format("{:.9g}", value); }
std::string text_of(const Total& total) {
  return total.is_finite() ? fmt::format("{}", to_nearest_double(total.value())) : to_text(total);
}

// One method on one model: as many cells as kMeasured has columns.
const Cells kMeasured{"outcomes",
                      "seconds",
                      "passes",
                      "seconds_per_pass",
                      "quantile",
                      "upper",
                      "certificate",
                      "limit_seconds"};
struct Measured {
  Cells cells;
  bool met_limit = false;
};

Measured measure(const Model& model, const std::string& method, const ExperimentPlan& plan) {
  Options options;
  options.threads = kThreads;
  options.epsilon = kEpsilon;
  options.stop = plan.stop;
  Query query;
  query.compare = false;
  query.taus = {kTau};
  double limit = 0;
  if (method == "paper") {
    options.engine = Engine::paper;
    limit = options.time_limit_seconds = plan.limit_seconds;
  } else {
    // Nobody waits for ever; what it has by then is a bracket all the same.
    limit = options.time_limit_seconds = 10 * plan.limit_seconds;
  }
  if (method == "quantiplan-99") {
    query.taus.clear();
    for (int i = 1; i < 100; ++i) query.taus.emplace_back(Rational(i, 100));
    for (Rational& tau : query.taus) tau.canonicalize();
  }
  const Answer answer = solve(model, query, options);
  // Of many taus, the one of the others.
  const Result& result = answer.results[method == "quantiplan-99" ? 9 : 0];
  Measured out;
  // It ends a little before or after.
  constexpr double kAbout = 0.95;
  out.met_limit = result.status == Status::limit_reached && answer.work.seconds >= kAbout * limit;
  const double seconds = out.met_limit ? limit : answer.work.seconds;
  const auto passes = std::max<std::uint64_t>(1, answer.work.passes);
  out.cells = {text_of(std::uint64_t{model.outcome_count()}),
               text_of(seconds),
               text_of(passes),
               text_of(seconds / static_cast<double>(passes)),
               text_of(*result.quantile),
               text_of(result.upper.value_or(*result.quantile)),
               out.met_limit ? "limit" : std::string(to_text(result.certificate)),
               text_of(limit)};
  return out;
}

Cells joined(std::initializer_list<Cells> parts) {
  Cells all;
  for (const Cells& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// What is asked of each model.
const Cells kQuestion{"tau", "side", "epsilon"};
Cells question() { return {to_text(kTau), std::string(to_text(Side::lower)), to_text(kEpsilon)}; }

// The key of a measured point: everything that it depends on, but for the machine and the limit.
Cells key_columns(std::string_view domain) {
  return joined({parameter_columns(domain), kQuestion, {"threads", "method"}});
}

// A point of a figure: its model, what solves it, and which line of the figure it is on.
struct Point {
  ExperimentModel model;
  std::string method;
  // Once a point of a line met its limit, those that follow on it are given up.
  std::string line;

  [[nodiscard]] Cells key() const {
    return joined({model.values(), question(), {text_of(std::uint64_t{kThreads}), method}});
  }
};

// "quantiplan, states 250, branching 8, rewards uniform, seed 1"
std::string what_is_run(const Point& point) {
  std::string text = point.method;
  for (const GivenParameter& each : point.model.given)
    text += fmt::format(", {} {}", each.name, each.text);
  return text;
}

bool run_points(const ExperimentPlan& plan, ExperimentTable& table, const std::vector<Point>& all) {
  std::vector<std::string> given_up;
  const auto is_given_up = [&](const Point& point) {
    return !point.line.empty() &&
           std::find(given_up.begin(), given_up.end(), point.line) != given_up.end();
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Point& point = all[i];
    if (is_given_up(point)) continue;
    const Cells key = point.key();
    if (!table.has(key)) {
      if (is_stopped(plan)) return false;
      plan.report(what_is_run(point), i, all.size());
      const Measured measured = measure(point.model.make(), point.method, plan);
      if (is_stopped(plan)) return false;
      table.add(joined({key, measured.cells}));
      table.save();
    }
    const Cells row = table.row(key);
    if (row[row.size() - 2] == "limit") given_up.push_back(point.line);
  }
  return true;
}

ExperimentTable table_of(const ExperimentPlan& plan, const char* file, std::string_view domain) {
  const Cells key = key_columns(domain);
  return {plan.folder + file, joined({key, kMeasured}), key.size()};
}

std::uint64_t branching_of(std::uint64_t states) {
  return std::uint64_t{static_cast<unsigned>(std::bit_width(states - 1))};  // ceil(log2 states)
}

Point garnet_point(std::uint64_t states, std::uint64_t seed, const std::string& method) {
  return {{"garnet",
           {{"states", text_of(states)},
            {"branching", text_of(branching_of(states))},
            {"rewards", "uniform"},
            {"seed", text_of(seed)}}},
          method,
          {}};
}

Point datacenter_point(std::uint64_t servers, std::uint64_t horizon, const std::string& method) {
  return {{"datacenter", {{"servers", text_of(servers)}, {"horizon", text_of(horizon)}}},
          method,
          method + text_of(servers)};
}

}  // namespace

bool run_fig1(const ExperimentPlan& plan) {
  ExperimentTable table = table_of(plan, "/fig1.csv", "garnet");
  std::vector<Point> points;
  const std::uint64_t seeds = plan.quick ? 2 : 10;
  const std::vector<std::uint64_t> sizes =
      plan.quick ? std::vector<std::uint64_t>{20, 40}
                 : std::vector<std::uint64_t>{250, 500, 750, 1000, 1250, 1500, 1750, 2000, 2250};
  for (const std::uint64_t states : sizes) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      for (const char* method : {"paper", "quantiplan", "quantiplan-99"})
        points.push_back(garnet_point(states, seed, method));
    }
  }
  if (plan.beyond) {
    const std::vector<std::uint64_t> larger =
        plan.quick ? std::vector<std::uint64_t>{80}
                   : std::vector<std::uint64_t>{5000, 10'000, 20'000, 50'000, 100'000};
    for (const std::uint64_t states : larger) {
      for (std::uint64_t seed = 1; seed <= (plan.quick ? 1U : 3U); ++seed) {
        for (const char* method : {"quantiplan", "quantiplan-99"})
          points.push_back(garnet_point(states, seed, method));
      }
    }
  }
  return run_points(plan, table, points);
}

bool run_fig2(const ExperimentPlan& plan) {
  ExperimentTable table = table_of(plan, "/fig2.csv", "datacenter");
  std::vector<Point> points;
  const std::vector<std::uint64_t> servers =
      plan.quick ? std::vector<std::uint64_t>{2, 3} : std::vector<std::uint64_t>{20, 30, 40};
  const std::uint64_t longest = plan.quick ? 3 : 10;
  for (const std::uint64_t n : servers) {
    for (std::uint64_t horizon = 1; horizon <= longest; ++horizon) {
      for (const char* method : {"paper", "quantiplan", "quantiplan-99"})
        points.push_back(datacenter_point(n, horizon, method));
    }
  }
  if (plan.beyond) {
    const std::vector<std::uint64_t> longer =
        plan.quick ? std::vector<std::uint64_t>{6}
                   : std::vector<std::uint64_t>{10, 30, 100, 300, 1000};
    // Few servers, too: with them a thousand steps are soon done.
    std::vector<std::uint64_t> sizes = servers;
    if (!plan.quick) sizes.insert(sizes.begin(), 10);
    for (const std::uint64_t n : sizes) {
      for (const std::uint64_t horizon : longer) {
        for (const char* method : {"quantiplan", "quantiplan-99"})
          points.push_back(datacenter_point(n, horizon, method));
      }
    }
  }
  return run_points(plan, table, points);
}

bool run_fig3(const ExperimentPlan& plan) {
  // The summary has all parameters; of these, the laws have what a figure is labelled with.
  constexpr std::array kShown{"states", "actions", "branching", "horizon", "rewards", "seed"};
  const Cells shown(kShown.begin(), kShown.end());
  ExperimentTable laws(
      plan.folder + "/fig3.csv",
      joined({shown, kQuestion, {"policy", "wealth", "probability", "cumulative"}}),
      shown.size() + kQuestion.size() + 2);
  const Cells made_from = parameter_columns("garnet");
  ExperimentTable summary(
      plan.folder + "/fig3-summary.csv",
      joined({made_from, kQuestion, {"policy", "quantile", "mean", "at_least"}}),
      made_from.size() + kQuestion.size() + 1);
  const std::uint64_t seeds = plan.quick ? 2 : 10;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const ExperimentModel source{"garnet",
                                 {{"states", plan.quick ? "30" : "100"},
                                  {"branching", plan.quick ? "4" : "7"},
                                  {"rewards", "skewed"},
                                  {"seed", text_of(seed)}}};
    if (summary.has(joined({source.values(), question(), {"expectation"}}))) continue;
    if (is_stopped(plan)) return false;
    plan.report(fmt::format("seed {}", seed), seed - 1, seeds);
    const Model model = source.make();
    Options options;
    options.epsilon = kEpsilon;
    options.stop = plan.stop;
    Query query;
    query.taus = {kTau};
    const Answer answer = solve(model, query, options);
    if (is_stopped(plan)) return false;
    const Result& result = answer.results.front();
    Cells law_key;
    for (const char* name : kShown) law_key.push_back(source.value(name));
    const auto add = [&](const char* policy, const Distribution& law) {
      double cumulative = 0;
      for (const Atom& atom : law.atoms) {
        cumulative += atom.probability.nearest;
        laws.add(joined({law_key,
                         question(),
                         {policy,
                          text_of(atom.wealth),
                          text_of(atom.probability.nearest),
                          text_of(cumulative)}}));
      }
      summary.add(joined({source.values(),
                          question(),
                          {policy,
                           text_of(law.quantile(kTau, Side::lower).lower),
                           text_of(law.mean.nearest),
                           text_of(law.at_least(*result.quantile).nearest)}}));
    };
    add("quantile", result.distribution());
    add("expectation", evaluate(model, expectation_policy(model, {}, options), options));
    // The laws first: the summary says that a seed is done.
    laws.save();
    summary.save();
  }
  return true;
}

}  // namespace quantiplan::cli
