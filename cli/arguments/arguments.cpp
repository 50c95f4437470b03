#include "arguments/arguments.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "arguments/policy_setting.hpp"
#include "arguments/words.hpp"
#include "console/colours.hpp"
#include "launch.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

// ".json, .csv, ...": also of what is read and not written.
std::string endings_that_are_read() {
  std::string out;
  for (const FormatInfo& each : model_formats()) {
    if (!each.endings.empty()) out += (out.empty() ? "." : ", .") + std::string(each.name);
  }
  return out;
}

}  // namespace

void ModelArgument::declare(CLI::App& command, const char* name) {
  command
      .add_option(
          name, path, "model file (" + endings_that_are_read() + "), or - for standard input")
      ->required()
      ->type_name("");
  command
      .add_option("--const",
                  constants,
                  "values of constants that a PRISM program leaves undefined: N=3,p=1/3")
      ->type_name("NAME=VALUE[,...]")
      ->allow_extra_args(false)
      ->group("Model");
  add_text(command,
           "--reward",
           reward,
           "reward structure, by name or number, where the model has several")
      ->type_name("NAME")
      ->group("Model");
  add_text(command,
           "--tolerance",
           tolerance,
           "how far from 1 the probabilities of a choice may sum, to be normalised (1e-6)")
      ->type_name("T")
      ->group("Model");
  add_text(command,
           "--round-rewards",
           round_rewards,
           "round rewards to N decimals: 0.30000000000000004 leaves no unit to count wealth in")
      ->type_name("N")
      ->group("Model");
}

namespace {

// Nothing left is not the same as no limit.
constexpr double kNothingLeft = 1e-9;

}  // namespace

// "N=3,p=min(1/2,q)": a comma within parentheses belongs to the value.
std::vector<Definition> definitions_of(const std::vector<std::string>& lists) {
  std::vector<Definition> all;
  for (const std::string& list : lists) {
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
      if (i < list.size() && list[i] == '(') ++depth;
      if (i < list.size() && list[i] == ')') --depth;
      if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
      const std::string item = list.substr(begin, i - begin);
      const std::size_t sign = item.find('=');
      if (sign == std::string::npos) throw unexpected(item, "--const", "NAME=VALUE, as N=3");
      all.push_back({without_blanks_around(item.substr(0, sign)),
                     without_blanks_around(item.substr(sign + 1))});
      begin = i + 1;
    }
  }
  return all;
}

ReadModel ModelArgument::read(bool quiet, Options& limits, bool all_rewards) const {
  const TimeTaken taken(limits);
  ReadOptions options;
  options.constants = definitions_of(constants);
  options.reward = reward;
  options.all_rewards = all_rewards && !reward;
  if (tolerance) options.tolerance = to_number(*tolerance, "--tolerance");
  if (round_rewards)
    options.round_rewards = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        to_whole(*round_rewards, "--round-rewards", 0, "a whole number of decimals"), 1000));
  options.memory_limit_bytes = limits.memory_limit_bytes;
  options.time_limit_seconds = limits.time_limit_seconds;
  // Of several processes each reads the model.
  options.threads = limits.threads == 0 && Launch::group() ? 1 : limits.threads;
  // While input is waited for, and until a long exploration shows itself, there is nothing that
  // Ctrl-C could cut short: it simply ends the program.
  std::optional<InterruptGuard> guard;
  ProgressLine line(quiet);
  options.stop = InterruptGuard::flag();
  options.progress = [&](const Progress& progress) {
    if (!guard) guard.emplace();
    line.show(progress);
  };
  if (path == "-" && Launch::group())
    throw Error(ErrorCode::bad_request,
                "MODEL",
                "found - with several processes, expected a file: standard input reaches one only");
  ReadModel read = read_model(path, options);
  line.end();
  if (const auto& group = Launch::group()) group->agree("model", digest(read.model));
  if (!quiet) print_notices(read.notices);
  return read;
}

void QuantileArguments::declare(CLI::App& command, bool tau_is_required) {
  command.add_option("--tau", tau, "quantile levels in [0, 1], as decimals or fractions: 0.1,1/3")
      ->required(tau_is_required)
      ->type_name("T[,T...]")
      ->allow_extra_args(false);
  command
      .add_option("--probability",
                  probability,
                  "instead of --tau: with which probability the promise is to be kept, 1 - tau")
      ->type_name("P[,P...]")
      ->allow_extra_args(false);
  command.add_option("--side", side, "lower (the default), upper or both")
      ->type_name("lower|upper|both");
}

