// quantiplan evaluate: the distribution of a policy, exact or with the bounds that are known.
#include <fmt/format.h>

#include <algorithm>

#include "arguments/arguments.hpp"
#include "commands/commands.hpp"
#include "console/watched_call.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/measures.hpp"
#include "quantiplan/solve.hpp"
#include "quantiplan/utility.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kEvaluateExamples =
    "Examples:\n"
    "  quantiplan evaluate commute.json --policy expectation\n"
    "  quantiplan evaluate commute.json --policy policy.json --tau 0.1 --side both\n"
    "  quantiplan evaluate commute.json --policy policy.json --at-least -40,-55\n"
    "  quantiplan evaluate trip.json --policy policy.json --at-least 3,inf\n"
    "  quantiplan evaluate commute.json --policy policy.json --measures cvar,evar\n"
    "  quantiplan evaluate commute.json --policy policy.json --utility bonus.csv\n";

// Which measures of the distribution are wanted, and what they need.
struct MeasureArguments {
  std::string measures = "all";
  std::vector<std::string> beta;
  std::optional<std::string> utility;

  void declare(CLI::App& command) {
    command
        .add_option("--measures",
                    measures,
                    "what to tell of the distribution: quantile, cvar, evar, mean, "
                    "standard-deviation, worst-case, best-case, entropic, utility, or all (the "
                    "default)")
        ->type_name("NAME[,NAME...]");
    command
        .add_option("--beta",
                    beta,
                    "aversions to risk of the entropic measure, per unit of reward (default "
                    "0.01,0.1,1)")
        ->type_name("B[,B...]")
        ->allow_extra_args(false);
    add_text(command,
             "--utility",
             utility,
             "a utility whose expectation is wanted: a file with a table of points, or "
             "exponential(beta), power(exponent[, origin]), logarithm[(origin)], target(level, "
             "penalty)")
        ->type_name("FILE|NAME(...)");
  }

  [[nodiscard]] MeasureQuery query(const std::vector<Question>& asked) const {
    MeasureQuery query;
    query.measures = parse_measures(measures);
    for (const Question& question : asked) query.taus.push_back(question.tau);
    query.taus = distinct(query.taus);
    static const std::vector<std::string> usual = {"0.01", "0.1", "1"};
    for (const std::string& text : beta.empty() ? usual : split(beta)) {
      query.betas.push_back(to_number(text, "--beta"));
      if (query.betas.back() <= 0)
        throw Error(ErrorCode::bad_request, "--beta", "found " + text + ", expected more than 0");
    }
    query.betas = distinct(query.betas);
    if (utility) {
      query.utility = utility_of(*utility);
    } else if (measures.find("utility") != std::string::npos) {
      throw Error(
          ErrorCode::bad_request, "--measures", "utility needs --utility, which is missing");
    }
    return query;
  }
  static bool has(Measure measure, const MeasureQuery& query) {
    return std::ranges::find(query.measures, measure) != query.measures.end();
  }
};

struct EvaluateArguments {
  ModelArgument model;
  PolicyArgument policy;
  QuantileArguments quantiles;
  MeasureArguments measures;
  SettingArguments setting;
  EngineArguments engine;
  OutputArguments output;
  std::vector<std::string> at_least;

  void declare(CLI::App& command) {
    model.declare(command);
    policy.declare(command);
    quantiles.declare(command, false);
    measures.declare(command);
    command
        .add_option("--at-least",
                    at_least,
                    "totals w whose probability P(W >= w) is wanted; with costs, costs c and "
                    "P(C <= c); a class of wealth by its text, one at a time")
        ->type_name("W[,W...]")
        ->allow_extra_args(false);
    setting.declare(command);
    engine.declare(command);
    output.declare(command, true);
  }

  // Texts of classes may have commas in them: they come one at a time.
  void add_classes(const Model& given, Evaluation& evaluation) const {
    const bool is_list = given.wealth().is_numeric();
    for (const std::string& text : is_list ? split(at_least) : at_least) {
      const WealthClasses& classes = *evaluation.distribution.classes;
      const auto position = position_of(text, classes, given.wealth());
      if (!position) refuse_unmet_class("--at-least", text, classes);
      const Level at(evaluation.distribution.classes, *position);
      evaluation.at_least.push_back({at, evaluation.distribution.at_least(at)});
      evaluation.levels.push_back(text);
    }
  }
  void add_totals(bool is_cost, Evaluation& evaluation) const {
    for (const std::string& text : split(at_least)) {
      const Total wealth = to_wealth(to_total(text, "--at-least"), is_cost);
      evaluation.at_least.push_back({wealth, evaluation.distribution.at_least(wealth)});
    }
  }

  // The distribution is there: it is shown without what a limit left no time for.
  static ExitCode add_measures(const Distribution& distribution,
                               const MeasureQuery& wanted,
                               const Options& options,
                               Evaluation& evaluation) {
    try {
      evaluation.measures = measure(distribution, wanted, options);
      return ExitCode::solved;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused) throw;
      print_error(
          fmt::format("quantiplan: --measures: left out: {}", error.problems().front().message));
      return ExitCode::ended_early;
    }
  }

  [[nodiscard]] ExitCode run() const {
    Options options = engine.options();
    const std::vector<Question> asked = questions(quantiles.query(setting, usual_taus()));
    require_one_standard_input(model.path, policy.policy, "--policy");
    if (measures.utility == "-" && (model.path == "-" || policy.policy == "-"))
      throw Error(
          ErrorCode::bad_request, "--utility", "only one of MODEL, POLICY and FILE may be -");
    std::vector<InputFile> inputs = policy.inputs(model);
    if (measures.utility) inputs.push_back({"the utility", *measures.utility});
    output.check_writable(inputs);
    const MeasureQuery wanted = measures.query(asked);
    const ReadModel read = model.read(output.quiet, options);
    const Model& given = read.model;
    const Policy played = policy.get(read, setting, options, output.quiet);
    Evaluation evaluation;
    evaluation.model = facts(given, played.setting);
    evaluation.policy = policy.policy;
    const bool is_cost = played.setting.cost;
    ExitCode code = ExitCode::solved;
    evaluation.distribution = policy.played([&] {
      return watched(options, output.quiet, is_cost, [&](const Options& watching) {
        const TimeLeft clock(watching.time_limit_seconds, watching.time_limit_seconds);
        Distribution distribution = evaluate(given, played, watching);
        Options left = watching;
        left.time_limit_seconds = clock.seconds();
        code = add_measures(distribution, wanted, left, evaluation);
        return distribution;
      });
    });
    if (wanted.utility) evaluation.utility = to_text(*wanted.utility);
    for (const Question& question : asked) {
      if (!MeasureArguments::has(Measure::quantile, wanted)) break;
      evaluation.quantiles.push_back(evaluation.distribution.quantile(question.tau, question.side));
    }
    if (evaluation.distribution.classes) {
      add_classes(given, evaluation);
    } else {
      add_totals(is_cost, evaluation);
    }
    output.write(output.json ? evaluation_json(evaluation)
                             : evaluation_text(evaluation, output.report_options()));
    return code;
  }
};

}  // namespace

void add_evaluate(CLI::App& program, Action& action) {
  add_command<EvaluateArguments>(
      program, action, "evaluate", "The distribution of a policy's total", kEvaluateExamples);
}

}  // namespace quantiplan::cli
