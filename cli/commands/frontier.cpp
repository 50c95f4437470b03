// quantiplan frontier: the best probability of every total, and the quantile of every tau.
#include <algorithm>

#include "arguments/arguments.hpp"
#include "commands/by_initial.hpp"
#include "commands/commands.hpp"
#include "console/watched_call.hpp"
#include "quantiplan/criteria.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kFrontierExamples =
    "Examples:\n"
    "  quantiplan frontier commute.json\n"
    "  quantiplan frontier commute.json --tau 0.1,0.5,0.9 --side both --all\n"
    "  quantiplan frontier commute.json --json -o curve.json\n"
    "  quantiplan frontier trip.json --horizon infinite --cost --goal home\n"
    "  quantiplan frontier commute.json --criterion cvar\n"
    "  quantiplan frontier commute.json --criterion mean-variance\n";

struct FrontierArguments {
  ModelArgument model;
  QuantileArguments quantiles;
  SettingArguments setting;
  EngineArguments engine;
  OutputArguments output;
  std::optional<std::string> criterion;

  void declare(CLI::App& command) {
    model.declare(command);
    quantiles.declare(command, false);
    add_text(command,
             "--criterion",
             criterion,
             "instead: the greatest value of a criterion, cvar for every tau or mean-variance for "
             "every lambda")
        ->type_name("WHAT");
    setting.declare(command);
    engine.declare(command);
    output.declare(command, true);
  }

  [[nodiscard]] ExitCode draw(const Model& given,
                              const Query& query,
                              const Options& options,
                              bool is_cost) const {
    const Answer curve = watched(options, output.quiet, is_cost, [&](const Options& watching) {
      return criterion_curve(given, query, watching);
    });
    output.write(output.json ? criterion_curve_json(curve)
                             : criterion_curve_text(curve, output.report_options()));
    const bool is_solved = std::ranges::all_of(
        curve.results, [](const Result& result) { return result.status == Status::solved; });
    return is_solved ? ExitCode::solved : ExitCode::ended_early;
  }

  [[nodiscard]] ExitCode run() const {
    Options options = engine.options();
    Query query = quantiles.query(setting, usual_taus());
    if (criterion) query.criterion = parse_curve_criterion(*criterion);
    const bool by_quantile = query.criterion.kind == Criterion::Kind::quantile;
    if (!by_quantile &&
        (!quantiles.tau.empty() || !quantiles.probability.empty() || quantiles.side != "lower"))
      throw Error(
          ErrorCode::bad_request,
          !quantiles.tau.empty()           ? "--tau"
          : !quantiles.probability.empty() ? "--probability"
                                           : "--side",
          "found with --criterion, expected neither: the curve has every tau, or every lambda");
    output.check_writable(model_inputs(model.path));
    const ReadModel read = model.read(output.quiet, options);
    const Model& given = read.model;
    setting.add_states(read, query.setting, output.quiet, /*may_be_several=*/true);
    const std::vector<State> starts = setting.starts(read, query.setting);
    const bool is_cost = has_costs(given, query.setting);
    if (!starts.empty()) {
      if (!by_quantile) refuse_with_several("--criterion", starts.size());
      if (!options.checkpoint.empty()) refuse_with_several("--checkpoint", starts.size());
      return frontier_by_initial(given, starts, query, options, output);
    }
    if (!by_quantile) return draw(given, query, options, is_cost);
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