std::vector<Rational> QuantileArguments::taus(const std::vector<std::string>& usual) const {
  if (!tau.empty() && !probability.empty())
    throw Error(ErrorCode::bad_request, "--probability", "found with --tau, expected one of them");
  std::vector<Rational> taus = to_chances(split(probability), "--probability");
  if (!probability.empty()) {
    for (Rational& chance : taus) chance = 1 - chance;
    return distinct(taus);
  }
  return distinct(to_chances(tau.empty() ? usual : split(tau), "--tau"));
}

Query QuantileArguments::query(const SettingArguments& setting,
                               const std::vector<std::string>& usual) const {
  Query query;
  query.taus = taus(usual);
  if (side == "both") {
    query.sides = Sides::both;
  } else {
    query.sides =
        to_side(side, "lower, upper or both") == Side::lower ? Sides::lower : Sides::upper;
  }
  query.setting = setting.setting();
  return query;
}

namespace {

bool is_for_long_runs(const OptionEntry& entry) {
  return entry.name.starts_with("checkpoint") || entry.name == "resume";
}

}  // namespace

void EngineArguments::declare(CLI::App& command, const OptionEntry& entry) {
  const std::string flag = "--" + std::string(entry.name);
  const std::string help(entry.help);
  CLI::Option* option = nullptr;
  if (entry.value.empty()) {
    option = command.add_flag_callback(
        flag, [this, &entry] { given.emplace_back(&entry, "true"); }, help);
  } else {
    option = command.add_option_function<std::string>(
        flag, [this, &entry](const std::string& text) { given.emplace_back(&entry, text); }, help);
    option->type_name(std::string(entry.value));
  }
  option->group(is_for_long_runs(entry) ? "Long runs" : "How it is computed");
}

// Checkpoints are kept of what is asked of a model once, and takes long.
void EngineArguments::declare(CLI::App& command) {
  const std::string& name = command.get_name();
  const bool may_be_long = name == "solve" || name == "frontier" || name == "threshold";
  for (const OptionEntry& entry : option_table())
    if (may_be_long || !is_for_long_runs(entry)) declare(command, entry);
  command.add_flag("--exact", exact, "the same as --arithmetic exact")->group("How it is computed");
}

Options EngineArguments::options() const {
  Options options;
  for (const auto& [entry, text] : given) entry->set(options, text);
  for (const auto& [entry, text] : given) {
    if (entry->name == "checkpoint" && text.empty())
      throw Error(ErrorCode::bad_request, "--checkpoint", "found an empty name, expected a folder");
    if (entry->name == "checkpoint-every" && options.checkpoint.empty())
      throw Error(ErrorCode::bad_request,
                  "--checkpoint-every",
                  "found without --checkpoint, expected both");
  }
  if (exact) {
    if (options.arithmetic != Arithmetic::automatic && options.arithmetic != Arithmetic::exact)
      throw Error(
          ErrorCode::bad_request, "--exact", "given with another --arithmetic, expected one");
    options.arithmetic = Arithmetic::exact;
  }
  options.ranks = Launch::group();
  // Rank 0 looks at the clock.
  if (Launch::is_helper()) options.time_limit_seconds = 0;
  options.validate();
  return options;
}

void LimitArguments::declare(CLI::App& command) {
  for (const OptionEntry& entry : option_table()) {
    if (entry.name == "memory-limit" || entry.name == "time-limit") limits.declare(command, entry);
  }
}

TimeTaken::TimeTaken(Options& options)
    : options_(options), begin_(std::chrono::steady_clock::now()) {}

TimeTaken::~TimeTaken() {
  if (options_.time_limit_seconds <= 0) return;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  options_.time_limit_seconds =
      std::max(kNothingLeft, options_.time_limit_seconds - passed.count());
}

