// quantiplan frontier: the best probability of every total, and the quantile of every tau.
#include "arguments.hpp"
#include "commands.hpp"
#include "quantiplan/solve.hpp"
#include "watched_call.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kFrontierExamples =
    "Examples:\n"
    "  quantiplan frontier commute.json\n"
    "  quantiplan frontier commute.json --tau 0.1,0.5,0.9 --side both --all\n"
    "  quantiplan frontier commute.json --json -o curve.json\n"
    "  quantiplan frontier trip.json --horizon infinite --cost --goal home\n";

struct FrontierArguments {
  ModelArgument model;
  QuantileArguments quantiles;
  SettingArguments setting;
  EngineArguments engine;
  OutputArguments output;

  void declare(CLI::App& command) {
    model.declare(command);
    quantiles.declare(command, false);
    setting.declare(command);
    engine.declare(command);
    output.declare(command, true);
  }

  [[nodiscard]] ExitCode run() const {
    Options options = engine.options();
    Query query = quantiles.query(setting, usual_taus());
    output.check_writable(model_inputs(model.path));
    const ReadModel read = model.read(output.quiet, options);
    const Model& given = read.model;
    setting.add_goal(read, query.setting);
    const bool is_cost = has_costs(given, query.setting);
    const Frontier curve = watched(options, output.quiet, is_cost, [&](const Options& watching) {
      return frontier(given, query, watching);
    });
    output.write(output.json ? frontier_json(curve)
                             : frontier_text(curve, output.report_options()));
    return curve.status == Status::solved ? ExitCode::solved : ExitCode::ended_early;
  }
};

}  // namespace

void add_frontier(CLI::App& program, Action& action) {
  add_command<FrontierArguments>(program,
                                 action,
                                 "frontier",
                                 "The best probability of every total: the whole curve",
                                 kFrontierExamples);
}

}  // namespace quantiplan::cli
