// Arguments that several commands share: declared once, kept as text, turned into library types
// later.
//
// Numbers stay text until the library reads them, so that --tau 1/3 is a third and --tau 0.1 a
// tenth.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arguments/file_paths.hpp"
#include "console/console.hpp"
#include "exit_code.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/report.hpp"
#include "quantiplan/structure.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan::cli {

// MODEL --const --reward
struct ModelArgument {
  std::string path;
  std::vector<std::string> constants;
  std::optional<std::string> reward;
  std::optional<std::string> tolerance;
  std::optional<std::string> round_rewards;
  void declare(CLI::App& command, const char* name = "MODEL");
  // Reads the file within the limits, with progress; its notices go to standard error unless quiet.
  // The time it takes is taken off the time limit.
  // `all_rewards`: those of every reward structure, for writing.
  [[nodiscard]] ReadModel read(bool quiet, Options& limits, bool all_rewards = false) const;
};

// --horizon --initial --discount --goal --cost --adversarial
struct SettingArguments {
  std::optional<std::string> horizon;
  std::optional<std::string> initial;
  std::optional<std::string> discount;
  std::optional<std::vector<std::string>> goal;
  bool cost = false;
  bool adversarial = false;
  std::optional<std::string> goal_ends;
  void declare(CLI::App& command);
  // For commands that answer questions: --goal-ends.
  void declare_goal_ends(CLI::App& command);
  // With `no`, the model and the setting where goals do not end an episode.
  void apply_goal_ends(Model& model, Setting& setting) const;
  // All but the initial states and the goal, whose names only a model can tell apart.
  [[nodiscard]] Setting setting() const;
  // Probabilities of --initial are normalised as those of the file are, with a notice unless quiet.
  // `may_be_several`: those that --initial describes need not be one (starts()).
  void add_states(const ReadModel& read,
                  Setting& setting,
                  bool quiet,
                  bool may_be_several = false) const;
  // The initial states to answer for one by one: those that --initial describes if it names none,
  // or all of a model that has several and no probabilities. Empty: there is one question.
  [[nodiscard]] std::vector<State> starts(const ReadModel& read, const Setting& setting) const;
  // The first one given, as a flag; nullptr if there is none.
  [[nodiscard]] const char* given() const;
};

// --tau --probability --side
struct QuantileArguments {
  std::vector<std::string> tau;
  std::vector<std::string> probability;
  std::string side = "lower";
  void declare(CLI::App& command, bool tau_is_required);
  // `usual`: the taus if none is given.
  [[nodiscard]] Query query(const SettingArguments& setting,
                            const std::vector<std::string>& usual = {}) const;
  [[nodiscard]] std::vector<Rational> taus(const std::vector<std::string>& usual = {}) const;
};

// Every option of the library's option_table(), and --exact; those for long runs where a question may
// be one.
struct EngineArguments {
  std::vector<std::pair<const OptionEntry*, std::string>> given;
  bool exact = false;
  void declare(CLI::App& command);
  void declare(CLI::App& command, const OptionEntry& entry);
  [[nodiscard]] Options options() const;
};

// Of these, --memory-limit and --time-limit, for commands without an engine.
struct LimitArguments {
  EngineArguments limits;
  void declare(CLI::App& command);
  [[nodiscard]] Options options() const { return limits.options(); }
};

// While it lives, time passes; then what has passed is taken off the time limit.
class TimeTaken {
 public:
  explicit TimeTaken(Options& options);
  ~TimeTaken();
  TimeTaken(const TimeTaken&) = delete;
  TimeTaken& operator=(const TimeTaken&) = delete;

 private:
  Options& options_;
  std::chrono::steady_clock::time_point begin_;
};

// The clock of what is made of an answer once it is found, as policies are: what its call left of
// the time limit, or a tenth of that limit if less is left.
class TimeLeft {
 public:
  // From now on; `limit` is the call's, 0 for none, and `left` what remains of it.
  TimeLeft(double limit_seconds, double left_seconds);
  [[nodiscard]] bool is_up() const;
  // As a time limit of its own: never 0 but where there is none.
  [[nodiscard]] double seconds() const;

 private:
  std::optional<std::chrono::steady_clock::time_point> deadline_;
};

