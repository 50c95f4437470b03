// quantiplan explain: why a policy does what it does, in sentences.
#include "quantiplan/explain.hpp"

#include <fmt/format.h>

#include "arguments/arguments.hpp"
#include "commands/commands.hpp"
#include "console/watched_call.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/explain_report.hpp"
#include "quantiplan/solve.hpp"
#include "quantiplan/suggest.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kExplainExamples =
    "Examples:\n"
    "  quantiplan explain commute.json --policy policy.json --state home\n"
    "  quantiplan explain commute.json --tau 0.3 --state home --time 1 --wealth -10\n"
    "  quantiplan explain commute.json --tau 0.3 --state home --wealth 0\n"
    "  quantiplan explain commute.json --tau 0.1 --summary --episodes 10000\n";

std::string chance_text(const Rational& chance) {
  constexpr std::size_t kShort = 12;
  const std::string exact = to_text(chance);
  return exact.size() <= kShort ? exact : fmt::format("{:.6g}", to_nearest_double(chance));
}

struct ExplainArguments {
  ModelArgument model;
  std::optional<std::string> policy;
  QuantileArguments quantiles;
  SettingArguments setting;
  EngineArguments engine;
  OutputArguments output;
  std::optional<std::string> state;
  std::optional<std::string> time;
  std::optional<std::string> wealth;
  std::optional<std::string> part;
  bool summary = false;
  std::string episodes = "1000";
  std::string seed = "1";

  void declare(CLI::App& command) {
    model.declare(command);
    add_text(command, "--policy", policy, "policy file; without one, the best policy of --tau")
        ->type_name("FILE");
    add_text(command, "--state", state, "where: the name of a state")->type_name("STATE");
    add_text(command,
             "--time",
             time,
             "when: steps so far; with --wealth 0 unless given, else all that have rules")
        ->type_name("T");
    add_text(command,
             "--wealth",
             wealth,
             "what has been collected until then (with costs, spent); without it the ranges of "
             "wealth are told with what is done in each")
        ->type_name("W");
    add_text(command, "--part", part, "of a mixture: which of its policies, 1 for the first")
        ->type_name("N");
    command.add_flag(
        "--summary",
        summary,
        "what the policy is like: how often each action is taken, the states met most, "
        "where it differs from the expectation-optimal policy");
    command.add_option("--episodes", episodes, "of --summary: how many are played; default 1000")
        ->type_name("N");
    command.add_option("--seed", seed, "of --summary: seed of the episodes; default 1")
        ->type_name("K");
    quantiles.declare(command, false);
    setting.declare(command);
    engine.declare(command);
    output.declare(command, true);
  }

  void check_request() const {
    const auto refuse = [](const char* flag, const char* what) {
      throw Error(ErrorCode::bad_request, flag, what);
    };
    const bool has_levels = !quantiles.tau.empty() || !quantiles.probability.empty();
    if (policy && has_levels)
      refuse("--policy", "found with --tau or --probability, expected one of them");
    if (!policy && !has_levels)
      refuse("--policy", "found none, expected a file, or --tau for the best policy");
    if (summary && (state || time || wealth))
      refuse("--summary", "found with --state, --time or --wealth, expected one of them");
    if (!summary && !state) refuse("--state", "found none, expected a state, or --summary");
  }

  [[nodiscard]] State state_in(const Model& given) const {
    if (const auto found = given.find_state(*state)) return *found;
    std::vector<std::string> names;
    for (std::uint32_t s = 0; s < given.state_count(); ++s)
      names.emplace_back(given.state_name(State{s}));
    throw Error(ErrorCode::bad_request,
                "--state",
                fmt::format("unknown state '{}', must be a state of the model{}",
                            visible(*state),
                            suggestion_among(*state, names)));
  }

  // The first question's, made by a solve; `account` learns what is left open where that ended early.
  [[nodiscard]] Policy best_policy(const ReadModel& read,
                                   Options& options,
                                   Account& account) const {
    Query query = quantiles.query(setting);
    setting.add_states(read, query.setting, output.quiet);
    if (questions(query).size() > 1)
      throw Error(ErrorCode::bad_request, "--tau", "found several, expected one of one side");
    query.compare = false;
    const bool is_cost = has_costs(read.model, query.setting);
    const Answer answer = watched(options, output.quiet, is_cost, [&](const Options& watching) {
      return solve(read.model, query, watching);
    });
    const Result& result = answer.results.front();
    const bool is_early =
        result.status == Status::limit_reached || result.status == Status::interrupted;
    if (is_early) account.no_more_than = result.upper;
    if (result.policy) return result.policy();
    const char* why =
        result.status == Status::limit_reached
            ? "a limit was met before there was a policy for this tau; expected a longer "
              "--time-limit or a larger --memory-limit"
        : result.status == Status::interrupted
            ? "interrupted before there was a policy for this tau"
            : "no policy is known for this tau";
    throw Error(ErrorCode::refused, "explain", why);
  }

