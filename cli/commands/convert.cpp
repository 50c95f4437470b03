// quantiplan convert: a model from one format to another, lossless in value.
#include "arguments/arguments.hpp"
#include "commands/commands.hpp"
#include "commands/model_output.hpp"
#include "quantiplan/model_checkers.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kConvertExamples =
    "Examples:\n"
    "  quantiplan convert moves.csv moves.json\n"
    "  quantiplan convert gathering.prism gathering.drn --const danger=0.1\n"
    "  quantiplan convert dice.prism dice.tra --reward flips\n"
    "  quantiplan convert dice.prism dice.tra --to storm-tra\n"
    "  quantiplan convert dice.prism chain.umb --policy policy.json\n"
    "  quantiplan convert dice.prism c.drn --policy p.json --scheduler s.json\n"
    "  quantiplan convert commute.json - --to csv\n";

struct ConvertArguments {
  ModelArgument in;
  std::string out;
  std::optional<std::string> to;
  std::optional<std::string> policy;
  std::optional<std::string> scheduler;
  std::optional<std::string> scheduler_format;
  LimitArguments limits;
  bool quiet = false;

  void declare(CLI::App& command) {
    in.declare(command, "IN");
    command.add_option("OUT", out, "file to write, or - for standard output")
        ->required()
        ->type_name("");
    add_text(command, "--to", to, "format to write, instead of the one OUT ends in")
        ->type_name(format_names("", "|", "|"));
    add_text(command,
             "--policy",
             policy,
             "write the Markov chain that the policy of FILE makes of IN: its states with the "
             "residuals the policy looks at")
        ->type_name("FILE");
    add_text(command,
             "--scheduler",
             scheduler,
             "besides: write the policy to FILE as a scheduler, if it looks at the state alone")
        ->type_name("FILE");
    add_text(
        command,
        "--scheduler-format",
        scheduler_format,
        "storm (its JSON, if nothing is said), prism-actions or prism-indices: as PRISM exports "
        "strategies, which may look at the time, too")
        ->type_name("FORMAT");
    limits.declare(command);
    command.add_flag("-q,--quiet", quiet, "no notices: not even of what is lost");
  }

  [[nodiscard]] SchedulerFormat format_of_scheduler() const {
    if (!scheduler_format || scheduler_format == "storm") return SchedulerFormat::storm;
    if (scheduler_format == "prism-actions") return SchedulerFormat::prism_actions;
    if (scheduler_format == "prism-indices") return SchedulerFormat::prism_indices;
    throw Error(ErrorCode::bad_request,
                "--scheduler-format",
                "found '" + visible(*scheduler_format) +
                    "', expected storm, prism-actions or prism-indices");
  }

  [[nodiscard]] ExitCode run() const {
    Options options = limits.options();
    const Format wanted = model_format(out, to, "OUT");
    std::vector<InputFile> inputs = model_inputs(in.path);
    if (policy) inputs.push_back({"the policy", *policy});
    require_model_writable(out, wanted, "OUT", inputs);
    if (scheduler && !policy)
      throw Error(ErrorCode::bad_request,
                  "--scheduler",
                  "found without --policy, expected the policy that is to be written");
    if (scheduler_format && !scheduler)
      throw Error(ErrorCode::bad_request,
                  "--scheduler-format",
                  "found without --scheduler, expected the file that is to be written");
    const SchedulerFormat scheduler_as = format_of_scheduler();
    if (scheduler) {
      require_writable(*scheduler, "--scheduler", inputs);
      for (const std::string& each : files_written(out, wanted))
        require_apart(*scheduler, "--scheduler", each, "the model that is written");
    }
    // Of formats with one structure alone, outcomes that differ in another are one.
    const bool holds_all = wanted != Format::json && wanted != Format::csv;
    const Model model = in.read(quiet, options, /*all_rewards=*/!policy && holds_all).model;
    if (!policy) {
      write_model_as(model, wanted, out, quiet, options);
      return ExitCode::solved;
    }
    const Policy read = read_policy(*policy, model, options);
    if (scheduler) write_output(*scheduler, scheduler_text(model, read, scheduler_as));
    write_model_as(induced_chain(model, read, options), wanted, out, quiet, options);
    return ExitCode::solved;
  }
};

}  // namespace

void add_convert(CLI::App& program, Action& action) {
  add_command<ConvertArguments>(
      program, action, "convert", "A model from one format to another", kConvertExamples);
}

}  // namespace quantiplan::cli