// Ends reports of long lists when the clock is up, which they say; so does the exit code.
class CutReport {
 public:
  CutReport(ReportOptions& shape, const TimeLeft& clock);
  CutReport(const CutReport&) = delete;
  CutReport& operator=(const CutReport&) = delete;
  // Once the report is written.
  [[nodiscard]] ExitCode exit_code() const;

 private:
  std::shared_ptr<bool> is_cut_;
};

// --json --output --all --quiet
struct OutputArguments {
  bool json = false;
  bool all = false;
  bool quiet = false;
  std::optional<std::string> output;
  void declare(CLI::App& command, bool has_long_lists);
  // Before the work begins: an output path that cannot be written, or that names one of the files
  // to be read, is an error now.
  void check_writable(const std::vector<InputFile>& inputs) const;
  [[nodiscard]] ReportOptions report_options() const;
  void write(const std::string& text) const;
};

// --policy FILE|expectation
struct PolicyArgument {
  std::string policy;
  void declare(CLI::App& command);
  // All files that are read: the model's, and the policy if that is one.
  [[nodiscard]] std::vector<InputFile> inputs(const ModelArgument& model) const;
  // Throws Error(bad_request) if a file is read and the setting that is given is another than its own. The time it
  // takes is taken off the time limit.
  [[nodiscard]] Policy get(const ReadModel& read,
                           const SettingArguments& setting,
                           Options& options,
                           bool quiet) const;
  // What is done with the policy: where a rule turns out to be missing, the error names the file.
  template <class Play>
  auto played(const Play& play) const {
    try {
      return play();
    } catch (const Error& error) {
      rethrow_with_file(error);
    }
  }

 private:
  [[noreturn]] void rethrow_with_file(const Error& error) const;
};

// Exact numbers and whole numbers; `flag` is the place of the error.
Rational to_number(const std::string& text, const char* flag);
// A level of probability: for 10 and 10% the message asks whether 0.1 was meant.
Rational to_chance(const std::string& text, const char* flag);
// A list of levels: for 0 and 5 the message asks whether 0.5 was meant.
std::vector<Rational> to_chances(const std::vector<std::string>& texts, const char* flag);
// A number, "inf" or "-inf".
Total to_total(const std::string& text, const char* flag);
// A class that the policy never ends with, and that cannot be compared with those it does.
[[noreturn]] void refuse_unmet_class(const char* flag,
                                     const std::string& text,
                                     const WealthClasses& met);
// What a user calls a total, in wealth: where rewards are costs, it is a cost.
Total to_wealth(const Total& given, bool is_cost);
bool has_costs(const Model& model, const Setting& setting);
std::uint64_t to_whole(const std::string& text,
                       const char* flag,
                       std::uint64_t least,
                       const char* expected);
// `expected` completes the message.
Side to_side(const std::string& text, const char* expected = "lower or upper");
// "0.1,0.5", "0.1, 0.5" and repeated options alike. A comma within parentheses belongs to its item.
std::vector<std::string> split(const std::vector<std::string>& lists);
// Of --const: each NAME=VALUE of lists "N=3,p=1/3". Throws Error(bad_request).
std::vector<Definition> definitions_of(const std::vector<std::string>& lists);
// Each once, in the order given.
template <class Value>
std::vector<Value> distinct(const std::vector<Value>& given) {
  // As long lists usually are.
  const auto goes_back = [](const Value& a, const Value& b) { return !(a < b); };
  if (std::ranges::adjacent_find(given, goes_back) == given.end()) return given;
  std::set<Value> seen;
  std::vector<Value> out;
  for (const Value& value : given) {
    if (seen.insert(value).second) out.push_back(value);
  }
  return out;
}
// The taus shown where a user names none.
const std::vector<std::string>& usual_taus();

// An option whose text may be empty, which is not the same as no option.
CLI::Option* add_text(CLI::App& command,
                      const char* names,
                      std::optional<std::string>& into,
                      const std::string& help);

// A policy that stops at goals is none of the model that was given.
[[noreturn]] void refuse_going_on();

ModelFacts facts(const Model& model, const ResolvedSetting& setting);

}  // namespace quantiplan::cli