  [[nodiscard]] Policy get(const ReadModel& read, Options& options, Account& account) const {
    if (!policy) return best_policy(read, options, account);
    PolicyArgument file;
    file.policy = *policy;
    return file.get(read, setting, options, output.quiet);
  }

  // Of a mixture one policy is drawn, and that is what can be explained.
  [[nodiscard]] Policy one_of(const Policy& found, std::string& name) const {
    const std::vector<MixturePart>& parts = found.mixture;
    if (parts.empty()) {
      if (part)
        throw Error(ErrorCode::bad_request, "--part", "found with a policy that is no mixture");
      return found;
    }
    std::string chances;
    for (const MixturePart& each : parts)
      chances += fmt::format("{}{}", chances.empty() ? "" : ", ", chance_text(each.weight));
    const std::string expected =
        fmt::format("1 to {}, one of the policies of the mixture, which are drawn with {}",
                    parts.size(),
                    chances);
    if (!part && summary) return found;
    if (!part) throw Error(ErrorCode::bad_request, "--part", "found none, expected " + expected);
    const std::uint64_t number = to_whole(*part, "--part", 1, expected.c_str());
    if (number > parts.size())
      throw Error(
          ErrorCode::bad_request, "--part", fmt::format("found {}, expected {}", number, expected));
    const MixturePart& chosen = parts[number - 1];
    name += fmt::format(", part {}, drawn with {}", number, chance_text(chosen.weight));
    return chosen.policy;
  }

  void explain_state(const Model& given,
                     const Policy& found,
                     const Options& options,
                     Account& account) const {
    const State where = state_in(given);
    std::optional<std::uint64_t> when;
    if (time) when = to_whole(*time, "--time", 0, "a whole number of steps");
    if (wealth) {
      const Rational collected = to_number(*wealth, "--wealth");
      account.point =
          watched(options, output.quiet, found.setting.cost, [&](const Options& watching) {
            return quantiplan::explain(given, found, where, when.value_or(0), collected, watching);
          });
      return;
    }
    account.state = where;
    const std::vector<std::uint64_t> times =
        when ? std::vector<std::uint64_t>{*when} : times_with_rules(found, where);
    for (const std::uint64_t t : times) {
      std::vector<ActionRange> ranges = action_ranges(given, found, where, t);
      if (!ranges.empty()) account.times.push_back({t, std::move(ranges)});
    }
  }

  [[nodiscard]] ExitCode run() const {
    Options options = engine.options();
    check_request();
    if (policy) require_one_standard_input(model.path, *policy, "--policy");
    std::vector<InputFile> inputs = model_inputs(model.path);
    if (policy) inputs.push_back({"the policy", *policy});
    output.check_writable(inputs);
    const std::uint64_t count =
        to_whole(episodes, "--episodes", 1, "a whole number from 1 to 2^64 - 1");
    const std::uint64_t drawn = to_whole(seed, "--seed", 0, "a whole number from 0 to 2^64 - 1");
    const ReadModel read = model.read(output.quiet, options);
    Account account;
    const Policy whole = get(read, options, account);
    account.policy =
        policy ? *policy
               : fmt::format(
                     "best for tau {}, {} side", to_text(quantiles.taus().front()), quantiles.side);
    const Policy found = one_of(whole, account.policy);
    account.model = facts(read.model, found.setting);
    if (found.claim && found.claim->level)
      account.promised_class = *found.claim->level;
    else if (found.claim && found.claim->kind != PolicyClaim::Kind::criterion)
      account.promise = found.claim->quantile;
    else if (found.target)
      account.promise = *found.target;
    if (found.grid) account.grid_unit = found.grid->unit;
    if (summary) {
      account.summary =
          watched(options, output.quiet, found.setting.cost, [&](const Options& watching) {
            return summarise(read.model, found, count, drawn, watching);
          });
    } else {
      explain_state(read.model, found, options, account);
    }
    output.write(output.json ? account_json(account, read.model)
                             : account_text(account, read.model, output.report_options()));
    return account.no_more_than ? ExitCode::ended_early : ExitCode::solved;
  }
};

}  // namespace

void add_explain(CLI::App& program, Action& action) {
  add_command<ExplainArguments>(
      program, action, "explain", "Why a policy does what it does, in sentences", kExplainExamples);
}

}  // namespace quantiplan::cli
