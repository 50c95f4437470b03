// quantiplan solve: the policies with the greatest quantiles.
#include "quantiplan/solve.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "arguments.hpp"
#include "commands.hpp"
#include "policy_files.hpp"
#include "quantiplan/error.hpp"
#include "watched_call.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  quantiplan solve commute.json --tau 0.1\n"
    "  quantiplan solve commute.json --tau 0.1,1/3 --side both --json\n"
    "  quantiplan solve commute.json --tau 0.1 --distribution --check\n"
    "  quantiplan solve commute.json --tau 0.1,0.5 --policy-out 'policy-{tau}.json'\n"
    "  quantiplan solve trip.json --tau 0.1 --horizon infinite --goal home --cost\n"
    "  quantiplan solve trip.json --tau 0.1 --side upper --adversarial\n";

ExitCode exit_code_of(const Answer& answer) {
  ExitCode code = ExitCode::solved;
  for (const Result& result : answer.results) {
    if (result.status != Status::solved) code = worse(code, ExitCode::ended_early);
    if (result.check) code = worse(code, exit_code(*result.check));
  }
  return code;
}

std::vector<PolicyToWrite> policies_of(const Answer& answer) {
  std::vector<PolicyToWrite> policies;
  for (const Result& result : answer.results) {
    policies.push_back({result.policy,
                        fmt::format("no policy {} tau {}, {} side",
                                    result.attained ? "is known for" : "attains the quantile of",
                                    to_text(result.tau),
                                    to_text(result.side))});
  }
  return policies;
}

struct SolveArguments {
  ModelArgument model;
  QuantileArguments quantiles;
  SettingArguments setting;
  EngineArguments engine;
  OutputArguments output;
  bool check = false;
  bool distribution = false;
  bool no_comparison = false;
  std::optional<std::string> policy_out;

  void declare(CLI::App& command) {
    model.declare(command);
    quantiles.declare(command, true);
    setting.declare(command);
    engine.declare(command);
    command.add_flag(
        "--check", check, "confirm each result with code that shares nothing with the engines");
    command.add_flag("--no-comparison",
                     no_comparison,
                     "leave out means and the expectation-optimal policy, which saves some time");
    output.declare(command, false);
    command.add_flag("--distribution", distribution, "show the distribution of each policy too")
        ->group("Output");
    add_text(command,
             "--policy-out",
             policy_out,
             "write the policy to FILE; {tau} and {side} in its name tell several apart")
        ->type_name("FILE")
        ->group("Output");
  }

  [[nodiscard]] std::string text_of(const Answer& answer, const ReportOptions& shape) const {
    return output.json ? answer_json(answer, shape) : answer_text(answer, shape);
  }

  // To be shown beside the policies'. None where the answer has no such policy to compare with
  // because the setting has none, as an adversary's. Throws Error(refused) if it is too large.
  static std::optional<Distribution> expectation(const Model& given,
                                                 const Setting& wanted,
                                                 const Answer& answer,
                                                 const Options& options) {
    const ModelFacts& facts = answer.model;
    const bool is_usual =
        !facts.adversarial && facts.goal_states == 0 && facts.horizon != kInfiniteHorizon;
    const bool is_compared = std::ranges::any_of(
        answer.results, [](const Result& r) { return r.expectation_policy.has_value(); });
    if (!is_usual && !is_compared) return std::nullopt;
    return evaluate(given, expectation_policy(given, wanted, options), options);
  }

  // The report, with distributions if they are asked for. An answer must not be lost because its
  // distribution is too large: then it comes alone, as a partial answer.
  ExitCode write_report(const Model& given,
                        const Setting& wanted,
                        const Answer& answer,
                        const Options& options) const {
    ReportOptions shape = output.report_options();
    if (distribution) {
      try {
        const std::optional<Distribution> other = expectation(given, wanted, answer, options);
        shape.distributions = true;
        shape.expectation = other ? &*other : nullptr;
        output.write(text_of(answer, shape));
        return ExitCode::solved;
      } catch (const Error& error) {
        if (error.code() != ErrorCode::refused) throw;
        print_error(std::string("quantiplan: --distribution: left out: ") + error.what());
        shape.distributions = false;
        shape.expectation = nullptr;
      }
    }
    output.write(text_of(answer, shape));
    return distribution ? ExitCode::ended_early : ExitCode::solved;
  }

  [[nodiscard]] ExitCode run() const {
    Options options = engine.options();
    options.check = check;
    Query query = quantiles.query(setting);
    query.compare = !no_comparison;
    const std::vector<InputFile> inputs{{"the model", model.path}};
    output.check_writable(inputs);
    const PolicyFiles files(policy_out, policy_names(questions(query)), inputs);
    files.keep_apart_from(output.output.value_or("-"));
    const ReadModel read = model.read(output.quiet, options.memory_limit_bytes);
    const Model& given = read.model;
    setting.add_goal(read, query.setting);
    const bool is_cost = has_costs(given, query.setting);
    const Answer answer = watched(options, output.quiet, is_cost, [&](const Options& watching) {
      return solve(given, query, watching);
    });
    // The report comes last: if a policy cannot be written, standard output stays empty.
    files.write(policies_of(answer), given, output.quiet);
    return worse(write_report(given, query.setting, answer, options), exit_code_of(answer));
  }
};

}  // namespace

void add_solve(CLI::App& program, Action& action) {
  add_command<SolveArguments>(
      program, action, "solve", "The policies with the greatest tau-quantiles", kExamples);
}

}  // namespace quantiplan::cli