TimeLeft::TimeLeft(double limit_seconds, double left_seconds) {
  // A year is for ever here, and does not overflow the clock.
  constexpr double kForever = 365.0 * 24 * 3600;
  if (limit_seconds <= 0 || left_seconds > kForever) return;
  using Clock = std::chrono::steady_clock;
  const std::chrono::duration<double> left(std::max(left_seconds, limit_seconds / 10));
  deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(left);
}

bool TimeLeft::is_up() const { return deadline_ && std::chrono::steady_clock::now() >= *deadline_; }

double TimeLeft::seconds() const {
  if (!deadline_) return 0;
  const std::chrono::duration<double> left = *deadline_ - std::chrono::steady_clock::now();
  return std::max(kNothingLeft, left.count());
}

CutReport::CutReport(ReportOptions& shape, const TimeLeft& clock)
    : is_cut_(std::make_shared<bool>(false)) {
  shape.is_over = [clock, is_cut = is_cut_] {
    *is_cut = *is_cut || clock.is_up() || InterruptGuard::later_flag()->load();
    return *is_cut;
  };
}

ExitCode CutReport::exit_code() const {
  return *is_cut_ ? ExitCode::ended_early : ExitCode::solved;
}

void OutputArguments::declare(CLI::App& command, bool has_long_lists) {
  command.add_flag("--json", json, "print one JSON object instead of a table")->group("Output");
  add_text(command, "-o,--output", output, "write the report to FILE instead of standard output")
      ->type_name("FILE")
      ->group("Output");
  if (has_long_lists)
    command.add_flag("--all", all, "do not abbreviate long tables")->group("Output");
  command.add_flag("-q,--quiet", quiet, "no notices and no progress")->group("Output");
}

void OutputArguments::check_writable(const std::vector<InputFile>& inputs) const {
  require_writable(output.value_or("-"), "--output", inputs);
}

ReportOptions OutputArguments::report_options() const {
  ReportOptions options;
  options.unicode = console_is_unicode();
  if (all) options.most_rows = 0;
  return options;
}

void OutputArguments::write(const std::string& text) const {
  const bool is_shown = !output && !json && has_colours(STDOUT_FILENO);
  write_output(output.value_or("-"), is_shown ? coloured_report(text) : text);
}

void PolicyArgument::declare(CLI::App& command) {
  command
      .add_option("--policy",
                  policy,
                  "policy file, or expectation: the policy with the greatest expected total")
      ->required()
      ->type_name("FILE|expectation");
}

std::vector<InputFile> PolicyArgument::inputs(const ModelArgument& model) const {
  std::vector<InputFile> all = model_inputs(model.path);
  if (policy != "expectation") all.push_back({"the policy", policy});
  return all;
}

Policy PolicyArgument::get(const ReadModel& read,
                           const SettingArguments& setting,
                           Options& options,
                           bool quiet) const {
  const TimeTaken taken(options);
  if (policy == "expectation") {
    Setting wanted = setting.setting();
    setting.add_states(read, wanted, quiet);
    return expectation_policy(read.model, wanted, options);
  }
  Policy found = read_policy(policy, read.model, options);
  require_setting_of(found, read, setting, quiet);
  return found;
}

void PolicyArgument::rethrow_with_file(const Error& error) const {
  if (error.code() != ErrorCode::bad_policy || policy == "expectation") throw;
  std::vector<Problem> problems = error.problems();
  for (Problem& problem : problems) {
    if (problem.place.empty() || problem.place == "policy")
      problem.place = policy == "-" ? "standard input" : policy;
  }
  throw Error(ErrorCode::bad_policy, std::move(problems));
}

CLI::Option* add_text(CLI::App& command,
                      const char* names,
                      std::optional<std::string>& into,
                      const std::string& help) {
  return command.add_option_function<std::string>(
      names, [&into](const std::string& text) { into = text; }, help);
}

ModelFacts facts(const Model& model, const ResolvedSetting& setting) {
  InitialNames initial;
  for (const auto& [state, probability] : setting.initial)
    initial.drawn.emplace_back(model.state_name(state), probability);
  return {model.name(),
          model.state_count(),
          model.choice_count(),
          model.outcome_count(),
          setting.horizon,
          setting.discount,
          std::move(initial),
          setting.goal.size(),
          setting.cost,
          setting.adversarial,
          model.wealth().kind};
}

}  // namespace quantiplan::cli
