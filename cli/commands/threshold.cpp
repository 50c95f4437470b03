// quantiplan threshold: the greatest probability of at least a given total, or class of wealth.
#include <fmt/format.h>

#include <algorithm>

#include "arguments/arguments.hpp"
#include "commands/by_initial.hpp"
#include "commands/commands.hpp"
#include "commands/policy_files.hpp"
#include "console/watched_call.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kThresholdExamples =
    "Examples:\n"
    "  quantiplan threshold commute.json --target -40\n"
    "  quantiplan threshold trip.json --target 30,45 --cost --goal home\n"
    "  quantiplan threshold trip.json --target -inf --goal home --horizon infinite\n"
    "  quantiplan threshold trip.json --target 5,9 --policy-out 'p-{target}.json'\n"
    "  quantiplan threshold medals.json --target '2 gold' --target '1 gold, 1 silver'\n";

ExitCode exit_code_of(const ThresholdAnswer& answer) {
  ExitCode code = ExitCode::solved;
  for (const ThresholdResult& result : answer.results) {
    if (result.status != Status::solved) code = worse(code, ExitCode::ended_early);
    if (result.check) code = worse(code, exit_code(*result.check));
  }
  return code;
}

struct ThresholdArguments {
  ModelArgument model;
  std::vector<std::string> target;
  SettingArguments setting;
  EngineArguments engine;
  OutputArguments output;
  bool check = false;
  std::optional<std::string> policy_out;

  void declare(CLI::App& command) {
    model.declare(command);
    command
        .add_option("--target",
                    target,
                    "totals y whose greatest P(W >= y) is wanted, -inf for the goal alone; with "
                    "costs, costs y and P(C <= y), inf for the goal alone; a class of wealth by "
                    "its text, one at a time")
        ->required()
        ->type_name("Y[,Y...]")
        ->allow_extra_args(false);
    setting.declare(command);
    setting.declare_goal_ends(command);
    engine.declare(command);
    command.add_flag(
        "--check", check, "confirm each result with code that shares nothing with the engines");
    output.declare(command, false);
    add_text(command,
             "--policy-out",
             policy_out,
             "write the policy to FILE; {target} in its name tells several apart")
        ->type_name("FILE")
        ->group("Output");
  }

  // As the user gave them, each once, and how they are written.
  struct Targets {
    std::vector<Total> totals;
    std::vector<std::string> texts;
  };

  // Texts of classes may have commas in them: they come one at a time.
  [[nodiscard]] Targets targets(const Wealth& wealth) const {
    Targets wanted;
    const bool is_list = wealth.is_sum() || wealth.is_numeric();
    for (const std::string& text : is_list ? split(target) : target) {
      if (wealth.is_sum())
        wanted.totals.push_back(to_total(text, "--target"));
      else
        wanted.texts.push_back(wealth.written(text));
    }
    wanted.totals = distinct(wanted.totals);
    wanted.texts = distinct(wanted.texts);
    for (const Total& total : wanted.totals) wanted.texts.push_back(to_text(total));
    return wanted;
  }

  [[nodiscard]] bool are_numbers() const {
    return std::ranges::all_of(split(target), [](const std::string& text) {
      return text == "inf" || text == "-inf" || Number::try_parse(text).has_value();
    });
  }

  [[nodiscard]] PolicyFiles files_of(const Targets& wanted,
                                     const std::vector<InputFile>& inputs) const {
    PolicyFiles files(policy_out, policy_names(wanted.texts), inputs);
    files.keep_apart_from(output.output.value_or("-"));
    return files;
  }

  // In wealth. Nothing can be more than every number.
  static std::vector<Total> in_wealth(const std::vector<Total>& wanted, bool is_cost) {
    std::vector<Total> wealth;
    for (const Total& total : wanted) {
      wealth.push_back(to_wealth(total, is_cost));
      if (wealth.back() == Total::plus_infinity()) {
        throw Error(ErrorCode::bad_request,
                    "--target",
                    fmt::format("found {}, expected a number, or {} for the goal alone",
                                to_text(total),
                                is_cost ? "inf" : "-inf"));
      }
    }
    return wealth;
  }

  static std::vector<PolicyToWrite> policies_of(const ThresholdAnswer& answer,
                                                const Targets& wanted) {
    std::vector<PolicyToWrite> policies;
    for (std::size_t i = 0; i < answer.results.size(); ++i) {
      policies.push_back({answer.results[i].policy,
                          fmt::format("no policy is known for target {}", wanted.texts[i])});
    }
    return policies;
  }

  [[nodiscard]] ExitCode run() const {
    Options options = engine.options();
    options.check = check;
    ThresholdQuery query;
    query.setting = setting.setting();
    const std::vector<InputFile> inputs = model_inputs(model.path);
    output.check_writable(inputs);
    // Numbers are read alike whatever the wealth is: their files are looked at before the model.
    if (are_numbers()) static_cast<void>(files_of(targets(Wealth{}), inputs));
    const ReadModel read = model.read(output.quiet, options);
    Model given = read.model;
    const Targets wanted = targets(given.wealth());
    const PolicyFiles files = files_of(wanted, inputs);
    setting.add_states(read, query.setting, output.quiet, /*may_be_several=*/true);
    const std::vector<State> starts = setting.starts(read, query.setting);
    setting.apply_goal_ends(given, query.setting);
    const bool goes_on = given.state_count() != read.model.state_count();
    if (goes_on && policy_out) refuse_going_on();
    const bool is_cost = has_costs(given, query.setting);
    if (given.wealth().is_sum())
      query.targets = in_wealth(wanted.totals, is_cost);
    else
      query.levels = wanted.texts;
    if (!starts.empty()) {
      if (!options.checkpoint.empty()) refuse_with_several("--checkpoint", starts.size());
      if (policy_out) refuse_with_several("--policy-out", starts.size());
      return threshold_by_initial(given, starts, query, wanted.texts, options, output);
    }
    const double limit = options.time_limit_seconds;
    const ThresholdAnswer answer = [&] {
      const TimeTaken taken(options);
      return watched(options, output.quiet, is_cost, [&](const Options& watching) {
        return threshold(given, query, watching);
      });
    }();
    const TimeLeft clock(limit, options.time_limit_seconds);
    const ExitCode written =
        policy_out ? files.write(policies_of(answer, wanted), given, options, clock, output.quiet)
                   : ExitCode::solved;
    ReportOptions shape = output.report_options();
    const CutReport cut(shape, clock);
    output.write(output.json ? threshold_json(answer, shape) : threshold_text(answer, shape));
    return worse(worse(written, cut.exit_code()), exit_code_of(answer));
  }
};

}  // namespace

void add_threshold(CLI::App& program, Action& action) {
  add_command<ThresholdArguments>(program,
                                  action,
                                  "threshold",
                                  "The greatest probability of at least a given total",
                                  kThresholdExamples);
}

}  // namespace quantiplan::cli
