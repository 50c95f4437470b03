// quantiplan solve: the policies with the greatest quantiles.
#include "quantiplan/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "arguments/arguments.hpp"
#include "arguments/properties.hpp"
#include "commands/attitudes.hpp"
#include "commands/by_initial.hpp"
#include "commands/commands.hpp"
#include "commands/policy_files.hpp"
#include "commands/solve_arguments.hpp"
#include "console/watched_call.hpp"
#include "quantiplan/comparison.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kSolveExamples =
    "Examples:\n"
    "  quantiplan solve commute.json --tau 0.1\n"
    "  quantiplan solve commute.json --tau 0.1,1/3 --side both --json\n"
    "  quantiplan solve commute.json --tau 0.1 --distribution --check\n"
    "  quantiplan solve commute.json --tau 0.1,0.5 --policy-out 'policy-{tau}.json'\n"
    "  quantiplan solve trip.json --tau 0.1 --horizon infinite --goal home --cost\n"
    "  quantiplan solve trip.json --tau 0.1 --side upper --adversarial\n"
    "  quantiplan solve commute.json --tau 0.1 --attitude all\n"
    "  quantiplan solve commute.json --criterion cvar --tau 0.05,0.1,0.5\n"
    "  quantiplan solve commute.json --criterion 'utility:exponential(0.1)'\n"
    "  quantiplan solve commute.json --tau 0.1 --compare all\n"
    "  quantiplan solve dice.prism --prop 'Pmax=? [F{\"flips\"}<=5 \"thrown\"]'\n";

ExitCode exit_code_of(const Answer& answer) {
  ExitCode code = ExitCode::solved;
  for (const Result& result : answer.results) {
    if (result.status != Status::solved) code = worse(code, ExitCode::ended_early);
    if (result.check) code = worse(code, exit_code(*result.check));
    if (result.mixed && result.mixed->check) code = worse(code, exit_code(*result.mixed->check));
  }
  return code;
}

// The policy of each result, or with --mixed the coin between two.
std::vector<PolicyToWrite> policies_of(const Answer& answer) {
  std::vector<PolicyToWrite> policies;
  policies.reserve(answer.results.size());
  for (const Result& result : answer.results) {
    if (result.optimum) {
      policies.push_back(
          {result.policy,
           "no policy is known for the criterion " + to_text(result.optimum->criterion)});
      continue;
    }
    policies.push_back({result.mixed ? result.mixed->policy : result.policy,
                        fmt::format("no policy {} tau {}, {} side",
                                    result.attained ? "is known for" : "attains the quantile of",
                                    to_text(result.tau),
                                    to_text(result.side))});
  }
  return policies;
}

bool is_by_quantile(const Query& query) {
  return query.criterion.kind == Criterion::Kind::quantile;
}

}  // namespace

std::optional<Distribution> SolveArguments::expectation(const Model& given,
                                                        const Setting& wanted,
                                                        const Answer& answer,
                                                        const Options& options) {
  const ModelFacts& facts = answer.model;
  const bool is_usual = !facts.adversarial && facts.goal_states == 0 &&
                        facts.horizon != kInfiniteHorizon && given.wealth().is_numeric();
  const bool is_compared = std::ranges::any_of(
      answer.results, [](const Result& r) { return r.expectation_policy.has_value(); });
  if (!is_usual && !is_compared) return std::nullopt;
  return evaluate(given, expectation_policy(given, wanted, options), options);
}

ExitCode SolveArguments::make_distributions(const Model& given,
                                            const Setting& wanted,
                                            Options options,
                                            const TimeLeft& clock,
                                            Answer& answer,
                                            std::optional<Distribution>& other) {
  ExitCode code = ExitCode::solved;
  std::size_t made = 0;
  std::size_t asked = 0;
  // Whoever stopped the solve waits for what it found, not for more.
  const auto is_stopped = [] {
    return InterruptGuard::flag()->load() || InterruptGuard::later_flag()->load();
  };
  const auto is_over = [&] { return clock.is_up() || is_stopped(); };
  const auto attempt = [&](const std::string& whose, const auto& make) {
    try {
      make();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused) throw;
      if (is_over()) return;
      print_error(fmt::format("quantiplan: --distribution: {}: left out: {}", whose, error.what()));
      code = ExitCode::ended_early;
    }
  };
  for (Result& result : answer.results) {
    const Later<Distribution> make = std::exchange(result.distribution, nullptr);
    if (!make) continue;
    ++asked;
    if (is_over()) continue;
    attempt(fmt::format("tau {}, {} side", to_text(result.tau), to_text(result.side)), [&] {
      result.distribution = [law = std::make_shared<Distribution>(make())] { return *law; };
      ++made;
    });
  }
  if (made < asked && is_over()) {
    print_error(
        fmt::format("quantiplan: --distribution: {} when {} of {} distributions were made, the "
                    "others are left out{}",
                    is_stopped() ? "interrupted" : "the time limit was met",
                    made,
                    asked,
                    is_stopped() ? "" : "; expected a longer --time-limit"));
    return ExitCode::ended_early;
  }
  options.time_limit_seconds = clock.seconds();
  options.stop = InterruptGuard::flag();
  bool is_made = false;
  attempt("expectation-optimal policy", [&] {
    other = expectation(given, wanted, answer, options);
    is_made = true;
  });
  if (is_made || code != ExitCode::solved) return code;
  print_error(fmt::format("quantiplan: --distribution: expectation-optimal policy: left out, {}",
                          clock.is_up() ? "the time limit was met" : "interrupted"));
  return ExitCode::ended_early;
}

