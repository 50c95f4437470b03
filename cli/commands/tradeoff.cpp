// quantiplan tradeoff: what a promise costs in the mean.
#include "quantiplan/tradeoff.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "arguments/arguments.hpp"
#include "commands/commands.hpp"
#include "commands/policy_files.hpp"
#include "console/watched_call.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kTradeoffExamples =
    "Examples:\n"
    "  quantiplan tradeoff commute.json --tau 0.1\n"
    "  quantiplan tradeoff commute.json --target -40\n"
    "  quantiplan tradeoff datacenter.json --tau 0.1 --rows 20 --csv -o prices.csv\n"
    "  quantiplan tradeoff commute.json --tau 0.1 --at -40 --policy-out careful.json\n"
    "  quantiplan tradeoff commute.json --target -40 --at 0.9 --policy-out surer.json\n";

struct TradeoffArguments {
  ModelArgument model;
  std::optional<std::string> tau;
  std::optional<std::string> probability;
  std::optional<std::string> target;
  std::optional<std::string> side;
  SettingArguments setting;
  EngineArguments engine;
  OutputArguments output;
  std::optional<std::string> mean_gap;
  std::optional<std::string> rows;
  std::optional<std::string> at;
  std::optional<std::string> policy_out;
  bool csv = false;

  void declare(CLI::App& command) {
    model.declare(command);
    add_text(command,
             "--tau",
             tau,
             "the best mean that keeps P(W >= q) > 1 - tau, for every level q up to the quantile")
        ->type_name("T");
    add_text(command, "--probability", probability, "instead of --tau: 1 - tau")->type_name("P");
    add_text(command,
             "--target",
             target,
             "instead of --tau: the curve of P(W >= y) and the mean, with costs of P(C <= y)")
        ->type_name("Y");
    add_text(command, "--side", side, "of --tau: lower (the default, >) or upper (>=)")
        ->type_name("SIDE");
    setting.declare(command);
    engine.declare(command);
    add_text(command,
             "--mean-gap",
             mean_gap,
             "how far a mean may stay below its bound, as a part of what the promise can cost "
             "(0.01; 0 with --exact)")
        ->type_name("PART");
    add_text(command, "--rows", rows, "at most so many points, spread evenly (100)")
        ->type_name("N");
    output.declare(command, true);
    command.add_flag("--csv", csv, "print a heading and a line for each point instead of a table")
        ->group("Output");
    add_text(
        command,
        "--at",
        at,
        "the point whose policy is written: a level q with --tau, a probability with --target; "
        "the first point that promises as much")
        ->type_name("Q|P")
        ->group("Output");
    add_text(command, "--policy-out", policy_out, "write the policy of --at to FILE")
        ->type_name("FILE")
        ->group("Output");
  }

  [[nodiscard]] TradeoffQuery query() const {
    TradeoffQuery out;
    if (tau && probability)
      throw Error(
          ErrorCode::bad_request, "--probability", "found with --tau, expected one of them");
    if (tau) out.tau = to_chance(*tau, "--tau");
    if (probability) out.tau = Rational(1 - to_chance(*probability, "--probability"));
    if (target) out.target = to_number(*target, "--target");
    if (side && !out.tau) throw Error(ErrorCode::bad_request, "--side", "given without --tau");
    if (side) out.side = to_side(*side);
    if (mean_gap) out.mean_gap = to_number(*mean_gap, "--mean-gap");
    if (rows) out.most_points = to_whole(*rows, "--rows", 2, "a whole number, at least 2");
    out.setting = setting.setting();
    return out;
  }

  void check_output() const {
    if (csv && output.json)
      throw Error(ErrorCode::bad_request, "--csv", "given with --json, expected one of the two");
    if (at.has_value() == policy_out.has_value()) return;
    throw Error(ErrorCode::bad_request,
                at ? "--at" : "--policy-out",
                at ? "given without --policy-out, expected a file for the policy"
                   : "given without --at, expected the point whose policy is to be written");
  }

  // The first point, in the order of the price, that promises as much as `at`.
  static const TradeoffPoint* point_at(const Tradeoff& found, const Total& at) {
    const auto enough = [&](const TradeoffPoint& point) {
      return found.tau ? point.level >= at : Total(point.probability.least()) >= at;
    };
    const auto first = std::ranges::find_if(found.points, enough);
    return first == found.points.end() ? nullptr : &*first;
  }

  // `wanted` is in the user's terms.
  [[nodiscard]] PolicyToWrite policy_of(const Tradeoff& found,
                                        const Rational& wanted,
                                        bool is_cost) const {
    const Total level = found.tau ? to_wealth(wanted, is_cost) : Total(wanted);
    if (const TradeoffPoint* point = point_at(found, level)) return {point->policy, {}};
    if (found.status != Status::solved || found.points.empty())
      return {nullptr, fmt::format("no policy is known for {}", to_text(wanted))};
    const TradeoffPoint& last = found.points.back();
    throw Error(ErrorCode::bad_request,
                "--at",
                fmt::format("found {}, expected {} {}{}",
                            to_text(wanted),
                            found.tau && is_cost ? "at least" : "at most",
                            found.tau ? to_text(is_cost ? last.level.negated() : last.level)
                                      : fmt::format("{}", last.probability.nearest),
                            found.tau ? is_cost ? ", the least that can be promised"
                                                : ", the greatest that can be promised"
                                      : ", the greatest probability"));
  }

  [[nodiscard]] std::string report(const Tradeoff& found) const {
    if (csv) return tradeoff_csv(found);
    return output.json ? tradeoff_json(found) : tradeoff_text(found, output.report_options());
  }

  [[nodiscard]] ExitCode run() const {
    Options options = engine.options();
    TradeoffQuery asked = query();
    check_output();
    std::optional<Rational> point;
    if (at) point = to_number(*at, "--at");
    if (at && asked.target && (*point < 0 || *point > 1))
      throw Error(ErrorCode::bad_request,
                  "--at",
                  fmt::format("found {}, expected a probability in [0, 1]", *at));
    const std::vector<InputFile> inputs = model_inputs(model.path);
    output.check_writable(inputs);
    const PolicyFiles files(policy_out, {PolicyName{}}, inputs);
    files.keep_apart_from(output.output.value_or("-"));
    const ReadModel read = model.read(output.quiet, options);
    const Model& given = read.model;
    setting.add_states(read, asked.setting, output.quiet);
    const bool is_cost = has_costs(given, asked.setting);
    if (asked.target && is_cost) asked.target = Rational(-*asked.target);
    const double limit = options.time_limit_seconds;
    const Tradeoff found = [&] {
      const TimeTaken taken(options);
      return watched(options, output.quiet, is_cost, [&](const Options& watching) {
        return tradeoff(given, asked, watching);
      });
    }();
    const TimeLeft clock(limit, options.time_limit_seconds);
    ExitCode code = found.status == Status::solved ? ExitCode::solved : ExitCode::ended_early;
    if (point)
      code = worse(
          code,
          files.write({policy_of(found, *point, is_cost)}, given, options, clock, output.quiet));
    output.write(report(found));
    return code;
  }
};

}  // namespace

void add_tradeoff(CLI::App& program, Action& action) {
  add_command<TradeoffArguments>(
      program, action, "tradeoff", "What a promise costs in the mean", kTradeoffExamples);
}

}  // namespace quantiplan::cli
