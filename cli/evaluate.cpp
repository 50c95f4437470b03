// quantiplan evaluate: the distribution of a policy, exact or with the bounds that are known.
#include "arguments.hpp"
#include "commands.hpp"
#include "quantiplan/solve.hpp"
#include "watched_call.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  quantiplan evaluate commute.json --policy expectation\n"
    "  quantiplan evaluate commute.json --policy policy.json --tau 0.1 --side both\n"
    "  quantiplan evaluate commute.json --policy policy.json --at-least -40,-55\n"
    "  quantiplan evaluate trip.json --policy policy.json --at-least 3,inf\n";

struct EvaluateArguments {
  ModelArgument model;
  PolicyArgument policy;
  QuantileArguments quantiles;
  SettingArguments setting;
  EngineArguments engine;
  OutputArguments output;
  std::vector<std::string> at_least;

  void declare(CLI::App& command) {
    model.declare(command);
    policy.declare(command);
    quantiles.declare(command, false);
    command
        .add_option("--at-least",
                    at_least,
                    "totals w whose probability P(W >= w) is wanted; with costs, costs c and "
                    "P(C <= c)")
        ->type_name("W[,W...]")
        ->allow_extra_args(false);
    setting.declare(command);
    engine.declare(command);
    output.declare(command, true);
  }

  [[nodiscard]] std::vector<Total> thresholds() const {
    std::vector<Total> wanted;
    for (const std::string& text : split(at_least)) wanted.push_back(to_total(text, "--at-least"));
    return wanted;
  }

  [[nodiscard]] ExitCode run() const {
    const Options options = engine.options();
    const std::vector<Question> asked = questions(quantiles.query(setting, usual_taus()));
    const std::vector<Total> wanted = thresholds();
    require_one_standard_input(model.path, policy.policy, "--policy");
    output.check_writable({{"the model", model.path}, policy.input()});
    const Model given = model.read(output.quiet);
    const Policy played = policy.get(given, setting, options);
    Evaluation evaluation;
    evaluation.model = facts(given, played.setting);
    evaluation.policy = policy.policy;
    const bool is_cost = played.setting.cost;
    evaluation.distribution = watched(options, output.quiet, is_cost, [&](const Options& watching) {
      return evaluate(given, played, watching);
    });
    for (const Question& question : asked) {
      evaluation.quantiles.push_back(evaluation.distribution.quantile(question.tau, question.side));
    }
    for (const Total& total : wanted) {
      const Total wealth = to_wealth(total, is_cost);
      evaluation.at_least.push_back({wealth, evaluation.distribution.at_least(wealth)});
    }
    output.write(output.json ? evaluation_json(evaluation)
                             : evaluation_text(evaluation, output.report_options()));
    return ExitCode::solved;
  }
};

}  // namespace

void add_evaluate(CLI::App& program, Action& action) {
  add_command<EvaluateArguments>(
      program, action, "evaluate", "The distribution of a policy's total", kExamples);
}

}  // namespace quantiplan::cli