ExitCode SolveArguments::write_report(const Model& given,
                                      const Setting& wanted,
                                      const Options& options,
                                      const TimeLeft& clock,
                                      Answer& answer,
                                      const Comparison* compared,
                                      std::chrono::steady_clock::time_point found_at) const {
  ReportOptions shape = output.report_options();
  shape.comparison = compared;
  std::optional<Distribution> other;
  ExitCode code = ExitCode::solved;
  if (distribution) code = make_distributions(given, wanted, options, clock, answer, other);
  // Policies, distributions and comparisons are work, too.
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - found_at;
  answer.work.seconds += since.count();
  shape.distributions = distribution;
  shape.expectation = other ? &*other : nullptr;
  const CutReport cut(shape, clock);
  output.write(output.json ? answer_json(answer, shape) : answer_text(answer, shape));
  return worse(code, cut.exit_code());
}

ExitCode SolveArguments::run_by_attitude(const Query& query, const Options& options) const {
  const char* flag = check          ? "--check"
                     : distribution ? "--distribution"
                     : prefer       ? "--prefer"
                     : mean_gap     ? "--mean-gap"
                     : mixed        ? "--mixed"
                                    : nullptr;
  if (flag != nullptr) {
    throw Error(ErrorCode::bad_request,
                flag,
                "found together with --attitude, expected one of them; policies that "
                "--policy-out writes can be checked and evaluated");
  }
  return run_attitudes(model, setting, output, policy_out, attitudes_of(attitude), query, options);
}

bool SolveArguments::clock_allows(const Answer& answer, const TimeLeft& clock) {
  constexpr std::uint64_t kMostWork = 20'000'000;
  return !clock.is_up() && answer.work.multiply_adds + 100 * answer.work.exact_nodes <= kMostWork &&
         std::ranges::all_of(answer.results,
                             [](const Result& r) { return r.status == Status::solved; });
}

std::optional<Comparison> SolveArguments::comparison_of(const Model& given,
                                                        Query query,
                                                        Options options,
                                                        const TimeLeft& clock) {
  query.taus = {query.taus.empty() ? Rational(1, 10) : query.taus.front()};
  if (query.taus.front() == 0) query.taus.front() = Rational(1, 10);
  options.time_limit_seconds = clock.seconds();
  options.stop = InterruptGuard::flag();
  options.check = false;
  options.checkpoint.clear();
  std::vector<Criterion> criteria{query.criterion};
  for (const auto kind : {Criterion::Kind::quantile, Criterion::Kind::expectation})
    if (kind != query.criterion.kind) criteria.push_back({kind});
  try {
    return compare_criteria(given, query, criteria, options);
  } catch (const Error& error) {
    // The answer is there: it is shown without the others.
    if (error.code() != ErrorCode::refused) throw;
    return std::nullopt;
  }
}

ExitCode SolveArguments::run_comparison(Query query, Options options) const {
  const char* flag = check                       ? "--check"
                     : distribution              ? "--distribution"
                     : mixed                     ? "--mixed"
                     : policy_out                ? "--policy-out"
                     : !attitude.empty()         ? "--attitude"
                     : quantiles.side != "lower" ? "--side"
                                                 : nullptr;
  if (flag != nullptr)
    throw Error(ErrorCode::bad_request, flag, "found with --compare, expected one of them");
  std::vector<Criterion> criteria;
  if (*compare == "all") {
    criteria = compared_criteria(query.criterion);
  } else {
    for (const std::string& text : split({*compare}))
      criteria.push_back(parse_criterion(text, "--compare"));
  }
  output.check_writable(inputs());
  const ReadModel read = model.read(output.quiet, options);
  setting.add_states(read, query.setting, output.quiet);
  const bool is_cost = has_costs(read.model, query.setting);
  std::vector<Comparison> tables;
  // One time limit for all tables.
  const TimeLeft clock(options.time_limit_seconds, options.time_limit_seconds);
  for (const Rational& tau : std::vector<Rational>(query.taus)) {
    query.taus = {tau};
    options.time_limit_seconds = clock.seconds();
    tables.push_back(watched(options, output.quiet, is_cost, [&](const Options& watching) {
      return compare_criteria(read.model, query, criteria, watching);
    }));
  }
  std::string text;
  for (const Comparison& table : tables)
    text += (text.empty() ? "" : "\n") + comparison_text(table);
  output.write(output.json ? comparison_json(tables) : text);
  const bool is_cut = clock.is_up() || InterruptGuard::flag()->load();
  const bool lacks_rows = std::ranges::any_of(tables, [](const Comparison& table) {
    return std::ranges::any_of(table.rows,
                               [](const ComparedPolicy& row) { return !row.why.empty(); });
  });
  return is_cut && lacks_rows ? ExitCode::ended_early : ExitCode::solved;
}

