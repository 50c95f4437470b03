// quantiplan threshold: the greatest probability of at least a given total.
#include <fmt/format.h>

#include <algorithm>

#include "arguments.hpp"
#include "commands.hpp"
#include "policy_files.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "watched_call.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kThresholdExamples =
    "Examples:\n"
    "  quantiplan threshold commute.json --target -40\n"
    "  quantiplan threshold trip.json --target 30,45 --cost --goal home\n"
    "  quantiplan threshold trip.json --target -inf --goal home --horizon infinite\n"
    "  quantiplan threshold trip.json --target 5,9 --policy-out 'p-{target}.json'\n";

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
                    "costs, costs y and P(C <= y), inf for the goal alone")
        ->required()
        ->type_name("Y[,Y...]")
        ->allow_extra_args(false);
    setting.declare(command);
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

  // As the user gave them, each once.
  [[nodiscard]] std::vector<Total> targets() const {
    std::vector<Total> wanted;
    for (const std::string& text : split(target)) wanted.push_back(to_total(text, "--target"));
    return distinct(wanted);
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
                                                const std::vector<Total>& wanted) {
    std::vector<PolicyToWrite> policies;
    for (std::size_t i = 0; i < answer.results.size(); ++i) {
      policies.push_back({answer.results[i].policy,
                          fmt::format("no policy is known for target {}", to_text(wanted[i]))});
    }
    return policies;
  }

  [[nodiscard]] ExitCode run() const {
    Options options = engine.options();
    options.check = check;
    const std::vector<Total> wanted = targets();
    ThresholdQuery query;
    query.setting = setting.setting();
    const std::vector<InputFile> inputs = model_inputs(model.path);
    output.check_writable(inputs);
    const PolicyFiles files(policy_out, policy_names(wanted), inputs);
    files.keep_apart_from(output.output.value_or("-"));
    const ReadModel read = model.read(output.quiet, options);
    const Model& given = read.model;
    setting.add_goal(read, query.setting);
    const bool is_cost = has_costs(given, query.setting);
    query.targets = in_wealth(wanted, is_cost);
    const double limit = options.time_limit_seconds;
    const ThresholdAnswer answer = [&] {
      const TimeTaken taken(options);
      return watched(options, output.quiet, is_cost, [&](const Options& watching) {
        return threshold(given, query, watching);
      });
    }();
    const TimeLeft clock(limit, options.time_limit_seconds);
    const ExitCode written =
        files.write(policies_of(answer, wanted), given, options, clock, output.quiet);
    output.write(output.json ? threshold_json(answer) : threshold_text(answer));
    return worse(written, exit_code_of(answer));
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
