// The commands of the program. Each declares its arguments; what it then does is left in `action`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "exit_code.hpp"
#include "help/short_help.hpp"

namespace quantiplan::cli {

using Action = std::function<ExitCode()>;

void add_solve(CLI::App& program, Action& action);
void add_frontier(CLI::App& program, Action& action);
void add_threshold(CLI::App& program, Action& action);
void add_tradeoff(CLI::App& program, Action& action);
void add_report(CLI::App& program, Action& action);
void add_evaluate(CLI::App& program, Action& action);
void add_simulate(CLI::App& program, Action& action);
void add_explain(CLI::App& program, Action& action);
void add_info(CLI::App& program, Action& action);
void add_convert(CLI::App& program, Action& action);
void add_check(CLI::App& program, Action& action);
void add_generate(CLI::App& program, Action& action);
void add_experiment(CLI::App& program, Action& action);
// help, version, man and completion.
void add_about(CLI::App& program, Action& action);

// The arguments outlive the parse: they belong to the action. Arguments declares itself on the
// subcommand and runs.
template <class Arguments>
void add_command(
    CLI::App& program, Action& action, const char* name, const char* help, const char* examples) {
  CLI::App* command = program.add_subcommand(name, help);
  add_help_flags(*command);
  const auto arguments = std::make_shared<Arguments>();
  arguments->declare(*command);
  command->footer(examples);
  command->callback([arguments, &action] { action = [arguments] { return arguments->run(); }; });
}

}  // namespace quantiplan::cli