ExitCode SolveArguments::run_questions(const Options& options) const {
  const char* flag = !quantiles.tau.empty() ? "--tau"
                     : criterion            ? "--criterion"
                     : compare              ? "--compare"
                     : !attitude.empty()    ? "--attitude"
                     : distribution         ? "--distribution"
                     : mixed                ? "--mixed"
                     : policy_out           ? "--policy-out"
                     : check                ? "--check"
                     : setting.goal         ? "--goal"
                     : setting.horizon      ? "--horizon"
                     : setting.cost         ? "--cost"
                     : setting.adversarial  ? "--adversarial"
                     : setting.discount     ? "--discount"
                     : setting.goal_ends    ? "--goal-ends"
                                            : nullptr;
  if (flag != nullptr)
    throw Error(ErrorCode::bad_request,
                flag,
                "found with a question of the model checkers, expected it in that question or not "
                "at all");
  output.check_writable(inputs());
  return run_properties(properties, model, setting, options, output);
}

ExitCode SolveArguments::run() const {
  Options options = engine.options();
  options.check = check;
  if (!options.checkpoint.empty())
    refuse_checkpoints_with(properties.given()  ? "questions of the model checkers"
                            : compare           ? "--compare"
                            : !attitude.empty() ? "--attitude"
                                                : nullptr);
  if (properties.given()) return run_questions(options);
  const std::vector<InputFile> read_files = inputs();  // before one of them is read
  Query query = [&] {
    const TimeTaken taken(options);
    return quantiles.query(setting);
  }();
  if (criterion) query.criterion = parse_criterion(*criterion);
  const bool by_quantile = is_by_quantile(query);
  if ((by_quantile || compare) && query.taus.empty())
    throw Error(ErrorCode::bad_request,
                "solve: --tau",
                "found none, expected one; see quantiplan solve --help");
  if (compare) return run_comparison(query, options);
  if (!by_quantile) refuse_what_quantiles_have();
  query.compare = !no_comparison;
  query.mixed = mixed;
  if (prefer) query.prefer = prefer_of(*prefer);
  if (mean_gap) query.mean_gap = mean_gap_of(*mean_gap);
  if (!attitude.empty()) return run_by_attitude(query, options);
  return run_query(query, options, read_files);
}

ExitCode SolveArguments::run_query(Query query,
                                   Options options,
                                   const std::vector<InputFile>& read_files) const {
  const bool by_quantile = is_by_quantile(query);
  output.check_writable(read_files);
  const PolicyFiles files(policy_out,
                          !policy_out   ? std::vector<PolicyName>()
                          : by_quantile ? policy_names(questions(query))
                                        : policy_names_of_criterion(query.taus),
                          read_files);
  files.keep_apart_from(output.output.value_or("-"));
  const ReadModel read = model.read(output.quiet, options);
  Model given = read.model;
  setting.add_states(read, query.setting, output.quiet, /*may_be_several=*/true);
  const std::vector<State> starts = setting.starts(read, query.setting);
  setting.apply_goal_ends(given, query.setting);
  if (policy_out && given.state_count() != read.model.state_count()) refuse_going_on();
  if (!starts.empty()) {
    if (!options.checkpoint.empty()) refuse_with_several("--checkpoint", starts.size());
    if (policy_out || distribution)
      refuse_with_several(policy_out ? "--policy-out" : "--distribution", starts.size());
    return solve_by_initial(given, starts, query, options, output);
  }
  const bool is_cost = has_costs(given, query.setting);
  const double limit = options.time_limit_seconds;
  Answer answer = [&] {
    const TimeTaken taken(options);
    return watched(options, output.quiet, is_cost, [&](const Options& watching) {
      return solve(given, query, watching);
    });
  }();
  const TimeLeft clock(limit, options.time_limit_seconds);
  const auto found_at = std::chrono::steady_clock::now();
  const ExitCode written =
      policy_out ? files.write(policies_of(answer), given, options, clock, output.quiet)
                 : ExitCode::solved;
  const auto compared = !by_quantile && !no_comparison && clock_allows(answer, clock)
                            ? comparison_of(given, query, options, clock)
                            : std::nullopt;
  const ExitCode reported = write_report(
      given, query.setting, options, clock, answer, compared ? &*compared : nullptr, found_at);
  return worse(worse(written, reported), exit_code_of(answer));
}

void add_solve(CLI::App& program, Action& action) {
  add_command<SolveArguments>(
      program, action, "solve", "The policies with the greatest tau-quantiles", kSolveExamples);
}

}  // namespace quantiplan::cli
