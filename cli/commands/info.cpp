// quantiplan info: what a model is like for the engines.
#include "arguments/arguments.hpp"
#include "commands/commands.hpp"
#include "console/watched_call.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kInfoExamples =
    "Examples:\n"
    "  quantiplan info commute.json\n"
    "  quantiplan info moves.csv --horizon 20 --initial 0 --json\n";

struct InfoArguments {
  ModelArgument model;
  SettingArguments setting;
  LimitArguments limits;
  OutputArguments output;

  void declare(CLI::App& command) {
    model.declare(command);
    setting.declare(command);
    limits.declare(command);
    output.declare(command, false);
  }

  [[nodiscard]] ExitCode run() const {
    Options options = limits.options();
    Setting wanted = setting.setting();
    output.check_writable(model_inputs(model.path));
    const ReadModel read = model.read(output.quiet, options);
    const Model& given = read.model;
    setting.add_states(read, wanted, output.quiet);
    const ModelInfo info = watched(options, output.quiet, false, [&](const Options& watching) {
      return describe(given, wanted, watching);
    });
    output.write(output.json ? info_json(info) : info_text(info));
    return ExitCode::solved;
  }
};

}  // namespace

void add_info(CLI::App& program, Action& action) {
  add_command<InfoArguments>(program,
                             action,
                             "info",
                             "Size, reward range, exactness and memory of a model",
                             kInfoExamples);
}

}  // namespace quantiplan::cli
